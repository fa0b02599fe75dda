package reports

import (
	"math"
	"strings"

	"evalctl/eval/curve"
)

// Size of a curve's text plot in characters: maximum width, height, and width of the labels on the
// left.
const (
	maxChartWidth = 72
	chartHeight   = 8
	chartScale    = 7
)

// chart is a text plot under construction: characters in rows and columns, and the ranges of both
// axes.
type chart struct {
	signs             [][]rune
	left, right       float64 // ends of the horizontal axis; logarithms if isLog is set
	bottom, top       float64 // ends of the vertical axis, as shares from 0 to 1
	isLog             bool
	smallest, columns float64
}

// curvePlot draws the points of a curve with their intervals as text. The horizontal axis is
// logarithmic if it spans at least two doublings. It returns nil for fewer than two points with a
// value.
func curvePlot(points []curve.Point, width int) []string {
	c := chart{bottom: 1, columns: float64(width - chartScale - 2)}
	n := 0
	for _, p := range points {
		if lo, hi, ok := pointRange(p); ok {
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

// pointRange returns the vertical extent of a point: its confidence interval, or only its value. It
// returns false if the accuracy is unknown.
func pointRange(p curve.Point) (lo, hi float64, ok bool) {
	e := p.Accuracy
	if !isKnown(e.Value) {
		return 0, 0, false
	}
	lo, hi = *e.Value, *e.Value
	if isKnown(e.Lo) && isKnown(e.Hi) {
		lo, hi = min(*e.Lo, lo), max(*e.Hi, hi)
	}
	return max(lo, 0), min(hi, 1), true
}

// scale chooses the range of the horizontal axis and whether it is logarithmic. On a logarithmic
// axis, 0 is drawn at half of the smallest positive value.
func (c *chart) scale(points []curve.Point) {
	first, last := points[0].X, points[len(points)-1].X
	c.smallest = last
	for _, p := range points {
		if p.X > 0 {
			c.smallest = min(c.smallest, p.X)
		}
	}
	c.isLog = first >= 0 && c.smallest > 0 && last >= 4*c.smallest
	c.left, c.right = c.scaled(first), c.scaled(last)
}

func (c *chart) scaled(v float64) float64 {
	if !c.isLog {
		return v
	}
	return math.Log2(max(v, c.smallest/2))
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

func (c *chart) draw(p curve.Point) {
	lo, hi, ok := pointRange(p)
	if !ok {
		return
	}
	at := c.column(p.X)
	for r := c.row(hi); r <= c.row(lo); r++ {
		c.signs[r][at] = '│'
	}
	c.signs[c.row(*p.Accuracy.Value)][at] = '●'
}

// lines returns the plot with its axis labels. It omits a label of the horizontal axis that would
// overlap the one before.
func (c *chart) lines(points []curve.Point) (list []string) {
	for r, signs := range c.signs {
		label := ""
		if r == 0 {
			label = rounded(100*c.top) + " %"
		}
		if r == chartHeight-1 {
			label = rounded(100*c.bottom) + " %"
		}
		list = append(list, strings.TrimRight(padLeft(label, chartScale)+" "+string(signs), " "))
	}
	under := []rune(strings.Repeat(" ", int(c.columns)+1))
	free := 0
	for _, p := range points {
		text := []rune(axisValue(p.X))
		from := min(max(c.column(p.X)-len(text)/2, 0), len(under)-len(text))
		if from >= free {
			copy(under[from:], text)
			free = from + len(text) + 1
		}
	}
	return append(list, strings.TrimRight(strings.Repeat(" ", chartScale+1)+string(under), " "))
}
