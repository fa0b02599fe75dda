package reports

import (
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
)

// faultTable is the table of what faults do to a suite's variants.
func faultTable(s eval.SuiteSummary, rows []finding.Hit, one bool, width int) lanes {
	head := "under a fault"
	if one {
		head = shorten(named(rows[0].Variant), nameRoom(width)) + " under a fault"
	}
	row := func(show func(finding.Hit) field) []field {
		list := make([]field, len(rows))
		for i, h := range rows {
			list[i] = show(h)
		}
		return list
	}
	return lanes{
		{head: head, fields: row(func(h finding.Hit) field { return field{text: hitName(h, one, max(nameRoom(width), columnsOf(head)))} })},
		{head: "accuracy", right: true, fields: row(func(h finding.Hit) field {
			return field{text: finding.Share(h.Cells[0].Metrics["route.accuracy"]), tone: strong}
		})},
		{head: "vs none", right: true, rank: 3, fields: row(func(h finding.Hit) field { return against(s, h) })},
		{head: "fell back", right: true, rank: 1, fields: row(func(h finding.Hit) field {
			if e := h.Cells[0].Metrics["fallback.rate"]; known(e.Value) && *e.Value > 0 {
				return field{text: finding.Share(e)}
			}
			return field{}
		})},
		{head: "now wrong", right: true, rank: 4, fields: row(newlyWrong)},
		{head: "apology", right: true, rank: 5, fields: row(counts("apology.rate", bad))},
		{head: "unjudged", right: true, rank: 6, fields: row(func(h finding.Hit) field {
			lost, _ := finding.Lack(h.Cells[0])
			return field{text: some(lost), tone: warn}
		})},
		{head: "p95 s", right: true, rank: 2, fields: row(latencies)},
	}
}

// newlyWrong is how many decisions that were right are wrong under the fault, those of
// apologies too.
func newlyWrong(h finding.Hit) field {
	if h.Fate == nil {
		return field{text: unmeasured}
	}
	return field{text: some(h.Fate.Lost), tone: bad}
}

// counts shows of how many of a cell's trials a rate is: all of them, also those
// that were so without the fault, as sentences count them.
func counts(metric string, as tone) func(finding.Hit) field {
	return func(h finding.Hit) field {
		e := h.Cells[0].Metrics[metric]
		if !known(e.Value) {
			return field{text: unmeasured}
		}
		return field{text: some(finding.Count(e)), tone: as}
	}
}

// against is what a fault does to the accuracy; unknown where most is unjudged.
func against(s eval.SuiteSummary, h finding.Hit) field {
	e := h.Cells[0].Metrics["route.accuracy"]
	at := slices.IndexFunc(finding.Sound(s), func(c eval.CellSummary) bool { return c.Name == h.Variant })
	if at < 0 || !known(e.Value) || e.Missing > e.N {
		return field{text: unmeasured}
	}
	before := finding.Sound(s)[at].Metrics["route.accuracy"]
	switch {
	case !known(before.Value):
		return field{text: unmeasured}
	case *before.Value == *e.Value && (h.Fate == nil || h.Fate.Lost == 0 && h.Fate.Mended == 0):
		return field{text: "="}
	}
	return field{text: number.Points(*e.Value - *before.Value)}
}

func latencies(h finding.Hit) field {
	lo, hi, ok := h.P95()
	if !ok {
		return field{}
	}
	text := number.Seconds(lo)
	if end := number.Seconds(hi); end != text {
		text += "–" + end
	}
	return field{text: text}
}

// hitName names the faults of a row: kinds as far as they fit, else how many.
func hitName(h finding.Hit, one bool, room int) string {
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
func others(rest []finding.Hit, one bool, width int) string {
	var names []string
	harmless, unknown := true, false
	for i, h := range rest {
		unknown = unknown || h.Fate == nil
		harmless = harmless && h.Fate != nil && h.Fate.Hurt() == 0
		for j, fault := range h.Faults() {
			if kinds := h.Kinds(); len(kinds) == len(h.Cells) && (j > 0 || i > 0 && rest[i-1].Variant == h.Variant && rest[i-1].Component() == h.Component()) {
				fault = kinds[j]
			} else if !one {
				fault = named(h.Variant) + " " + fault
			}
			names = append(names, fault)
		}
	}
	text := "and " + counted(int64(len(names)), "fault")
	switch {
	case harmless:
		text += " that cost no verdict and no reply"
	case !unknown:
		text += " with less harm"
	}
	if list := asManyAs(names, width-columnsOf(text)-2); list != "" {
		text += ": " + list
	}
	return shorten(text, width)
}
