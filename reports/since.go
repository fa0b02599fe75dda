package reports

import (
	"fmt"
	"io"
	"slices"

	"evalctl/eval"
	"evalctl/eval/history"
	"evalctl/reports/document"
)

// CaseHistoryReport is the report of `evalctl runs since`: in which run a case or a gate broke or
// was fixed.
type CaseHistoryReport struct {
	history.FailureHistory

	document.Options
}

// Write renders the report in the given format.
func (s CaseHistoryReport) Write(w io.Writer, format Format) error {
	return screen{noun: "answer", layOut: s.document}.write(w, format, s.Options)
}

// document lists the conditions whose result changed, then those that failed in every run. It
// counts those that passed in every run.
func (s CaseHistoryReport) document(document.Target) document.Document {
	d := document.Document{
		Source: "evalctl runs since",
		Data:   s,
		Rows:   s.rows,
		Blocks: []document.Block{{Level: 2, Heading: s.Subject}},
	}
	var unchanged document.Block
	steady := 0
	for _, f := range s.Conditions {
		switch {
		case len(f.Changes) > 0:
			d.Blocks = append(d.Blocks, historyBlock(f))
		case !f.Passing:
			unchanged.Lines = append(unchanged.Lines,
				document.Line{Mark: "✗", Tone: document.Bad,
					Text: fmt.Sprintf("%s: failed in all %s.", historyName(f), plural(int64(f.RunsWithData), "run"))})
		default:
			steady++
		}
	}
	if steady > 0 {
		other := "condition"
		if steady < len(s.Conditions) {
			other = "other condition"
		}
		unchanged.Lines = append(unchanged.Lines,
			document.Line{Mark: "✓", Text: "In " + plural(int64(steady), other) + " it passed in every run with data."})
	}
	if !unchanged.Empty() {
		d.Blocks = append(d.Blocks, unchanged)
	}
	return d
}

// historyName formats a condition as "suite / variant", followed by the fault if there is one.
func historyName(f history.ConditionHistory) string {
	name := f.Suite + " / " + f.Variant
	if f.Fault != eval.NoFault {
		name += " / " + f.Fault
	}
	return name
}

const maxTransitions = 6

func historyBlock(f history.ConditionHistory) document.Block {
	b := document.Block{Level: 3, Heading: historyName(f)}
	b.Lines = append(b.Lines, historySentence(f))
	b.Table = document.Table{Keys: 1, Narrow: document.WrapLast,
		Columns: []document.Column{{Head: "change"}, {Head: "last run before"}, {Head: "first run after"},
			{Head: "result"}}}
	for _, t := range f.Changes[max(0, len(f.Changes)-maxTransitions):] {
		b.Table.AddRow(transitionRow(t))
	}
	for _, text := range f.Differences {
		b.Lines = append(b.Lines, document.Line{Mark: "·", Text: text})
	}
	if len(f.Differences) == 0 {
		b.Lines = append(b.Lines,
			document.Line{Mark: "·", Text: "The manifests of the two runs are the same. Model answers can still differ."})
	}
	return b
}

// historySentence states since when a condition is broken or passing, and how often it changed
// before.
func historySentence(f history.ConditionHistory) document.Line {
	last := func() history.Transition { return f.Changes[len(f.Changes)-1] }
	switch n := len(f.Changes); {
	case !f.Passing && n == 1:
		return document.Line{Mark: "✗", Tone: document.Bad,
			Text: fmt.Sprintf("Broken since %s; last good in %s.", last().After.Run, last().Before.Run)}
	case !f.Passing && n <= 3:
		return document.Line{Mark: "✗", Tone: document.Bad,
			Text: fmt.Sprintf("Broken since %s; it was %s.", last().After.Run, transitionsText(f.Changes))}
	case !f.Passing:
		return document.Line{Mark: "✗", Tone: document.Bad,
			Text: fmt.Sprintf("Broken since %s; it changed %s in %s.", last().After.Run, plural(int64(n), "time"),
				plural(int64(f.RunsWithData), "run"))}
	case n <= 2:
		return document.Line{Mark: "✓", Text: fmt.Sprintf("Passing since %s; it was %s.", last().After.Run,
			transitionsText(f.Changes))}
	}
	return document.Line{Mark: "✓", Text: fmt.Sprintf("Passing since %s; it changed %s in %s.", last().After.Run,
		plural(int64(len(f.Changes)), "time"), plural(int64(f.RunsWithData), "run"))}
}

// transitionsText describes the changes in order, as in "broken, fixed and broken again".
func transitionsText(transitions []history.Transition) (text string) {
	broke := false
	for i, t := range transitions {
		word := "broken"
		switch {
		case t.After.Passing:
			word = "fixed"
		case broke:
			word = "broken again"
		}
		broke = broke || !t.After.Passing
		switch {
		case i == 0 && t.After.Passing:
			text = "broken at first, then " + word
		case i == 0:
			text = word
		case i == len(transitions)-1:
			text += " and " + word
		default:
			text += ", " + word
		}
	}
	return text
}

func transitionRow(t history.Transition) []document.Cell {
	what := document.Cell{Text: "broken", Tone: document.Bad}
	if t.After.Passing {
		what = document.Cell{Text: "fixed", Tone: document.Good}
	}
	return []document.Cell{what, {Text: t.Before.Run}, {Text: t.After.Run},
		{Text: t.Before.Reason + " → " + t.After.Reason}}
}

// rows returns one row for each change and one for each condition without changes.
func (s CaseHistoryReport) rows() *document.Table {
	g := document.ValueTable("subject", "suite", "variant", "fault", "runs_with_data", "passing", "latest_run",
		"change", "before",
		"after", "before_reason", "after_reason")
	for _, f := range s.Conditions {
		keys := []any{s.Subject, f.Suite, f.Variant, f.Fault, f.RunsWithData, f.Passing, f.Latest.Run}
		if len(f.Changes) == 0 {
			g.AddValues(append(keys, "", "", "", "", f.Latest.Reason)...)
		}
		for _, t := range f.Changes {
			change := "broken"
			if t.After.Passing {
				change = "fixed"
			}
			g.AddValues(append(slices.Clone(keys), change, t.Before.Run, t.After.Run, t.Before.Reason,
				t.After.Reason)...)
		}
	}
	return g
}
