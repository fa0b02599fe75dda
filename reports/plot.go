package reports

import (
	"math"
	"strings"

	"evalctl/eval"
	"evalctl/reports/document"
)

// Widths in columns: the minimum width of a report that shows the interval plot, and the width of
// the plot itself.
const (
	plotFrom  = 120
	plotWidth = 24
)

// intervalPlot returns a table column that draws each variant's accuracy with its confidence
// interval. All rows have the same scale, which starts and ends at multiples of 5 %.
func intervalPlot(conditions []eval.ConditionSummary) document.Column {
	lo, hi := 1.0, 0.0
	for _, c := range conditions {
		if e := c.Metrics["route.accuracy"]; isKnown(e.Value) && isKnown(e.Lo) && isKnown(e.Hi) {
			lo, hi = min(lo, *e.Lo), max(hi, *e.Hi)
		}
	}
	l := document.Column{Plot: true, Rank: 1, Cells: make([]document.Cell, len(conditions))}
	const step = 0.05
	lo, hi = step*math.Floor(lo/step), min(1, step*math.Ceil(hi/step))
	if lo >= hi {
		return l
	}
	at := func(v float64) int {
		return min(max(int(math.Round((v-lo)/(hi-lo)*(plotWidth-1))), 0), plotWidth-1)
	}
	for i, c := range conditions {
		if e := c.Metrics["route.accuracy"]; isKnown(e.Value) && isKnown(e.Lo) && isKnown(e.Hi) {
			l.Cells[i].Text = intervalLine(at(*e.Lo), at(*e.Value), at(*e.Hi))
		}
	}
	left, right := rounded(100*lo)+" %", rounded(100*hi)+" %"
	l.Head = left + strings.Repeat(" ", plotWidth-columnsOf(left)-columnsOf(right)) + right
	return l
}

func intervalLine(lo, value, hi int) string {
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
