package reports

import (
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
)

// faultTable returns the table that shows how injected faults change the results of a suite's
// variants. If one is set, all rows have the same variant, and the column head names it.
func faultTable(s eval.SuiteSummary, rows []finding.FaultEffect, one bool, width int) grid {
	head := "with a fault"
	if one {
		head = shorten(named(rows[0].Variant), nameRoom(width)) + " with a fault"
	}
	row := func(show func(finding.FaultEffect) cell) []cell {
		list := make([]cell, len(rows))
		for i, h := range rows {
			list[i] = show(h)
		}
		return list
	}
	return grid{keys: 1, narrow: shortenNames, columns: []column{
		{head: head, cells: row(func(h finding.FaultEffect) cell {
			return cell{text: faultName(h, one, max(nameRoom(width), columnsOf(head)))}
		})},
		{head: "accuracy", right: true, cells: row(func(h finding.FaultEffect) cell {
			return cell{text: finding.FormatShare(h.Conditions[0].Metrics["route.accuracy"]), tone: strong}
		})},
		{head: "change", right: true, rank: 3, cells: row(accuracyChange)},
		{head: "fell back", right: true, rank: 1, cells: row(func(h finding.FaultEffect) cell {
			if e := h.Conditions[0].Metrics["fallback.rate"]; isKnown(e.Value) && *e.Value > 0 {
				return cell{text: finding.FormatShare(e)}
			}
			return cell{}
		})},
		{head: "broken", right: true, rank: 4,
			cells: row(outcomeColumn(func(f eval.FaultOutcome) int64 { return f.NowWrong }, bad))},
		{head: "fixed", right: true, rank: 4,
			cells: row(outcomeColumn(func(f eval.FaultOutcome) int64 { return f.Fixed }, good))},
		{head: "error reply", right: true, rank: 5,
			cells: row(outcomeColumn(func(f eval.FaultOutcome) int64 { return f.NowErrorReply }, bad))},
		{head: "unscored", right: true, rank: 6,
			cells: row(outcomeColumn(func(f eval.FaultOutcome) int64 { return f.NowUnscored }, warn))},
		{head: "p95", right: true, rank: 2, cells: row(latencyCell)},
	}}
}

// outcomeColumn returns a function that formats how often an outcome, such as a broken case, occurs
// under a fault. Each trial counts once. Failures that also occur without the fault do not count.
// The chart of the HTML page uses the same rule.
func outcomeColumn(count func(eval.FaultOutcome) int64, as tone) func(finding.FaultEffect) cell {
	return func(h finding.FaultEffect) cell {
		if h.Outcome == nil {
			return cell{text: noValue}
		}
		return cell{text: countOrEmpty(count(*h.Outcome)), tone: as}
	}
}

// accuracyChange formats how a fault changes the accuracy. The cell has no value if most trials are
// unscored.
func accuracyChange(h finding.FaultEffect) cell {
	switch points, even, ok := finding.AccuracyChange(h.Outcome, h.Conditions[0]); {
	case !ok:
		return cell{text: noValue}
	case even:
		return cell{text: "= 0"}
	default:
		return cell{text: number.PercentagePoints(points)}
	}
}

func latencyCell(h finding.FaultEffect) cell {
	lo, hi, ok := h.P95Range()
	if !ok {
		return cell{}
	}
	text := number.Time(hi)
	if number.Time(lo) != text {
		text = number.TimeFormatter(hi)(lo) + "–" + text
	}
	return cell{text: text}
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
