package reports

import (
	"fmt"
	"io"

	"evalctl/eval"
	"evalctl/eval/history"
)

// RunListReport is the report of `evalctl runs`: the runs in a directory.
type RunListReport struct {
	Runs     []history.Run `json:"runs"` // runs to list, newest first
	NotShown int           `json:"-"`    // number of older runs that are not listed

	Options
}

// Write renders the list of runs in the given format, with one row for each suite of a run.
func (h RunListReport) Write(w io.Writer, format Format) error {
	return screen{noun: "history", layOut: h.document}.write(w, format, h.Options)
}

func (h RunListReport) document(target) document {
	b := block{level: 2, heading: "Runs"}
	if h.NotShown > 0 {
		b.heading += fmt.Sprintf(" · newest %s of %s", thousands(int64(len(h.Runs))),
			thousands(int64(len(h.Runs)+h.NotShown)))
	}
	if len(h.Runs) == 0 {
		b.lines = append(b.lines, line{mark: "·", text: "No runs in this folder. Start with evalctl run."})
	} else {
		b.grid = h.grid()
	}
	return document{
		command: "evalctl runs",
		blocks:  []block{b},
		data:    h,
		rows:    h.rows(),
	}
}

func (h RunListReport) grid() grid {
	g := grid{keys: 1, columns: []column{{head: "run"}, {head: "started", rank: 4}, {head: "suite"},
		{head: "cases", right: true, rank: 3}, {head: "data", rank: 1},
		{head: "accuracy [95 %]"}, {head: "best variant", rank: 2}, {head: "gates", rank: 6},
		{head: "status", rank: 5}}}
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
			g.addRow(row)
		}
	}
	return g
}

// gatesCell summarizes a run's gates: how many passed, or how many failed or are undecided.
func gatesCell(r history.Run) cell {
	failed, undecided := gateCounts(r)
	n := len(r.Gates)
	switch {
	case n == 0:
		return cell{text: noValue}
	case failed > 0:
		return cell{text: fmt.Sprintf("✗ %d of %d", failed, n), tone: bad}
	case undecided > 0:
		return cell{text: fmt.Sprintf("? %d of %d", undecided, n), tone: warn}
	}
	return cell{text: fmt.Sprintf("✓ %d", n), tone: good}
}

func (h RunListReport) rows() *grid {
	g := valueTable("run", "started", "status", "partial", "version", "seed", "clock", "suite",
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
			g.addValues(r.Name, utc(r.Started), string(r.Status), r.Partial, r.Version, r.Seed,
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
