package reports

import (
	"strings"

	"evalctl/eval/history"
)

var bars = []rune("▁▂▃▄▅▆▇█")

// maxSpark is how many runs a sparkline shows at most; it shows the newest ones.
const maxSpark = 24

// sparkline draws a metric over several runs, with one bar for each run, oldest first. The scale
// includes the confidence intervals, so that random changes look small.
func sparkline(points []history.TrendPoint) string {
	points = points[max(0, len(points)-maxSpark):]
	var lo, hi float64
	first := true
	for _, p := range points {
		for _, v := range []*float64{p.Estimate.Value, p.Estimate.Lo, p.Estimate.Hi} {
			if isKnown(v) && first {
				lo = *v
				hi = *v
				first = false
			}
			if isKnown(v) {
				lo, hi = min(lo, *v), max(hi, *v)
			}
		}
	}
	var b strings.Builder
	for i, p := range points {
		if i > 0 && !p.IsComparable() {
			b.WriteString("│")
		}
		switch v := p.Estimate.Value; {
		case !isKnown(v):
			b.WriteString("·")
		case hi == lo:
			b.WriteRune(bars[len(bars)/2])
		default:
			b.WriteRune(bars[min(int((*v-lo)/(hi-lo)*float64(len(bars))), len(bars)-1)])
		}
	}
	return b.String()
}
