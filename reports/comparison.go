package reports

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/eval/number"
	"evalctl/reports/finding"
)

// Comparison shows what runs differ in.
type Comparison struct {
	Suites []compare.Comparison `json:"comparisons"`

	Common bool `json:"-"` // only cases that all runs have were asked for
	Width  int  `json:"-"` // as of a Report, and the next two
	Color  bool `json:"-"`
	ASCII  bool `json:"-"`
	All    bool `json:"-"` // every case and every class or tag, and not only the first 20 in which something changed
}

// shownParts and shownFlips are how much a comparison shows unless all is asked for.
const (
	shownParts = 20
	shownFlips = 20
)

// Write renders the comparison in the given format. It writes once, when all is
// rendered.
func (c Comparison) Write(w io.Writer, format Format) error {
	return writeOnce(w, format, "comparison", func() ([]byte, error) {
		switch format {
		case Table:
			c.Width = lineWidth(c.Width)
			return drawn(c.document(), c.Width, c.Color, c.ASCII)
		case Markdown:
			c.Width = unlimited
			return paged(c.document()), nil
		case LaTeX:
			c.Width = unlimited
			return latexOf(source{text: "evalctl compare"}, c.document()), nil
		case JSON:
			return jsonText(c)
		case CSV:
			return comparisonCSV(c)
		}
		return nil, unfit(format, "comparison")
	})
}

func (c Comparison) document() (doc []block) {
	for _, one := range c.Suites {
		doc = append(doc, comparisonHead(one))
		if len(one.Ranking) > 0 {
			doc = append(doc, ranking(one), c.ranked(one))
			continue
		}
		v := one.Pairs[0]
		doc = append(doc, comparedFigures(one, v))
		if v.State != eval.Identical {
			doc = append(doc, c.parts("label", "recall", v.Classes)...)
			doc = append(doc, c.parts("tag", "accuracy", v.Tags)...)
		}
		doc = append(doc, c.flips(one, v, changed(one.Epochs).Fixed, v.FixedCases)...)
		doc = append(doc, c.flips(one, v, changed(one.Epochs).Broken, v.BrokenCases)...)
	}
	return doc
}

// comparisonHead names the sides by letters: what they are called may be long. What
// stood behind them is said where it is not the same.
func comparisonHead(c compare.Comparison) block {
	b := block{level: 2, heading: c.Suite + " · " + counted(c.Cases, "case") + inBoth(c)}
	data := unlike(c.Candidates, func(s compare.Candidate) string { return s.Dataset })
	if of := c.Candidates[0].Dataset; !data && of != "" && of != c.Suite {
		b.heading += " of " + of
	}
	if c.Epochs > 1 {
		b.heading += fmt.Sprintf(" × %d epochs", c.Epochs)
	}
	if c.Fault != eval.NoFault {
		b.heading += " · with fault " + c.Fault
	}
	if text := comparedOrigin(c.Candidates); text != "" {
		b.heading += " · " + text
	}
	models, times := unlike(c.Candidates, modelsBehind), unlike(c.Candidates, func(s compare.Candidate) string { return s.Time })
	for i, s := range c.Candidates {
		parts := []string{s.Variant + " of " + s.Run}
		if data {
			parts = append(parts, "on "+cmp.Or(s.Dataset, "an unknown dataset"))
		}
		if models {
			parts = append(parts, cmp.Or(modelsBehind(s), "unknown models"))
		}
		if times {
			parts = append(parts, cmp.Or(s.Time, "unknown")+" time")
		}
		b.lines = append(b.lines, line{mark: letter(i), text: strings.Join(parts, " · ")})
	}
	for _, n := range c.Notes {
		b.lines = append(b.lines, line{tone: warn, mark: "!", text: n})
	}
	if len(c.Ranking) == 0 {
		v := c.Pairs[0]
		if decidesByLabels(c.Candidates[v.Reference]) && decidesByLabels(c.Candidates[v.Candidate]) {
			v.MinDetectableDifference, v.MinDetectableDifferenceAllEpochs = nil, nil // they share random numbers, see [finding.Findings]
		}
		b.lines = append(b.lines, outcome(v, changed(c.Epochs)))
	} else {
		for _, v := range c.Pairs {
			if v.State == eval.NotSignificant && len(v.SignificantTags) > 0 {
				b.lines = append(b.lines, line{mark: "~", text: letter(v.Candidate) + " compared with " + letter(v.Reference) + ": " + inWords(finding.NoDifference(v.Difference))})
			}
		}
	}
	if compare.HasUnreadPrompts(c.Candidates) {
		b.lines = append(b.lines, line{tone: warn, mark: "!", text: eval.LabelBasedText + "."})
	}
	return b
}

