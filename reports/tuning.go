package reports

import (
	"io"
	"os"
	"strconv"

	"evalctl/eval"
	"evalctl/eval/tune"
)

// Tunings show what thresholds come to that were chosen from a run.
type Tunings struct {
	Setting string         `json:"setting"`
	Partial bool           `json:"partial,omitempty"` // the run did not end
	Notes   []string       `json:"notes,omitempty"`   // on variants that were left out
	List    []TunedVariant `json:"tunings"`

	Width int  `json:"-"` // as of a Report, and the next two
	Color bool `json:"-"`
	ASCII bool `json:"-"`
}

// TunedVariant is one variant's threshold.
type TunedVariant struct {
	Suite        string   `json:"suite"`
	Dataset      string   `json:"dataset,omitempty"`
	Split        string   `json:"split,omitempty"`
	DecisionOnly bool     `json:"decision_only,omitempty"`
	Variant      string   `json:"variant"`
	Fault        string   `json:"fault"`
	Notes        []string `json:"notes,omitempty"` // what makes the choice weaker than it looks

	tune.Tuning

	Next [][]string `json:"-"` // the commands that go on from here: play the chosen threshold, or tune on cases that may choose one
}

// Write renders the tunings in the given format. It writes once, when all is
// rendered.
func (t Tunings) Write(w io.Writer, format Format) error {
	return writeOnce(w, format, "tuning", func() ([]byte, error) { return t.render(format) })
}

func (t Tunings) render(format Format) ([]byte, error) {
	switch format {
	case Table:
		return t.screen(), nil
	case Markdown:
		return paged(t.document()), nil
	case LaTeX:
		return latexOf(source{text: "evalctl tune", partial: t.Partial}, t.document()), nil
	case JSON:
		return jsonText(t)
	case CSV:
		return t.csv()
	default:
		return nil, unfit(format, "tuning")
	}
}

// screen has for each variant the sentences first, then its points with a plot.
func (t Tunings) screen() []byte {
	if t.Width == 0 {
		t.Width = pipeWidth
	}
	out := &terminal{width: lineWidth(t.Width), color: t.Color && os.Getenv("NO_COLOR") == ""}
	for _, l := range t.opening() {
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
		points := one.shown()
		for _, l := range out.draw(append(one.lanes(points), one.plot(points)).fit(out.width)) {
			out.line(l)
		}
		for _, words := range one.Next {
			for _, l := range command("> ", words, out.width) {
				out.line(out.paint(l, faint))
			}
		}
	}
	return signs(out.out.Bytes(), t.ASCII)
}

// opening is what there is to say before any variant.
func (t Tunings) opening() (list []line) {
	if t.Partial {
		list = append(list, partialText(eval.Summary{}, "this report"))
	}
	for _, n := range t.Notes {
		list = append(list, line{mark: "·", text: clean(n)})
	}
	return list
}

func (t Tunings) document() []block {
	doc := []block{{level: 1, heading: "evalctl tune", lines: t.opening()}}
	for _, one := range t.List {
		b := block{level: 2, heading: one.title(t.Setting), lines: one.sentences(t.Setting)}
		for _, words := range one.Next {
			if found := command("", words, unlimited); found != nil {
				b.lines = append(b.lines, line{mark: "·", text: "next", code: found[0]})
			}
		}
		b.grid = gridOf(one.lanes(one.shown()).fit(unlimited))
		doc = append(doc, b)
	}
	return doc
}

// gridOf is a table of the screen for a page.
func gridOf(all lanes) (g grid) {
	g.keys = 1
	for _, l := range all {
		g.columns = append(g.columns, column{head: l.title(), right: l.right})
	}
	for i := range all[0].fields {
		var row []cell
		for _, l := range all {
			row = append(row, cell{text: l.fields[i].text, tone: l.fields[i].tone})
		}
		g.rows = append(g.rows, row)
	}
	return g
}

func (one TunedVariant) title(setting string) string {
	text := one.Suite + " · " + one.Variant + " · " + setting + " · " + counted(one.Cases, "case")
	if one.Split != "" {
		text += " of " + one.Split
	}
	if one.Trials > one.Cases {
		text += ", " + counted(one.Trials, "trial")
	}
	if one.Fault != eval.NoFault {
		text += " · with fault " + one.Fault
	}
	return text
}

// threshold shows one in as few digits as it has.
func threshold(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
