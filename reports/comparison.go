package reports

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/eval/number"
)

// Comparison shows what runs differ in.
type Comparison struct {
	Suites []compare.Comparison `json:"comparisons"`

	Width  int  `json:"-"` // as of a Report, and the next two
	Colour bool `json:"-"`
	ASCII  bool `json:"-"`
	All    bool `json:"-"` // every case and every class or tag, and not only the first 20
}

// shownParts and shownFlips are how much a comparison shows unless all is asked for.
const (
	shownParts = 20
	shownFlips = 20
)

// Write renders the comparison in the given format. It writes once, when all is
// rendered.
func (c Comparison) Write(w io.Writer, format Format) error {
	text, err := c.render(format)
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("write %s comparison: %w", format, err)
	}
	return nil
}

func (c Comparison) render(format Format) ([]byte, error) {
	switch format {
	case Table:
		return c.table()
	case Markdown:
		c.Width = unlimited
		var out bytes.Buffer
		for i, b := range c.document() {
			if i > 0 {
				out.WriteByte('\n')
			}
			b.markdown(&out)
		}
		return out.Bytes(), nil
	case JSON:
		return jsonText(c)
	case CSV:
		return comparisonCSV(c)
	default:
		return nil, unknown(string(format))
	}
}

func (c Comparison) table() ([]byte, error) {
	c.Width = lineWidth(c.Width)
	s := &sheet{terminal: terminal{width: c.Width, colour: c.Colour && os.Getenv("NO_COLOR") == ""}, columns: newColumns()}
	for i, b := range c.document() {
		if i > 0 {
			s.line("")
		}
		if err := s.block(b); err != nil {
			return nil, fmt.Errorf("table: %w", err)
		}
	}
	return signs(s.out.Bytes(), c.ASCII), nil
}

func (c Comparison) document() (doc []block) {
	for _, one := range c.Suites {
		doc = append(doc, comparisonHead(one))
		if len(one.Ranking) > 0 {
			doc = append(doc, ranking(one))
			continue
		}
		v := one.Pairs[0]
		doc = append(doc, comparedFigures(one, v))
		if v.State != eval.Alike {
			doc = append(doc, c.parts("label", "recall", v.Classes)...)
			doc = append(doc, c.parts("tag", "accuracy", v.Tags)...)
		}
		doc = append(doc, c.flips(one, v, "Fixed", v.Fixed)...)
		doc = append(doc, c.flips(one, v, "Broken", v.Broken)...)
	}
	for i := range doc {
		doc[i].clean()
	}
	return doc
}

// comparisonHead names the sides by letters: what they are called may be long.
func comparisonHead(c compare.Comparison) block {
	b := block{level: 2, heading: c.Suite + " · " + counted(c.Cases, "case")}
	if c.Fault != eval.NoFault {
		b.heading += " · under " + c.Fault
	}
	for i, s := range c.Sides {
		b.lines = append(b.lines, line{mark: letter(i), text: s.Variant + " of " + s.Run})
	}
	for _, n := range c.Notes {
		b.lines = append(b.lines, line{tone: warn, mark: "!", text: n})
	}
	if len(c.Ranking) == 0 {
		b.lines = append(b.lines, outcome(c.Pairs[0]))
	}
	return b
}

func letter(side int) string { return string(rune('A' + side)) }

// outcome says what two sides came to, in a sentence.
func outcome(v compare.Versus) line {
	switch v.State {
	case eval.Alike:
		return line{mark: "=", text: "no difference: both predict the same label in " + everyOf(v.Cases)}
	case eval.Better, eval.Worse:
		as, word := good, "better"
		if v.State == eval.Worse {
			as, word = bad, "worse"
		}
		return line{tone: as, mark: "·", text: fmt.Sprintf("B is %s by %s points%s: %s fixed, %s broken, %s", word,
			strings.TrimLeft(number.Points(*v.Accuracy.Value), "+−"), spanOf(v.Accuracy, number.Points), counted(v.Gained, "case"), grouped(v.Lost), chance(v.Accuracy.Holm))}
	case eval.Even:
		text := fmt.Sprintf("no difference is proven: %s points%s, %s fixed, %s broken, %s", number.Points(*v.Accuracy.Value),
			spanOf(v.Accuracy, number.Points), counted(v.Gained, "case"), grouped(v.Lost), chance(v.Accuracy.Holm))
		if known(v.Detectable) {
			text += fmt.Sprintf("; %s show differences from %s points on, in 80 of 100 runs", counted(v.Cases, "case"), percent(*v.Detectable))
		}
		return line{mark: "~", text: text}
	}
	return line{tone: warn, mark: "!", text: fmt.Sprintf("too little was judged to compare: %s in both, %s in one alone", counted(v.Cases, "case"), grouped(v.Unpaired))}
}

func everyOf(n int64) string {
	if n == 1 {
		return "the 1 case"
	}
	return "all " + grouped(n) + " cases"
}

// spanOf is a contrast's interval.
func spanOf(c eval.Contrast, show func(float64) string) string {
	return span(c.Lo, c.Hi, show)
}

// chance shows a p-value: never 0.
func chance(p *float64) string {
	switch {
	case !known(p):
		return unmeasured
	case *p < 0.001:
		return "p < 0.001"
	}
	return "p = " + three(*p)
}
