package reports

import (
	"io"
	"os"
	"strconv"

	"evalctl/eval"
	"evalctl/eval/tune"
)

// Tunings renders the thresholds that were selected from a run.
type Tunings struct {
	Setting string         `json:"setting"`
	Partial bool           `json:"partial,omitempty"` // the run did not end
	Notes   []string       `json:"notes,omitempty"`   // about variants that were left out
	List    []TunedVariant `json:"tunings"`

	Width int  `json:"-"` // Width, Color and ASCII: see [Report]
	Color bool `json:"-"`
	ASCII bool `json:"-"`
}

// TunedVariant is the selected threshold of a variant.
type TunedVariant struct {
	Suite        string   `json:"suite"`
	Dataset      string   `json:"dataset,omitempty"`
	Split        string   `json:"split,omitempty"`
	DecisionOnly bool     `json:"decision_only,omitempty"`
	Variant      string   `json:"variant"`
	Fault        string   `json:"fault"`
	Notes        []string `json:"notes,omitempty"` // reasons why the selection is less reliable

	tune.Tuning

	Next [][]string `json:"-"` // next commands: run with the selected threshold, or tune on other cases
}

// Write renders the tunings in the given format. It writes once, after rendering is complete.
func (t Tunings) Write(w io.Writer, format Format) error {
	return writeOnce(w, format, "tuning", func() ([]byte, error) { return t.render(format) })
}

func (t Tunings) render(format Format) ([]byte, error) {
	switch format {
	case Table:
		return t.screen(), nil
	case Markdown:
		return markdownOf(t.document()), nil
	case LaTeX:
		return latexOf(tableSource{text: "evalctl tune", partial: t.Partial}, t.document()), nil
	case JSON:
		return jsonText(t)
	case CSV:
		return t.csv()
	default:
		return nil, unsupportedFormat(format, "tuning")
	}
}

// screen prints, for each variant, the sentences and then a table of points with a plot.
func (t Tunings) screen() []byte {
	if t.Width == 0 {
		t.Width = defaultWidth
	}
	out := &terminal{width: lineWidth(t.Width), color: t.Color && os.Getenv("NO_COLOR") == ""}
	for _, l := range t.headLines() {
		out.statement(l)
	}
	for i, one := range t.List {
		if i > 0 {
			out.line("")
		}
		out.statement(line{tone: strong, text: clean(one.title(t.Setting))})
		for _, l := range one.sentences(t.Setting) {
			l.text = clean(l.text)
			out.statement(l)
		}
		out.line("")
		points := one.pointsToShow()
		for _, l := range out.draw(append(one.table(points), one.plot(points)).fit(out.width)) {
			out.line(l)
		}
		for _, words := range one.Next {
			for _, l := range command("> ", words, out.width) {
				out.line(out.paint(l, faint))
			}
		}
	}
	return toASCII(out.out.Bytes(), t.ASCII)
}

// headLines returns the lines above all variants.
func (t Tunings) headLines() (list []line) {
	if t.Partial {
		list = append(list, partialText(eval.Summary{}, "this report"))
	}
	for _, n := range t.Notes {
		list = append(list, line{mark: "·", text: clean(n)})
	}
	return list
}

func (t Tunings) document() []block {
	doc := []block{{level: 1, heading: "evalctl tune", lines: t.headLines()}}
	for _, one := range t.List {
		b := block{level: 2, heading: one.title(t.Setting), lines: one.sentences(t.Setting)}
		for _, words := range one.Next {
			if found := command("", words, unlimited); found != nil {
				b.lines = append(b.lines, line{mark: "·", text: "next", code: found[0]})
			}
		}
		b.grid = gridOfTable(one.table(one.pointsToShow()).fit(unlimited))
		doc = append(doc, b)
	}
	return doc
}

// gridOfTable converts a table of the screen to a grid.
func gridOfTable(all screenTable) (g grid) {
	g.keys = 1
	for _, l := range all {
		g.columns = append(g.columns, column{head: l.title(), right: l.right})
	}
	for i := range all[0].cells {
		var row []cell
		for _, l := range all {
			row = append(row, cell{text: l.cells[i].text, tone: l.cells[i].tone})
		}
		g.rows = append(g.rows, row)
	}
	return g
}

func (one TunedVariant) title(setting string) string {
	text := one.Suite + " · " + one.Variant + " · " + setting + " · " + plural(one.Cases, "case")
	if one.Split != "" {
		text += " of " + one.Split
	}
	if one.Trials > one.Cases {
		text += ", " + plural(one.Trials, "trial")
	}
	if one.Fault != eval.NoFault {
		text += " · with fault " + one.Fault
	}
	return text
}

// threshold formats a threshold without rounding.
func threshold(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
