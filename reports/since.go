package reports

import (
	"fmt"
	"io"
	"strconv"

	"evalctl/eval"
	"evalctl/eval/history"
)

// CaseHistoryReport shows since when something is broken.
type CaseHistoryReport struct {
	history.Since

	Width int  `json:"-"` // as of a Report, and the next two
	Color bool `json:"-"`
	ASCII bool `json:"-"`
}

// Write renders the answer in the given format. It writes once, when all is rendered.
func (s CaseHistoryReport) Write(w io.Writer, format Format) error {
	return writeOnce(w, format, "answer", func() ([]byte, error) {
		switch format {
		case Table:
			return drawn(s.document(), s.Width, s.Color, s.ASCII)
		case Markdown:
			return paged(s.document()), nil
		case LaTeX:
			return latexOf(source{text: "evalctl runs since"}, s.document()), nil
		case JSON:
			return jsonText(s)
		case CSV:
			return s.csv()
		}
		return nil, unfit(format, "answer")
	})
}

// document tells first of each cell in which it broke or was mended; then in which it
// never held, and in how many others it always has.
func (s CaseHistoryReport) document() []block {
	doc := []block{{level: 2, heading: s.Subject}}
	var rest block
	steady := 0
	for _, f := range s.Conditions {
		switch {
		case len(f.Changes) > 0:
			doc = append(doc, cellBlock(f))
		case !f.Passing:
			rest.lines = append(rest.lines, line{mark: "✗", tone: bad, text: fmt.Sprintf("%s: failed in all %s.", cellName(f), counted(int64(f.RunsWithData), "run"))})
		default:
			steady++
		}
	}
	if steady > 0 {
		other := "condition"
		if steady < len(s.Conditions) {
			other = "other condition"
		}
		rest.lines = append(rest.lines, line{mark: "✓", text: "In " + counted(int64(steady), other) + " it passed in every run with data."})
	}
	if !rest.empty() {
		doc = append(doc, rest)
	}
	return doc
}

// cellName is a cell in words.
func cellName(f history.CaseHistory) string {
	name := f.Suite + " / " + f.Variant
	if f.Fault != eval.NoFault {
		name += " / " + f.Fault
	}
	return name
}

// shownTurns is how many turns are told of, the last ones.
const shownTurns = 6

func cellBlock(f history.CaseHistory) block {
	b := block{level: 3, heading: cellName(f)}
	b.lines = append(b.lines, story(f))
	for _, t := range f.Changes[max(0, len(f.Changes)-shownTurns):] {
		b.grid.rows = append(b.grid.rows, turnRow(t))
	}
	b.grid.keys, b.grid.flex = 1, true
	b.grid.columns = []column{{head: "change"}, {head: "last run before"}, {head: "first run after"}, {head: "result"}}
	for _, text := range f.Differences {
		b.lines = append(b.lines, line{mark: "·", text: text})
	}
	if len(f.Differences) == 0 {
		b.lines = append(b.lines, line{mark: "·", text: "The manifests of the two runs are the same. Model answers can still differ."})
	}
	return b
}

// story says what became of it.
func story(f history.CaseHistory) line {
	last := func() history.Transition { return f.Changes[len(f.Changes)-1] }
	switch n := len(f.Changes); {
	case !f.Passing && n == 1:
		return line{mark: "✗", tone: bad, text: fmt.Sprintf("Broken since %s; last good in %s.", last().After.Run, last().Before.Run)}
	case !f.Passing && n <= 3:
		return line{mark: "✗", tone: bad, text: fmt.Sprintf("Broken since %s; it was %s.", last().After.Run, stages(f.Changes))}
	case !f.Passing:
		return line{mark: "✗", tone: bad, text: fmt.Sprintf("Broken since %s; it changed %s in %s.", last().After.Run, counted(int64(n), "time"), counted(int64(f.RunsWithData), "run"))}
	case n <= 2:
		return line{mark: "✓", text: fmt.Sprintf("Passing since %s; it was %s.", last().After.Run, stages(f.Changes))}
	}
	return line{mark: "✓", text: fmt.Sprintf("Passing since %s; it changed %s in %s.", last().After.Run, counted(int64(len(f.Changes)), "time"), counted(int64(f.RunsWithData), "run"))}
}

// stages are what happened, one after the other.
func stages(turns []history.Transition) (text string) {
	broke := false
	for i, t := range turns {
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
		case i == len(turns)-1:
			text += " and " + word
		default:
			text += ", " + word
		}
	}
	return text
}

func turnRow(t history.Transition) []cell {
	what := cell{text: "broken", tone: bad}
	if t.After.Passing {
		what = cell{text: "fixed", tone: good}
	}
	return []cell{what, {text: t.Before.Run}, {text: t.After.Run}, {text: t.Before.Reason + " → " + t.After.Reason}}
}

// csv has a row for every turn, and one for a cell without any.
func (s CaseHistoryReport) csv() ([]byte, error) {
	rows := [][]string{{"subject", "suite", "variant", "fault", "runs_with_data", "passing", "latest_run", "change", "before", "after", "before_reason", "after_reason"}}
	for _, f := range s.Conditions {
		keys := []string{guarded(s.Subject), guarded(f.Suite), guarded(f.Variant), guarded(f.Fault), strconv.Itoa(f.RunsWithData), strconv.FormatBool(f.Passing), guarded(f.Latest.Run)}
		if len(f.Changes) == 0 {
			rows = append(rows, append(keys, "", "", "", "", guarded(f.Latest.Reason)))
		}
		for _, t := range f.Changes {
			change := "broken"
			if t.After.Passing {
				change = "fixed"
			}
			rows = append(rows, append(append([]string(nil), keys...), change, guarded(t.Before.Run), guarded(t.After.Run), guarded(t.Before.Reason), guarded(t.After.Reason)))
		}
	}
	return csvOf(rows)
}
