package reports

import (
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// faultTable returns the table that shows how injected faults change the results of a suite's
// variants. If one is set, all rows have the same variant, and the column head names it.
func faultTable(s eval.SuiteSummary, rows []finding.FaultEffect, one bool, width int) document.Table {
	head := "with a fault"
	if one {
		head = shorten(named(rows[0].Variant), nameRoom(width)) + " with a fault"
	}
	row := func(show func(finding.FaultEffect) document.Cell) []document.Cell {
		list := make([]document.Cell, len(rows))
		for i, h := range rows {
			list[i] = show(h)
		}
		return list
	}
	return document.Table{Keys: 1, Narrow: document.ShortenNames, Columns: []document.Column{
		{Head: head, Cells: row(func(h finding.FaultEffect) document.Cell {
			return document.Cell{Text: faultName(h, one, max(nameRoom(width), columnsOf(head)))}
		})},
		{Head: "accuracy", Right: true, Cells: row(func(h finding.FaultEffect) document.Cell {
			return document.Cell{Text: finding.FormatShare(h.Conditions[0].Metrics["route.accuracy"]), Tone: document.Strong}
		})},
		{Head: "change", Right: true, Rank: 3, Cells: row(accuracyChange)},
		{Head: "fell back", Right: true, Rank: 1, Cells: row(func(h finding.FaultEffect) document.Cell {
			if e := h.Conditions[0].Metrics["fallback.rate"]; isKnown(e.Value) && *e.Value > 0 {
				return document.Cell{Text: finding.FormatShare(e)}
			}
			return document.Cell{}
		})},
		{Head: "broken", Right: true, Rank: 4,
			Cells: row(outcomeColumn(func(f eval.FaultOutcome) int64 { return f.NowWrong }, document.Bad))},
		{Head: "fixed", Right: true, Rank: 4,
			Cells: row(outcomeColumn(func(f eval.FaultOutcome) int64 { return f.Fixed }, document.Good))},
		{Head: "error reply", Right: true, Rank: 5,
			Cells: row(outcomeColumn(func(f eval.FaultOutcome) int64 { return f.NowErrorReply }, document.Bad))},
		{Head: "unscored", Right: true, Rank: 6,
			Cells: row(outcomeColumn(func(f eval.FaultOutcome) int64 { return f.NowUnscored }, document.Warn))},
		{Head: "p95", Right: true, Rank: 2, Cells: row(latencyCell)},
	}}
}

// outcomeColumn returns a function that formats how often an outcome, such as a broken case, occurs
// under a fault. Each trial counts once. Failures that also occur without the fault do not count.
// The chart of the HTML page uses the same rule.
func outcomeColumn(count func(eval.FaultOutcome) int64, as document.Tone) func(finding.FaultEffect) document.Cell {
	return func(h finding.FaultEffect) document.Cell {
		if h.Outcome == nil {
			return document.Cell{Text: noValue}
		}
		return document.Cell{Text: countOrEmpty(count(*h.Outcome)), Tone: as}
	}
}

// accuracyChange formats how a fault changes the accuracy. The cell has no value if most trials are
// unscored.
func accuracyChange(h finding.FaultEffect) document.Cell {
	switch points, even, ok := finding.AccuracyChange(h.Outcome, h.Conditions[0]); {
	case !ok:
		return document.Cell{Text: noValue}
	case even:
		return document.Cell{Text: "= 0"}
	default:
		return document.Cell{Text: metric.FormatPoints(points)}
	}
}

func latencyCell(h finding.FaultEffect) document.Cell {
	lo, hi, ok := h.P95Range()
	if !ok {
		return document.Cell{}
	}
	text := metric.FormatTime(hi)
	if metric.FormatTime(lo) != text {
		text = metric.TimeFormatter(hi)(lo) + "–" + text
	}
	return document.Cell{Text: text}
}

// faultName names the faults of a table row: as many kinds of fault as fit the width, otherwise how
// many there are.
func faultName(h finding.FaultEffect, one bool, room int) string {
	lead := ""
	if !one {
		lead = named(h.Variant) + " "
	}
	faults, kinds := h.FaultNames(), h.FaultKinds()
	if len(faults) == 1 || len(kinds) < len(faults) {
		return shorten(lead+faults[0], room)
	}
	text := lead + h.Component() + ":"
	if list := fittingNames(kinds, room-columnsOf(text)-1); list != "" {
		return text + " " + list
	}
	return shorten(text+" "+plural(int64(len(kinds)), "kind"), room)
}

// fittingNames joins as many names as fit, followed by +N for those that do not. It returns "" if
// not even the first name fits.
func fittingNames(names []string, room int) string {
	for n := len(names); n > 0; n-- {
		text := strings.Join(names[:n], ", ")
		if n < len(names) {
			text += " +" + thousands(int64(len(names)-n))
		}
		if columnsOf(text) <= room {
			return text
		}
	}
	return ""
}

// otherFaults returns the line below a fault table that lists the faults without a row.
func otherFaults(hidden []finding.FaultEffect, one bool, width int) string {
	var names []string
	isHarmless, isUnknown := true, false
	for i, h := range hidden {
		isUnknown = isUnknown || h.Outcome == nil
		isHarmless = isHarmless && h.Outcome != nil && h.Outcome.Degraded() == 0
		for j, fault := range h.FaultNames() {
			if kinds := h.FaultKinds(); len(kinds) == len(h.Conditions) &&
				(j > 0 || i > 0 && hidden[i-1].Variant == h.Variant && hidden[i-1].Component() == h.Component()) {
				fault = kinds[j]
			} else if !one {
				fault = named(h.Variant) + " " + fault
			}
			names = append(names, fault)
		}
	}
	text := "and " + plural(int64(len(names)), "more fault")
	switch {
	case isHarmless:
		text += " that break nothing"
	case !isUnknown:
		text += " with less effect"
	}
	if list := fittingNames(names, width-columnsOf(text)-2); list != "" {
		text += ": " + list
	}
	return shorten(text, width)
}
