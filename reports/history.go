package reports

import (
	"cmp"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/history"
	"evalctl/eval/journal"
	"evalctl/reports/document"
	"evalctl/reports/finding"
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

// listedSuite is a row of the list of runs: a suite of a run. A run without suites has one row.
type listedSuite struct {
	run   history.Run
	suite history.Suite
	first bool // the first row of the run
}

func (h RunListReport) suites() (list []listedSuite) {
	for _, r := range h.Runs {
		list = append(list, listedSuite{run: r, first: true})
		for i, s := range r.Suites {
			if i > 0 {
				list = append(list, listedSuite{run: r})
			}
			list[len(list)-1].suite = s
		}
	}
	return list
}

func (h RunListReport) grid() document.Table {
	g := document.Table{Keys: 1, Columns: []document.Column{{Head: "run"}, {Head: "started", Rank: 4}, {Head: "suite"},
		{Head: "cases", Right: true, Rank: 3}, {Head: "data", Rank: 1},
		{Head: "accuracy [95 %]"}, {Head: "best variant", Rank: 2}, {Head: "gates", Rank: 6},
		{Head: "status", Rank: 5}}}
	for _, one := range h.suites() {
		r, s := one.run, one.suite
		status := document.Cell{Text: string(r.Status)}
		if r.Status != journal.StatusDone {
			status.Tone = document.Warn
		}
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
			row[5].Text = withMissing(s.Leader.Accuracy, row[5].Text, finding.NotScored)
		}
		if !one.first {
			row[0], row[1], row[7], row[8] = document.Cell{}, document.Cell{}, document.Cell{}, document.Cell{}
		}
		g.AddRow(row)
	}
	return g
}

// RunListControls links the rows of the list of runs on a web page, and configures the radio buttons by
// which a reader selects two runs to compare. The value of a button is the escaped name of the run
// (url.PathEscape), because a page cannot contain all characters of a name.
type RunListControls struct {
	RunURL         func(run string) string
	Form           string // id of the form
	Earlier, Later string // names of the runs that are selected first; "": none
}

// HTML returns the list of runs for a web page. The accuracy of all runs is on one axis, below each
// other in the order of time.
func (h RunListReport) HTML(c RunListControls) document.Block {
	g, rows := h.grid(), h.suites()
	g.Columns = slices.DeleteFunc(g.Columns, func(c document.Column) bool { return c.Head == "data" })
	const name, started, accuracy, variant, gates, status = 0, 1, 4, 5, 6, 7
	marks := document.Column{}
	earlier, later := document.Column{Head: "earlier"}, document.Column{Head: "later"}
	var accuracies valueRange
	for _, row := range rows {
		if l := row.suite.Leader; l != nil {
			accuracies.addEstimate(l.Accuracy)
		}
	}
	marks.Axis = accuracies.axis(document.ShareAxis)
	for i, row := range rows {
		var mark, a, b document.Cell
		if l := row.suite.Leader; l != nil {
			mark.Marks = document.IntervalMarks(l.Accuracy.Value, l.Accuracy.Lo, l.Accuracy.Hi, document.Plain, true)
			e := &g.Columns[accuracy].Cells[i]
			e.Text, e.Tail = finding.FormatShare(l.Accuracy), ""
			if !finding.IsSmallSample(l.Accuracy) {
				e.Tail = strings.TrimSpace(span(l.Accuracy.Lo, l.Accuracy.Hi, percent))
			}
			if n := l.Accuracy.Missing; n > 0 {
				e.Note = thousands(n) + " " + finding.NotScored
			}
		}
		g.Columns[variant].Cells[i].Note = changedSince(row, rows[i+1:])
		if row.first {
			r := row.run
			g.Columns[name].Cells[i].Link = c.RunURL(r.Name)
			g.Columns[name].Cells[i].Note = fmt.Sprintf("seed %d, %s time", r.Seed, cmp.Or(r.Clock, "unknown"))
			g.Columns[started].Cells[i].Text = r.Started.UTC().Format("2006-01-02 15:04")
			if r.Partial && r.Status == journal.StatusDone {
				g.Columns[status].Cells[i].Tag = "partial"
			}
			value := url.PathEscape(r.Name)
			a.Choice = &document.Choice{Form: c.Form, Name: "a", Value: value, Label: r.Name + " as the earlier run",
				Checked: r.Name == c.Earlier}
			b.Choice = &document.Choice{Form: c.Form, Name: "b", Value: value, Label: r.Name + " as the later run",
				Checked: r.Name == c.Later}
		}
		marks.Cells = append(marks.Cells, mark)
		earlier.Cells, later.Cells = append(earlier.Cells, a), append(later.Cells, b)
	}
	columns := g.Columns[:variant:variant]
	if marks.Axis != nil {
		columns = append(columns, marks)
	}
	columns = append(columns, g.Columns[variant])
	if slices.ContainsFunc(h.Runs, func(r history.Run) bool { return len(r.Gates) > 0 }) {
		columns = append(columns, g.Columns[gates])
	}
	g.Columns, g.Class = append(columns, g.Columns[status], earlier, later), "runs"
	b := document.Block{Table: g}
	if h.NotShown > 0 {
		b.Notes = append(b.Notes, document.Line{Text: plural(int64(h.NotShown), "older run") + " not listed."})
	}
	return b
}

// changedSince states whether the cases or the settings of a suite differ from those in the previous
// run of the suite. older contains the older rows, the newest first.
func changedSince(row listedSuite, older []listedSuite) string {
	at := slices.IndexFunc(older, func(o listedSuite) bool {
		return o.suite.Name == row.suite.Name && o.suite.Leader != nil && o.run.Name != row.run.Name
	})
	if at < 0 || row.suite.Leader == nil {
		return ""
	}
	before := older[at].suite
	hash := row.suite.SettingsHashes[row.suite.Leader.Variant]
	switch {
	case before.DatasetHash != row.suite.DatasetHash || before.Cases != row.suite.Cases:
		return "other cases than the run before"
	case before.SettingsHashes[row.suite.Leader.Variant] != hash:
		return "other settings than the run before"
	}
	return ""
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
