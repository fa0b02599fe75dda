package document

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"evalctl/eval/metric"
)

// Axis is the horizontal axis of a column with marks. All rows of the column share it, and the head
// of the column shows its labels.
type Axis struct {
	Lo, Hi float64  // values at the ends
	Log    bool     // logarithmic; Lo must be above 0
	Ticks  []Tick   // labeled values, in ascending order
	Unit   string   // unit of the labels; terminals show it after the last one
	Zero   *float64 // value of a dashed vertical line, such as a difference of 0; nil: none
}

// Tick is a labeled value of an axis.
type Tick struct {
	At    float64
	Label string
}

// Mark is a shape on the axis of its column. Screen readers skip marks, so a cell next to them must
// contain the same information as text.
type Mark struct {
	Shape    Shape
	From, To float64 // values on the axis; dots and strokes use only From
	Height   float64 // share of the row's height, from the bottom, for bars of a histogram; 0: a bar of usual height
	Tone     Tone
}

// Shape is the shape of a mark.
type Shape int

const (
	Dot     Shape = iota // filled circle
	Ring                 // hollow circle: no significant difference
	Whisker              // thin line from From to To, such as a confidence interval
	Range                // thick line from From to To
	Stroke               // short vertical line
	Bar                  // rectangle from From to To
	Before               // thin line below the others: the value that a row is compared with
	Rule                 // dashed vertical line across the row
)

// IntervalMarks draws an estimate with its confidence interval. It returns nil if the value is
// unknown.
func IntervalMarks(value, lo, hi *float64, tone Tone, significant bool) (marks []Mark) {
	if !metric.IsKnown(value) {
		return nil
	}
	if metric.IsKnown(lo) && metric.IsKnown(hi) {
		marks = append(marks, Mark{Shape: Whisker, From: *lo, To: *hi, Tone: tone})
	}
	shape := Dot
	if !significant {
		shape = Ring
	}
	return append(marks, Mark{Shape: shape, From: *value, Tone: tone})
}

// RangeMarks draws the range from a median to a high quantile: a dot, a thick line and a stroke.
func RangeMarks(median, high float64) []Mark {
	return []Mark{
		{Shape: Range, From: median, To: high},
		{Shape: Dot, From: median},
		{Shape: Stroke, From: high},
	}
}

// textSigns contains the character of each shape in a terminal.
var textSigns = map[Shape]rune{
	Dot: '●', Ring: '○', Whisker: '─', Range: '━', Stroke: '│', Bar: '─', Before: '·', Rule: '┊',
}

// plotted returns the column with a text of the given width in place of the marks of each cell, and
// the labels of the axis as its head.
func (c Column) plotted(width int) Column {
	head := []rune(strings.Repeat(" ", width))
	ticks := slices.Clone(c.Axis.Ticks)
	if len(ticks) > 0 {
		ticks[len(ticks)-1].Label += c.Axis.Unit
	}
	labeled := *c.Axis
	labeled.Ticks = ticks
	in := plotSize{width: float64(width), character: 1, gap: 1}
	for _, t := range labeled.labels(in) {
		from, _ := labeled.extent(t, in)
		copy(head[max(int(from), 0):], []rune(t.Label))
	}
	out := Column{Head: strings.TrimRight(string(head), " "), Rank: c.Rank}
	for _, cell := range c.Cells {
		out.Cells = append(out.Cells, Cell{Text: c.Axis.draw(cell.Marks, width)})
	}
	return out
}

// draw returns the marks as text. Later marks cover earlier ones.
func (a Axis) draw(marks []Mark, width int) string {
	column := func(v float64) int { return int(math.Round(a.position(v) / 100 * float64(width-1))) }
	signs := []rune(strings.Repeat(" ", width))
	for _, m := range marks {
		from, to := column(m.From), column(m.From)
		switch m.Shape {
		case Whisker, Range, Bar, Before:
			to = column(m.To)
		}
		for i := from; i <= to; i++ {
			signs[i] = textSigns[m.Shape]
		}
	}
	return strings.TrimRight(string(signs), " ")
}

// position returns the place of a value in percent of the width. Values outside of the axis are
// moved to its ends.
func (a Axis) position(v float64) float64 {
	lo, hi := a.Lo, a.Hi
	if a.Log {
		v, lo, hi = math.Log(max(v, lo)), math.Log(lo), math.Log(hi)
	}
	if !(hi > lo) {
		return 50
	}
	return min(max((v-lo)/(hi-lo), 0), 1) * 100
}

// maxTicks is the maximum number of labels of an axis, so that they fit a narrow column.
const maxTicks = 5

// linearAxis returns an axis that covers the values and ends at multiples of one of the steps.
func linearAxis(lo, hi float64, steps []float64, label func(float64) string) *Axis {
	var a Axis
	for _, step := range steps {
		first, last := int(math.Floor(lo/step+1e-9)), int(math.Ceil(hi/step-1e-9))
		if first == last {
			first, last = first-1, last+1
		}
		a = Axis{Lo: float64(first) * step, Hi: float64(last) * step}
		for i := first; i <= last; i++ {
			a.Ticks = append(a.Ticks, Tick{At: float64(i) * step, Label: label(float64(i) * step)})
		}
		if len(a.Ticks) <= maxTicks {
			break
		}
	}
	return &a
}

