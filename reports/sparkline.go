package reports

import (
	"strings"

	"evalctl/eval/history"
)

var bars = []rune("▁▂▃▄▅▆▇█")

// maxSpark is how many runs a line of bars shows at most: the newest.
const maxSpark = 24

// sparkline has a bar a run, the oldest first. Its scale holds the intervals, so that
// what is chance looks like it.
func sparkline(points []history.Point) string {
	points = points[max(0, len(points)-maxSpark):]
	var lo, hi float64
	first := true
	for _, p := range points {
		for _, v := range []*float64{p.Estimate.Value, p.Estimate.Lo, p.Estimate.Hi} {
			if known(v) && first {
				lo, hi, first = *v, *v, false
			}
			if known(v) {
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
		case !known(v):
			b.WriteString("·")
		case hi == lo:
			b.WriteRune(bars[len(bars)/2])
		default:
			b.WriteRune(bars[min(int((*v-lo)/(hi-lo)*float64(len(bars))), len(bars)-1)])
		}
	}
	return b.String()
}
