package page

import (
	"math"
	"strconv"

	"evalctl/eval/metric"
)

// Axis is the horizontal axis of a plot. It converts values to percentages of the width, so that
// the browser can scale the plot without a script.
type Axis struct {
	Lo, Hi float64 // values at the ends
	Log    bool    // logarithmic axis; Lo must be above 0
	Ticks  []Tick
}

// Tick is a tick mark of an axis and its label.
type Tick struct {
	Position  float64 // position in percent of the width
	Label     string  // "": no label
	Anchor    string  // SVG text-anchor of the label: start, middle or end
	HideClass string  // CSS class that hides the label if the plot is too narrow for it; "": never hidden
}

// Position returns the position of a value in percent of the width. Values outside of the axis are
// moved to its ends.
func (a Axis) Position(v float64) float64 {
	lo, hi := a.Lo, a.Hi
	if a.Log {
		v, lo, hi = math.Log(max(v, lo)), math.Log(lo), math.Log(hi)
	}
	if !(hi > lo) {
		return 50
	}
	return min(max((v-lo)/(hi-lo), 0), 1) * 100
}

// maxSteps is the maximum number of intervals between the ticks of an axis of shares.
const maxSteps = 6

func shareSteps() []float64 { return []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5} }

// ShareAxis returns an axis for shares from lo to hi, extended to multiples of a step between 1 and
// 50 %. The axis can start above 0.
func ShareAxis(lo, hi float64) Axis {
	return axisWithSteps(max(lo, 0), min(hi, 1),
		func(v float64) string { return strconv.Itoa(int(math.Round(v*100))) + " %" })
}

// PercentagePointAxis returns an axis for differences from lo to hi, which always contains 0. The
// values are fractions, the labels are percentage points.
func PercentagePointAxis(lo, hi float64) Axis {
	return axisWithSteps(min(lo, 0), max(hi, 0),
		func(v float64) string { return metric.FormatPoints(math.Round(v*100) / 100) })
}

func axisWithSteps(lo, hi float64, label func(float64) string) Axis {
	var first, last int
	step := 0.0
	for _, step = range shareSteps() {
		first, last = int(math.Floor(lo/step+1e-9)), int(math.Ceil(hi/step-1e-9))
		switch {
		case first == last && float64(last)*step >= 1:
			first--
		case first == last:
			last++
		}
		if last-first <= maxSteps {
			break
		}
	}
	a := Axis{Lo: float64(first) * step, Hi: float64(last) * step}
	for i := first; i <= last; i++ {
		a.Ticks = append(a.Ticks, Tick{Position: a.Position(float64(i) * step), Label: label(float64(i) * step)})
	}
	a.label(maxLabels)
	return a
}

// Maximum number of labels on an axis of shares and on a time axis.
const (
	maxLabels     = 5
	maxTimeLabels = 8
)

// TimeAxis returns a logarithmic axis for times from lo to hi, in milliseconds. Its ticks are 1, 2
// and 5 times each power of ten.
func TimeAxis(lo, hi float64) Axis {
	lo = max(lo, 1e-3)
	a := Axis{Lo: lo, Hi: max(hi, lo*2), Log: true}
	for power := math.Floor(math.Log10(a.Lo)); power <= math.Log10(a.Hi); power++ {
		for _, n := range []float64{1, 2, 5} {
			if ms := n * math.Pow(10, power); ms >= a.Lo && ms <= a.Hi {
				a.Ticks = append(a.Ticks, Tick{Position: a.Position(ms), Label: timeLabel(ms)})
			}
		}
	}
	a.label(maxTimeLabels)
	return a
}

// timeLabel formats a round time in a suitable unit, such as "50 ms", "0.5 s" or "2 s".
func timeLabel(ms float64) string {
	name, millis := metric.TimeUnit(ms)
	return strconv.FormatFloat(ms/millis, 'g', 6, 64) + " " + name
}

// label removes labels until at most the given number remains. It aligns labels near the ends of
// the axis so that they stay within the plot.
func (a *Axis) label(most int) {
	every := (len(a.Ticks) + most - 1) / most
	for i := range a.Ticks {
		t := &a.Ticks[i]
		if i%every != 0 {
			t.Label = ""
		}
		switch {
		case t.Position < 5:
			t.Anchor = "start"
		case t.Position > 95:
			t.Anchor = "end"
		default:
			t.Anchor = "middle"
		}
	}
}
