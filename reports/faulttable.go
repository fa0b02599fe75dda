package reports

import (
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
)

// faultTable is the table of what faults do to a suite's variants.
func faultTable(s eval.SuiteSummary, rows []finding.FaultEffect, one bool, width int) lanes {
	head := "with a fault"
	if one {
		head = shorten(named(rows[0].Variant), nameRoom(width)) + " with a fault"
	}
	row := func(show func(finding.FaultEffect) tableCell) []tableCell {
		list := make([]tableCell, len(rows))
		for i, h := range rows {
			list[i] = show(h)
		}
		return list
	}
	return lanes{
		{head: head, fields: row(func(h finding.FaultEffect) tableCell {
			return tableCell{text: hitName(h, one, max(nameRoom(width), columnsOf(head)))}
		})},
		{head: "accuracy", right: true, fields: row(func(h finding.FaultEffect) tableCell {
			return tableCell{text: finding.Share(h.Conditions[0].Metrics["route.accuracy"]), tone: strong}
		})},
		{head: "change", right: true, rank: 3, fields: row(against)},
		{head: "fell back", right: true, rank: 1, fields: row(func(h finding.FaultEffect) tableCell {
			if e := h.Conditions[0].Metrics["fallback.rate"]; known(e.Value) && *e.Value > 0 {
				return tableCell{text: finding.Share(e)}
			}
			return tableCell{}
		})},
		{head: "broken", right: true, rank: 4, fields: row(outcomeColumn(func(f eval.FaultOutcome) int64 { return f.NowWrong }, bad))},
		{head: "fixed", right: true, rank: 4, fields: row(outcomeColumn(func(f eval.FaultOutcome) int64 { return f.Fixed }, good))},
		{head: "error reply", right: true, rank: 5, fields: row(outcomeColumn(func(f eval.FaultOutcome) int64 { return f.NowErrorReply }, bad))},
		{head: "unscored", right: true, rank: 6, fields: row(outcomeColumn(func(f eval.FaultOutcome) int64 { return f.NowUnscored }, warn))},
		{head: "p95", right: true, rank: 2, fields: row(latencies)},
	}
}

// outcomeColumn shows what became of trials as the bars of a page do, each once: what was so
// without the fault is none of it.
func outcomeColumn(count func(eval.FaultOutcome) int64, as tone) func(finding.FaultEffect) tableCell {
	return func(h finding.FaultEffect) tableCell {
		if h.Outcome == nil {
			return tableCell{text: unmeasured}
		}
		return tableCell{text: some(count(*h.Outcome)), tone: as}
	}
}

// against is what a fault does to the accuracy; unknown where most is unjudged.
func against(h finding.FaultEffect) tableCell {
	switch points, even, ok := finding.Effect(h.Outcome, h.Conditions[0]); {
	case !ok:
		return tableCell{text: unmeasured}
	case even:
		return tableCell{text: "= 0"}
	default:
		return tableCell{text: number.Points(points)}
	}
}

func latencies(h finding.FaultEffect) tableCell {
	lo, hi, ok := h.P95()
	if !ok {
		return tableCell{}
	}
	text := number.Time(hi)
	if number.Time(lo) != text {
		text = number.TimeIn(hi)(lo) + "–" + text
	}
	return tableCell{text: text}
}

// hitName names the faults of a row: kinds as far as they fit, else how many.
func hitName(h finding.FaultEffect, one bool, room int) string {
	lead := ""
	if !one {
		lead = named(h.Variant) + " "
	}
	faults, kinds := h.Faults(), h.Kinds()
	if len(faults) == 1 || len(kinds) < len(faults) {
		return shorten(lead+faults[0], room)
	}
	text := lead + h.Component() + ":"
	if list := asManyAs(kinds, room-columnsOf(text)-1); list != "" {
		return text + " " + list
	}
	return shorten(text+" "+counted(int64(len(kinds)), "kind"), room)
}

// asManyAs lists names as far as they fit, and +N for the others; nothing where
// not even the first does.
func asManyAs(names []string, room int) string {
	for n := len(names); n > 0; n-- {
		text := strings.Join(names[:n], ", ")
		if n < len(names) {
			text += " +" + grouped(int64(len(names)-n))
		}
		if columnsOf(text) <= room {
			return text
		}
	}
	return ""
}

// others is the line for the faults that have no row.
func others(rest []finding.FaultEffect, one bool, width int) string {
	var names []string
	harmless, unknown := true, false
	for i, h := range rest {
		unknown = unknown || h.Outcome == nil
		harmless = harmless && h.Outcome != nil && h.Outcome.Degraded() == 0
		for j, fault := range h.Faults() {
			if kinds := h.Kinds(); len(kinds) == len(h.Conditions) && (j > 0 || i > 0 && rest[i-1].Variant == h.Variant && rest[i-1].Component() == h.Component()) {
				fault = kinds[j]
			} else if !one {
				fault = named(h.Variant) + " " + fault
			}
			names = append(names, fault)
		}
	}
	text := "and " + counted(int64(len(names)), "more fault")
	switch {
	case harmless:
		text += " that break nothing"
	case !unknown:
		text += " with less effect"
	}
	if list := asManyAs(names, width-columnsOf(text)-2); list != "" {
		text += ": " + list
	}
	return shorten(text, width)
}
