package reports

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"evalctl/eval"
	"evalctl/eval/history"
)

// RunListReport is the report of `evalctl runs`: the runs in a directory.
type RunListReport struct {
	Runs     []history.Run `json:"runs"` // runs to list, newest first
	NotShown int           `json:"-"`    // number of older runs that are not listed

	Width int  `json:"-"` // line width in columns; 0: unlimited, 1 to 39: 40
	Color bool `json:"-"` // use colors, unless NO_COLOR is set
	ASCII bool `json:"-"` // use only ASCII symbols
}

// Write renders the list of runs in the given format, with one row for each suite of a run. It
// calls w.Write once, so an error while rendering leaves no partial output.
func (h RunListReport) Write(w io.Writer, format Format) error {
	return writeOnce(w, format, "history", func() ([]byte, error) {
		switch format {
		case Table:
			return renderText(h.document(h.Width), h.Width, h.Color, h.ASCII)
		case Markdown:
			return markdownOf(h.document(0)), nil
		case LaTeX:
			return latexOf(tableSource{text: "evalctl runs"}, h.document(0)), nil
		case JSON:
			return jsonText(h)
		case CSV:
			return h.csv()
		}
		return nil, unsupportedFormat(format, "history")
	})
}

func (h RunListReport) document(width int) []block {
	b := block{level: 2, heading: "Runs"}
	if h.NotShown > 0 {
		b.heading += fmt.Sprintf(" · newest %s of %s", thousands(int64(len(h.Runs))),
			thousands(int64(len(h.Runs)+h.NotShown)))
	}
	if len(h.Runs) == 0 {
		b.lines = append(b.lines, line{mark: "·", text: "No runs in this folder. Start with evalctl run."})
		return []block{b}
	}
	b.grid = h.grid()
	b.grid.dropColumns(width, "data", "best variant", "cases", "started", "status", "gates")
	return []block{b}
}

func (h RunListReport) grid() grid {
	g := grid{keys: 1, columns: []column{{head: "run"}, {head: "started"}, {head: "suite"},
		{head: "cases", right: true}, {head: "data"},
		{head: "accuracy [95 %]"}, {head: "best variant"}, {head: "gates"}, {head: "status"}}}
	for _, r := range h.Runs {
		status := cell{text: string(r.Status)}
		if r.Status != "done" {
			status.tone = warn
		}
		rows := r.Suites
		if len(rows) == 0 {
			rows = []history.Suite{{}}
		}
		for i, s := range rows {
			row := []cell{{text: r.Name}, {text: r.Started.UTC().Format("01-02 15:04")}, {text: s.Name}, {},
				{text: s.DatasetHash[:min(len(s.DatasetHash), 6)]},
				{text: noValue}, {}, gatesCell(r), status}
			if s.Cases > 0 {
				row[3].text = thousands(s.Cases)
			}
			if s.FailedInRun != "" {
				row[3].text += " failed"
			}
			if s.Leader != nil {
				row[5].text, row[6].text = estimate(s.Leader.Accuracy, percent, " %"), s.Leader.Variant
			}
			if i > 0 {
				row[0], row[1], row[7], row[8] = cell{}, cell{}, cell{}, cell{}
			}
			g.rows = append(g.rows, row)
		}
	}
	return g
}

// gatesCell summarizes a run's gates: how many passed, or how many failed or are undecided.
func gatesCell(r history.Run) cell {
	failed, open := 0, 0
	for _, v := range r.Gates {
		switch v.Verdict {
		case eval.GateFailed:
			failed++
		case eval.GateUndecided:
			open++
		}
	}
	n := len(r.Gates)
	switch {
	case n == 0:
		return cell{text: noValue}
	case failed > 0:
		return cell{text: fmt.Sprintf("✗ %d of %d", failed, n), tone: bad}
	case open > 0:
		return cell{text: fmt.Sprintf("? %d of %d", open, n), tone: warn}
	}
	return cell{text: fmt.Sprintf("✓ %d", n), tone: good}
}

// dropColumns removes optional columns until the grid fits the width; heads lists them in the order
// of removal. Columns without values are always removed. Width 0 is unlimited.
func (g *grid) dropColumns(width int, heads ...string) {
	out := func(head string) {
		at := slices.IndexFunc(g.columns, func(c column) bool { return c.head == head })
		g.columns = slices.Delete(g.columns, at, at+1)
		for i := range g.rows {
			g.rows[i] = slices.Delete(g.rows[i], at, at+1)
		}
	}
	for _, head := range heads {
		at := slices.IndexFunc(g.columns, func(c column) bool { return c.head == head })
		empty := !slices.ContainsFunc(g.rows,
			func(row []cell) bool { return row[at].text != "" && row[at].text != noValue })
		if empty {
			out(head)
		}
	}
	for _, head := range heads {
		if there := slices.ContainsFunc(g.columns, func(c column) bool { return c.head == head }); there && width > 0 &&
			totalWidth(g.naturalWidths()) > width {
			out(head)
		}
	}
}

func (h RunListReport) csv() ([]byte, error) {
	rows := [][]string{{"run", "started", "status", "partial", "version", "seed", "clock", "suite", "dataset",
		"dataset_hash", "cases", "epochs", "leader", "accuracy", "lo", "hi", "n",
		"gates", "gates_failed", "gates_undecided"}}
	for _, r := range h.Runs {
		failed, open := 0, 0
		for _, v := range r.Gates {
			switch v.Verdict {
			case eval.GateFailed:
				failed++
			case eval.GateUndecided:
				open++
			}
		}
		suites := r.Suites
		if len(suites) == 0 {
			suites = []history.Suite{{}}
		}
		for _, s := range suites {
			of := history.Leader{}
			if s.Leader != nil {
				of = *s.Leader
			}
			rows = append(rows, []string{escapeFormula(r.Name), r.Started.UTC().Format("2006-01-02T15:04:05Z"),
				string(r.Status), strconv.FormatBool(r.Partial), escapeFormula(r.Version),
				strconv.FormatUint(r.Seed, 10), escapeFormula(r.Clock), escapeFormula(s.Name), escapeFormula(s.Dataset),
				escapeFormula(s.DatasetHash), strconv.FormatInt(s.Cases, 10), strconv.Itoa(s.Epochs),
				escapeFormula(of.Variant), plainNumber(of.Accuracy.Value), plainNumber(of.Accuracy.Lo),
				plainNumber(of.Accuracy.Hi), strconv.FormatInt(of.Accuracy.N, 10),
				strconv.Itoa(len(r.Gates)), strconv.Itoa(failed), strconv.Itoa(open)})
		}
	}
	return csvOf(rows)
}
