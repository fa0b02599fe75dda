package reports

import (
	"fmt"
	"io"

	"evalctl/eval"
	"evalctl/eval/history"
	"evalctl/reports/document"
)

// RunListReport is the report of `evalctl runs`: the runs in a directory.
type RunListReport struct {
	Runs     []history.Run `json:"runs"` // runs to list, newest first
	NotShown int           `json:"-"`    // number of older runs that are not listed

	document.Options
}

// Write renders the list of runs in the given format, with one row for each suite of a run.
func (h RunListReport) Write(w io.Writer, format Format) error {
	return screen{noun: "history", layOut: h.document}.write(w, format, h.Options)
}

func (h RunListReport) document(document.Target) document.Document {
	b := document.Block{Level: 2, Heading: "Runs"}
	if h.NotShown > 0 {
		b.Heading += fmt.Sprintf(" · newest %s of %s", thousands(int64(len(h.Runs))),
			thousands(int64(len(h.Runs)+h.NotShown)))
	}
	if len(h.Runs) == 0 {
		b.Lines = append(b.Lines, document.Line{Mark: "·", Text: "No runs in this folder. Start with evalctl run."})
	} else {
		b.Table = h.grid()
	}
	return document.Document{
		Source: "evalctl runs",
		Blocks: []document.Block{b},
		Data:   h,
		Rows:   h.rows,
	}
}

func (h RunListReport) grid() document.Table {
	g := document.Table{Keys: 1, Columns: []document.Column{{Head: "run"}, {Head: "started", Rank: 4}, {Head: "suite"},
		{Head: "cases", Right: true, Rank: 3}, {Head: "data", Rank: 1},
		{Head: "accuracy [95 %]"}, {Head: "best variant", Rank: 2}, {Head: "gates", Rank: 6},
		{Head: "status", Rank: 5}}}
	for _, r := range h.Runs {
		status := document.Cell{Text: string(r.Status)}
		if r.Status != "done" {
			status.Tone = document.Warn
		}
		rows := r.Suites
		if len(rows) == 0 {
			rows = []history.Suite{{}}
		}
		for i, s := range rows {
			row := []document.Cell{{Text: r.Name}, {Text: r.Started.UTC().Format("01-02 15:04")}, {Text: s.Name}, {},
				{Text: s.DatasetHash[:min(len(s.DatasetHash), 6)]},
				{Text: noValue}, {}, gatesCell(r), status}
			if s.Cases > 0 {
				row[3].Text = thousands(s.Cases)
			}
			if s.FailedInRun != "" {
				row[3].Text += " failed"
			}
			if s.Leader != nil {
				row[5].Text, row[6].Text = estimate(s.Leader.Accuracy, percent, " %"), s.Leader.Variant
			}
			if i > 0 {
				row[0], row[1], row[7], row[8] = document.Cell{}, document.Cell{}, document.Cell{}, document.Cell{}
			}
			g.AddRow(row)
		}
	}
	return g
}

// gatesCell summarizes a run's gates: how many passed, or how many failed or are undecided.
func gatesCell(r history.Run) document.Cell {
	failed, undecided := gateCounts(r)
	n := len(r.Gates)
	switch {
	case n == 0:
		return document.Cell{Text: noValue}
	case failed > 0:
		return document.Cell{Text: fmt.Sprintf("✗ %d of %d", failed, n), Tone: document.Bad}
	case undecided > 0:
		return document.Cell{Text: fmt.Sprintf("? %d of %d", undecided, n), Tone: document.Warn}
	}
	return document.Cell{Text: fmt.Sprintf("✓ %d", n), Tone: document.Good}
}

func (h RunListReport) rows() *document.Table {
	g := document.ValueTable("run", "started", "status", "partial", "version", "seed", "clock", "suite",
		"dataset", "dataset_hash",
		"cases", "epochs", "leader", "accuracy", "lo", "hi", "n", "gates", "gates_failed", "gates_undecided")
	for _, r := range h.Runs {
		failed, undecided := gateCounts(r)
		suites := r.Suites
		if len(suites) == 0 {
			suites = []history.Suite{{}}
		}
		for _, s := range suites {
			of := history.Leader{}
			if s.Leader != nil {
				of = *s.Leader
			}
			a := of.Accuracy
			g.AddValues(r.Name, document.UTC(r.Started), string(r.Status), r.Partial, r.Version, r.Seed,
				r.Clock, s.Name, s.Dataset,
				s.DatasetHash, s.Cases, s.Epochs, of.Variant, a.Value, a.Lo, a.Hi, a.N, len(r.Gates), failed, undecided)
		}
	}
	return g
}

// gateCounts returns how many gates of a run failed, and how many are undecided.
func gateCounts(r history.Run) (failed, undecided int) {
	for _, v := range r.Gates {
		switch v.Verdict {
		case eval.GateFailed:
			failed++
		case eval.GateUndecided:
			undecided++
		}
	}
	return failed, undecided
}
