package reports

import (
	"math"
	"strings"

	"evalctl/eval"
)

// The interval plot: where it begins to be shown, and how wide it is, in columns.
const (
	plotFrom  = 120
	plotWidth = 24
)

// plot draws the intervals of accuracy on one scale, in steps of 5 %.
func plot(cells []eval.ConditionSummary) tableColumn {
	lo, hi := 1.0, 0.0
	for _, c := range cells {
		if e := c.Metrics["route.accuracy"]; known(e.Value) && known(e.Lo) && known(e.Hi) {
			lo, hi = min(lo, *e.Lo), max(hi, *e.Hi)
		}
	}
	l := tableColumn{rank: 1, fields: make([]tableCell, len(cells))}
	const step = 0.05
	lo, hi = step*math.Floor(lo/step), min(1, step*math.Ceil(hi/step))
	if lo >= hi {
		return l
	}
	at := func(v float64) int {
		return min(max(int(math.Round((v-lo)/(hi-lo)*(plotWidth-1))), 0), plotWidth-1)
	}
	for i, c := range cells {
		if e := c.Metrics["route.accuracy"]; known(e.Value) && known(e.Lo) && known(e.Hi) {
			l.fields[i].text = interval(at(*e.Lo), at(*e.Value), at(*e.Hi))
		}
	}
	left, right := rounded(100*lo)+" %", rounded(100*hi)+" %"
	l.head = left + strings.Repeat(" ", plotWidth-columnsOf(left)-columnsOf(right)) + right
	return l
}

func interval(lo, value, hi int) string {
	var b strings.Builder
	for i := range plotWidth {
		switch {
		case i == value:
			b.WriteString("●")
		case i >= lo && i <= hi:
			b.WriteString("─")
		default:
			b.WriteString(" ")
		}
	}
	return strings.TrimRight(b.String(), " ")
}