// comparedOrigin says what is simulated and what is real on all sides; "": no model is
// known, or it is not the same on all sides, which each side then says itself.
func comparedOrigin(sides []compare.Candidate) string {
	all := eval.SuiteSummary{Time: sides[0].Time}
	real, simulated := false, false
	for _, s := range sides {
		all.Models = append(all.Models, s.Models...)
		for _, m := range s.Models {
			real, simulated = real || m.Kind == "real", simulated || m.Kind == "simulated"
		}
	}
	isMixed := unlike(sides, func(s compare.Candidate) string { return s.Time })
	switch {
	case len(all.Models) == 0 || real && unlike(sides, modelsBehind) || isMixed && (real || !simulated):
		return ""
	case isMixed:
		return "models are simulated"
	}
	return strings.Join(origin(all), " · ")
}

// inBoth says that the cases are those that all runs have.
func inBoth(c compare.Comparison) string {
	switch {
	case !unlike(c.Candidates, func(s compare.Candidate) string { return s.Run }):
		return ""
	case len(c.Candidates) > 2:
		return " in all runs"
	}
	return " in both runs"
}

func decidesByLabels(s compare.Candidate) bool {
	return slices.ContainsFunc(s.Models, func(m eval.ModelNote) bool { return m.LabelBased })
}

// capital begins a sentence.
func capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// unlike tells that the sides have not all the same.
func unlike(sides []compare.Candidate, of func(compare.Candidate) string) bool {
	return slices.ContainsFunc(sides, func(s compare.Candidate) bool { return of(s) != of(sides[0]) })
}

// modelsBehind says what answered a side.
func modelsBehind(s compare.Candidate) string {
	var list []string
	for _, m := range s.Models {
		text := m.Component + " " + m.Kind
		if m.Note != "" {
			text += " (" + m.Note + ")"
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

// changes are the words for cases that changed.
type changes struct{ fixed, broken, Fixed, Broken string }

// changed has the words for cases that were played so often: of several epochs a
// case may have been right before, only less often.
func changed(epochs int) changes {
	if epochs > 1 {
		return changes{fixed: "right more often", broken: "less often", Fixed: "Right more often", Broken: "Right less often"}
	}
	return changes{fixed: "fixed", broken: "broken", Fixed: "Fixed", Broken: "Broken"}
}

func (c changes) count(v compare.PairResult) string {
	return counted(v.Fixed, "case") + " " + c.fixed + ", " + grouped(v.Broken) + " " + c.broken
}

func letter(side int) string { return string(rune('A' + side)) }

// outcome says what two sides came to, in a sentence.
func outcome(v compare.PairResult, words changes) line {
	switch v.State {
	case eval.Identical:
		return line{mark: "=", text: "Identical decisions in " + everyOf(v.Cases) + judgedInBoth(v) + "."}
	case eval.Better, eval.Worse:
		as, word := good, "better"
		if v.State == eval.Worse {
			as, word = bad, "worse"
		}
		text := fmt.Sprintf("B is %s by %s points%s, %s: %s", word,
			strings.TrimLeft(number.Points(*v.Accuracy.Value), "+−"), spanOf(v.Accuracy, number.Points), chance(v.Accuracy.HolmP), words.count(v))
		if s, ok := finding.AgainstTags(v.Difference); ok {
			text += ". But " + inWords(s)
		}
		return line{tone: as, mark: "·", text: text + "."}
	case eval.NotSignificant:
		lead := capital(inWords(finding.NoDifference(v.Difference)))
		if len(v.SignificantTags) > 0 {
			lead += ". Overall"
		}
		text := fmt.Sprintf("%s: %s points%s, %s: %s", lead, number.Points(*v.Accuracy.Value),
			spanOf(v.Accuracy, number.Points), chance(v.Accuracy.HolmP), words.count(v))
		if c := v.Accuracy; known(c.Lo) && known(c.Hi) && *c.Lo**c.Hi > 0 && v.FamilySize > 1 {
			text += ", corrected for " + counted(v.FamilySize, "comparison")
		}
		if known(v.MinDetectableDifference) {
			text += ". " + finding.Detectable(v.Difference)
		}
		return line{mark: "~", text: text + "."}
	}
	return line{tone: warn, mark: "!", text: fmt.Sprintf("Too few scored cases to compare: %s scored on both sides, %s on one side only.", counted(v.Cases, "case"), grouped(v.Unpaired))}
}

// inWords is a sentence without its looks.
func inWords(s finding.Sentence) string {
	var b strings.Builder
	for _, p := range s.Shown(false) {
		b.WriteString(spoken(p))
	}
	return b.String()
}

func judgedInBoth(v compare.PairResult) string {
	if v.Unpaired == 0 {
		return ""
	}
	return " scored on both sides"
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