// ShareAxis returns an axis of percentages that covers the shares from lo to hi. It can start above 0.
func ShareAxis(lo, hi float64) *Axis {
	a := linearAxis(max(lo, 0), min(hi, 1), []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5},
		func(v float64) string { return strconv.Itoa(int(math.Round(v * 100))) })
	if a.Hi > 1+1e-9 || a.Lo < -1e-9 { // a single value at an end was extended beyond it
		a.Lo, a.Hi = max(a.Lo, 0), min(a.Hi, 1)
		a.Ticks = slices.DeleteFunc(a.Ticks, func(t Tick) bool { return t.At < -1e-9 || t.At > 1+1e-9 })
	}
	a.Unit = " %"
	return a
}

// PointsAxis returns an axis of differences between shares, in percentage points. It contains 0.
func PointsAxis(lo, hi float64) *Axis {
	a := linearAxis(min(lo, 0), max(hi, 0), []float64{0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5},
		func(v float64) string { return strings.TrimSuffix(metric.FormatPoints(v), ".0") })
	a.Zero = new(0.0)
	return a
}

// NumberAxis returns an axis of numbers from lo to hi, with labels at multiples of 1, 2 or 5 times a
// power of ten.
func NumberAxis(lo, hi float64, label func(float64) string) *Axis {
	if hi <= lo {
		room := max(math.Abs(lo)/10, 1e-3)
		lo, hi = lo-room, hi+room
	}
	var steps []float64
	for power := math.Floor(math.Log10(hi-lo)) - 1; len(steps) < 9; power++ {
		for _, n := range []float64{1, 2, 5} {
			steps = append(steps, n*math.Pow(10, power))
		}
	}
	return linearAxis(lo, hi, steps, label)
}

// TimeAxis returns a logarithmic axis of times in milliseconds, with labels in seconds.
func TimeAxis(lo, hi float64) *Axis {
	lo = max(lo, 1e-3)
	a := Axis{Lo: lo / 1.15, Hi: max(hi, lo*2) * 1.15, Log: true}
	for power := math.Floor(math.Log10(a.Lo)); power <= math.Log10(a.Hi); power++ {
		for _, n := range []float64{1, 2, 5} {
			if ms := n * math.Pow(10, power); ms >= a.Lo && ms <= a.Hi {
				a.Ticks = append(a.Ticks, Tick{At: ms, Label: strconv.FormatFloat(ms/1000, 'g', 6, 64)})
			}
		}
	}
	a.thin()
	return &a
}

// RatioAxis returns a logarithmic axis of ratios. It contains 1.
func RatioAxis(lo, hi float64) *Axis {
	a := Axis{Lo: max(min(lo, 0.9), 1e-3) / 1.05, Hi: max(hi, 1.1) * 1.05, Log: true, Zero: new(1.0)}
	steps := []float64{0.001, 0.01, 0.1, 0.2, 0.5, 0.8, 0.9, 1, 1.1, 1.25, 2, 5, 10, 100, 1000}
	for _, v := range steps {
		if v >= a.Lo && v <= a.Hi {
			a.Ticks = append(a.Ticks, Tick{At: v, Label: strconv.FormatFloat(v, 'g', 4, 64)})
		}
	}
	return &a
}

// AmountAxis returns an axis from 0 to the largest of some amounts, without labels.
func AmountAxis(most float64) *Axis { return &Axis{Hi: max(most, 1e-12)} }

// plotSize is the size of a plot and of the characters of its labels, in pixels or in columns of a
// terminal.
type plotSize struct{ width, character, gap float64 }

// narrowPlot is the narrowest plot of a page, in pixels.
var narrowPlot = plotSize{width: 112, character: 7, gap: 8}

// extent returns the start and the end of a label.
func (a Axis) extent(t Tick, in plotSize) (from, to float64) {
	at, width := a.position(t.At)/100*in.width, in.character*float64(displayWidth(t.Label))
	switch labelAnchor(a.position(t.At)) {
	case "start":
		return at, at + width
	case "end":
		return at - width, at
	}
	return at - width/2, at + width/2
}

// labelAnchor returns the SVG text-anchor of a label: near the ends of the axis, the one that keeps the
// label within the plot.
func labelAnchor(percent float64) string {
	switch {
	case percent < 4:
		return "start"
	case percent > 96:
		return "end"
	}
	return "middle"
}

// labels returns as many ticks as fit without an overlap of their labels, at equal distances. They
// contain the zero or, without one, the first tick.
func (a Axis) labels(in plotSize) (shown []Tick) {
	zero := 0
	if a.Zero != nil {
		zero = max(0, slices.IndexFunc(a.Ticks, func(t Tick) bool { return t.At == *a.Zero }))
	}
	for every := 1; every <= len(a.Ticks); every++ {
		shown = nil
		for i := zero % every; i < len(a.Ticks); i += every {
			shown = append(shown, a.Ticks[i])
		}
		if !a.overlap(shown, in) {
			break
		}
	}
	return shown
}

// overlap reports whether the labels of any neighbors overlap.
func (a Axis) overlap(ticks []Tick, in plotSize) bool {
	end := math.Inf(-1)
	for _, t := range ticks {
		from, to := a.extent(t, in)
		if from < end+in.gap {
			return true
		}
		end = to
	}
	return false
}

// thin removes ticks until at most maxTimeTicks remain.
func (a *Axis) thin() {
	every := (len(a.Ticks) + maxTimeTicks - 1) / maxTimeTicks
	for i := len(a.Ticks) - 1; i >= 0; i-- {
		if i%max(every, 1) != 0 {
			a.Ticks = slices.Delete(a.Ticks, i, i+1)
		}
	}
}

// maxTimeTicks is the maximum number of ticks of a logarithmic axis.
const maxTimeTicks = 10
