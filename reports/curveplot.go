package reports

import (
	"math"
	"strings"

	"evalctl/eval/curve"
)

// The chart of a curve: how wide it is at most and how high, its scale beside it.
const (
	mostChart   = 72
	chartHeight = 8
	chartScale  = 7
)

// chart is a field of signs with two axes.
type chart struct {
	signs          [][]rune
	left, right    float64 // of the axis, drawn to its scale
	bottom, top    float64 // shares
	logs           bool
	least, columns float64
}

// plotted draws the points with their intervals: the axis by its logarithm where it
// spans two doublings. There is nothing to draw of fewer than two that have a value.
func plotted(points []curve.CurvePoint, width int) []string {
	c := chart{bottom: 1, columns: float64(width - chartScale - 2)}
	n := 0
	for _, p := range points {
		if lo, hi, ok := spread(p); ok {
			n++
			c.bottom, c.top = min(c.bottom, lo), max(c.top, hi)
		}
	}
	if n < 2 {
		return nil
	}
	const step = 0.05
	c.bottom, c.top = step*math.Floor(c.bottom/step+1e-9), min(1, step*math.Ceil(c.top/step-1e-9))
	if c.top <= c.bottom {
		c.bottom = max(0, c.top-step)
		c.top = c.bottom + step
	}
	c.scale(points)
	for range chartHeight {
		c.signs = append(c.signs, []rune(strings.Repeat(" ", int(c.columns)+1)))
	}
	for _, p := range points {
		c.draw(p)
	}
	return c.lines(points)
}

// spread is how far a point reaches.
func spread(p curve.CurvePoint) (lo, hi float64, ok bool) {
	e := p.Accuracy
	if !known(e.Value) {
		return 0, 0, false
	}
	lo, hi = *e.Value, *e.Value
	if known(e.Lo) && known(e.Hi) {
		lo, hi = min(*e.Lo, lo), max(*e.Hi, hi)
	}
	return max(lo, 0), min(hi, 1), true
}

// scale settles the axis. A 0 stands a doubling before the least other value.
func (c *chart) scale(points []curve.CurvePoint) {
	first, last := points[0].At, points[len(points)-1].At
	c.least = last
	for _, p := range points {
		if p.At > 0 {
			c.least = min(c.least, p.At)
		}
	}
	c.logs = first >= 0 && c.least > 0 && last >= 4*c.least
	c.left, c.right = c.scaled(first), c.scaled(last)
}

func (c *chart) scaled(v float64) float64 {
	if !c.logs {
		return v
	}
	return math.Log2(max(v, c.least/2))
}

func (c *chart) column(v float64) int {
	if c.right <= c.left {
		return 0
	}
	return int(math.Round(min(max((c.scaled(v)-c.left)/(c.right-c.left), 0), 1) * c.columns))
}

func (c *chart) row(share float64) int {
	return int(math.Round((c.top - share) / (c.top - c.bottom) * (chartHeight - 1)))
}

func (c *chart) draw(p curve.CurvePoint) {
	lo, hi, ok := spread(p)
	if !ok {
		return
	}
	at := c.column(p.At)
	for r := c.row(hi); r <= c.row(lo); r++ {
		c.signs[r][at] = '│'
	}
	c.signs[c.row(*p.Accuracy.Value)][at] = '●'
}

// lines are the chart with its scale, and the values under it that have room.
func (c *chart) lines(points []curve.CurvePoint) (list []string) {
	for r, signs := range c.signs {
		label := ""
		if r == 0 {
			label = rounded(100*c.top) + " %"
		}
		if r == chartHeight-1 {
			label = rounded(100*c.bottom) + " %"
		}
		list = append(list, strings.TrimRight(pad(label, chartScale, true)+" "+string(signs), " "))
	}
	under := []rune(strings.Repeat(" ", int(c.columns)+1))
	free := 0
	for _, p := range points {
		text := []rune(along(p.At))
		from := min(max(c.column(p.At)-len(text)/2, 0), len(under)-len(text))
		if from >= free {
			copy(under[from:], text)
			free = from + len(text) + 1
		}
	}
	return append(list, strings.TrimRight(strings.Repeat(" ", chartScale+1)+string(under), " "))
}
