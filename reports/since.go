package reports

import (
	"fmt"
	"io"
	"strconv"

	"evalctl/eval"
	"evalctl/eval/history"
)

// CaseHistoryReport is the report of `evalctl runs since`: in which run a case or a gate broke or
// was fixed.
type CaseHistoryReport struct {
	history.FailureHistory

	Width int  `json:"-"` // line width in columns; 0: unlimited, 1 to 39: 40
	Color bool `json:"-"` // use colors, unless NO_COLOR is set
	ASCII bool `json:"-"` // use only ASCII symbols
}

// Write renders the report in the given format. It calls w.Write once, so an error while rendering
// leaves no partial output.
func (s CaseHistoryReport) Write(w io.Writer, format Format) error {
	return writeOnce(w, format, "answer", func() ([]byte, error) {
		switch format {
		case Table:
			return renderText(s.document(), s.Width, s.Color, s.ASCII)
		case Markdown:
			return markdownOf(s.document()), nil
		case LaTeX:
			return latexOf(tableSource{text: "evalctl runs since"}, s.document()), nil
		case JSON:
			return jsonText(s)
		case CSV:
			return s.csv()
		}
		return nil, unsupportedFormat(format, "answer")
	})
}

// document lists the conditions whose result changed, then those that failed in every run. It
// counts those that passed in every run.
func (s CaseHistoryReport) document() []block {
	doc := []block{{level: 2, heading: s.Subject}}
	var unchanged block
	steady := 0
	for _, f := range s.Conditions {
		switch {
		case len(f.Changes) > 0:
			doc = append(doc, historyBlock(f))
		case !f.Passing:
			unchanged.lines = append(unchanged.lines,
				line{mark: "✗", tone: bad,
					text: fmt.Sprintf("%s: failed in all %s.", historyName(f), plural(int64(f.RunsWithData), "run"))})
		default:
			steady++
		}
	}
	if steady > 0 {
		other := "condition"
		if steady < len(s.Conditions) {
			other = "other condition"
		}
		unchanged.lines = append(unchanged.lines,
			line{mark: "✓", text: "In " + plural(int64(steady), other) + " it passed in every run with data."})
	}
	if !unchanged.empty() {
		doc = append(doc, unchanged)
	}
	return doc
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

func historyBlock(f history.ConditionHistory) block {
	b := block{level: 3, heading: historyName(f)}
	b.lines = append(b.lines, historySentence(f))
	for _, t := range f.Changes[max(0, len(f.Changes)-maxTransitions):] {
		b.grid.rows = append(b.grid.rows, transitionRow(t))
	}
	b.grid.keys, b.grid.lastFlexible = 1, true
	b.grid.columns = []column{{head: "change"}, {head: "last run before"}, {head: "first run after"}, {head: "result"}}
	for _, text := range f.Differences {
		b.lines = append(b.lines, line{mark: "·", text: text})
	}
	if len(f.Differences) == 0 {
		b.lines = append(b.lines,
			line{mark: "·", text: "The manifests of the two runs are the same. Model answers can still differ."})
	}
	return b
}

// historySentence states since when a condition is broken or passing, and how often it changed
// before.
func historySentence(f history.ConditionHistory) line {
	last := func() history.Transition { return f.Changes[len(f.Changes)-1] }
	switch n := len(f.Changes); {
	case !f.Passing && n == 1:
		return line{mark: "✗", tone: bad,
			text: fmt.Sprintf("Broken since %s; last good in %s.", last().After.Run, last().Before.Run)}
	case !f.Passing && n <= 3:
		return line{mark: "✗", tone: bad,
			text: fmt.Sprintf("Broken since %s; it was %s.", last().After.Run, transitionsText(f.Changes))}
	case !f.Passing:
		return line{mark: "✗", tone: bad,
			text: fmt.Sprintf("Broken since %s; it changed %s in %s.", last().After.Run, plural(int64(n), "time"),
				plural(int64(f.RunsWithData), "run"))}
	case n <= 2:
		return line{mark: "✓", text: fmt.Sprintf("Passing since %s; it was %s.", last().After.Run,
			transitionsText(f.Changes))}
	}
	return line{mark: "✓", text: fmt.Sprintf("Passing since %s; it changed %s in %s.", last().After.Run,
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

func transitionRow(t history.Transition) []cell {
	what := cell{text: "broken", tone: bad}
	if t.After.Passing {
		what = cell{text: "fixed", tone: good}
	}
	return []cell{what, {text: t.Before.Run}, {text: t.After.Run}, {text: t.Before.Reason + " → " + t.After.Reason}}
}

// csv renders the report as CSV, with one row for each change and one for each condition without
// changes.
func (s CaseHistoryReport) csv() ([]byte, error) {
	rows := [][]string{{"subject", "suite", "variant", "fault", "runs_with_data", "passing", "latest_run", "change",
		"before", "after", "before_reason", "after_reason"}}
	for _, f := range s.Conditions {
		keys := []string{escapeFormula(s.Subject), escapeFormula(f.Suite), escapeFormula(f.Variant),
			escapeFormula(f.Fault), strconv.Itoa(f.RunsWithData), strconv.FormatBool(f.Passing),
			escapeFormula(f.Latest.Run)}
		if len(f.Changes) == 0 {
			rows = append(rows, append(keys, "", "", "", "", escapeFormula(f.Latest.Reason)))
		}
		for _, t := range f.Changes {
			change := "broken"
			if t.After.Passing {
				change = "fixed"
			}
			rows = append(rows, append(append([]string(nil), keys...), change, escapeFormula(t.Before.Run),
				escapeFormula(t.After.Run), escapeFormula(t.Before.Reason), escapeFormula(t.After.Reason)))
		}
	}
	return csvOf(rows)
}
