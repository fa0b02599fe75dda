package reports

import (
	"io"
	"os"
	"strconv"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/eval/tune"
)

// TuningReport is the report of `evalctl tune`: the confidence threshold that was selected for each
// variant of a run.
type TuningReport struct {
	Setting  string         `json:"setting"`           // name of the tuned setting, such as threshold
	Partial  bool           `json:"partial,omitempty"` // the run was interrupted
	Notes    []string       `json:"notes,omitempty"`   // notes on variants that were not tuned
	Variants []TunedVariant `json:"tunings"`

	Width int  `json:"-"` // line width in columns; 0: 100, 1 to 39: 40
	Color bool `json:"-"` // use colors, unless NO_COLOR is set
	ASCII bool `json:"-"` // use only ASCII symbols
}

// TunedVariant is a variant with its selected confidence threshold.
type TunedVariant struct {
	Suite        string   `json:"suite"`
	Dataset      string   `json:"dataset,omitempty"`
	Split        string   `json:"split,omitempty"`         // split of the dataset, such as dev; "": all cases
	DecisionOnly bool     `json:"decision_only,omitempty"` // the trials stopped after the decision
	Variant      string   `json:"variant"`
	Fault        string   `json:"fault"`
	Notes        []string `json:"notes,omitempty"` // reasons why the selected threshold is less reliable

	tune.Tuning

	NextCommands [][]string `json:"-"` // suggested commands: run with the selected threshold, or tune on other cases
}

// Write renders the thresholds in the given format. It calls w.Write once, so an error while
// rendering leaves no partial output.
func (t TuningReport) Write(w io.Writer, format Format) error {
	return writeOnce(w, format, "tuning", func() ([]byte, error) { return t.render(format) })
}

func (t TuningReport) render(format Format) ([]byte, error) {
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

// screen renders the text report: for each variant, some sentences, then a table of thresholds with
// a plot.
func (t TuningReport) screen() []byte {
	if t.Width == 0 {
		t.Width = defaultWidth
	}
	out := &terminal{width: lineWidth(t.Width), color: t.Color && os.Getenv("NO_COLOR") == ""}
	for _, l := range t.headLines() {
		out.statement(l)
	}
	for i, one := range t.Variants {
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
		for _, words := range one.NextCommands {
			for _, l := range command("> ", words, out.width) {
				out.line(out.paint(l, faint))
			}
		}
	}
	return toASCII(out.out.Bytes(), t.ASCII)
}

func (t TuningReport) headLines() (list []line) {
	if t.Partial {
		list = append(list, partialText(eval.Summary{}, "this report"))
	}
	for _, n := range t.Notes {
		list = append(list, line{mark: "·", text: clean(n)})
	}
	return list
}

func (t TuningReport) document() []block {
	doc := []block{{level: 1, heading: "evalctl tune", lines: t.headLines()}}
	for _, one := range t.Variants {
		b := block{level: 2, heading: one.title(t.Setting), lines: one.sentences(t.Setting)}
		for _, words := range one.NextCommands {
			if found := command("", words, unlimited); found != nil {
				b.lines = append(b.lines, line{mark: "·", text: "next", code: found[0]})
			}
		}
		b.grid = gridOfTable(one.table(one.pointsToShow()).fit(unlimited))
		doc = append(doc, b)
	}
	return doc
}

// gridOfTable converts a table of the terminal report for the Markdown and LaTeX formats.
func gridOfTable(all screenTable) (g grid) {
	g.keys = 1
	for _, l := range all {
		g.columns = append(g.columns, column{head: l.title(), right: l.right})
	}
	for i := range all[0].cells {
		var row []cell
		for _, l := range all {
			row = append(row, cell{text: strings.TrimSpace(l.cells[i].text + " " + l.cells[i].tail), tone: l.cells[i].tone})
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
	if goal := one.goal(); goal.String() != (tune.Objective{}).String() || one.OOSPrior > 0 {
		text += " · best " + goal.String()
	}
	if one.OOSPrior > 0 {
		text += " · prior " + number.Share(one.OOSPrior) + " " + one.OOSLabel
	}
	if one.Fault != eval.NoFault {
		text += " · with fault " + one.Fault
	}
	return text
}

// goal returns the objective that the threshold was selected by.
func (one TunedVariant) goal() tune.Objective {
	o, err := tune.ParseObjective(one.Objective)
	if err != nil { // only for a Tuning that the package tune has not computed
		return tune.Objective{}
	}
	return o
}

// isPlain reports whether the objective is the accuracy of the run itself.
func (one TunedVariant) isPlain() bool {
	return one.goal().Title() == (tune.Objective{}).Title() && one.OOSPrior == 0
}

func threshold(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
