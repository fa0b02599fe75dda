package figure

import (
	"math"
	"strconv"

	"evalctl/eval/number"
)

// Axis is a horizontal scale. Positions are percentages of its width, so no script is required for
// the layout.
type Axis struct {
	Lo, Hi float64
	Log    bool // logarithmic; Lo must be above 0
	Ticks  []Tick
}

// Tick is a tick mark of an axis with its label.
type Tick struct {
	At     float64 // percent
	Label  string  // "": none
	Anchor string  // start, middle or end; labels at the ends are anchored inward
	Room   string  // CSS class that hides the label in a narrow plot; "": never hidden
}

// At returns the position of a value in percent, clamped to the axis.
func (a Axis) At(v float64) float64 {
	lo, hi := a.Lo, a.Hi
	if a.Log {
		v, lo, hi = math.Log(max(v, lo)), math.Log(lo), math.Log(hi)
	}
	if !(hi > lo) {
		return 50
	}
	return min(max((v-lo)/(hi-lo), 0), 1) * 100
}

// maxSteps is the maximum number of steps on an axis of shares.
const maxSteps = 6

func shareSteps() []float64 { return []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5} }

// ShareAxis returns an axis that contains lo to hi, with steps of 1 to 50 %. It does not have to
// start at zero.
func ShareAxis(lo, hi float64) Axis {
	return axisWithSteps(max(lo, 0), min(hi, 1),
		func(v float64) string { return strconv.Itoa(int(math.Round(v*100))) + " %" })
}

// PercentagePointAxis returns an axis that contains zero and lo to hi. Values are fractions, labels
// are points.
func PercentagePointAxis(lo, hi float64) Axis {
	return axisWithSteps(min(lo, 0), max(hi, 0),
		func(v float64) string { return number.Points(math.Round(v*100) / 100) })
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
		a.Ticks = append(a.Ticks, Tick{At: a.At(float64(i) * step), Label: label(float64(i) * step)})
	}
	a.label(maxLabels)
	return a
}

// Maximum numbers of labels on an axis of shares and on a time axis.
const (
	maxLabels     = 5
	maxTimeLabels = 8
)

// TimeAxis returns a logarithmic axis of milliseconds, with ticks at 1, 2 and 5 times each power of
// ten.
func TimeAxis(lo, hi float64) Axis {
	lo = max(lo, 1e-3)
	a := Axis{Lo: lo, Hi: max(hi, lo*2), Log: true}
	for power := math.Floor(math.Log10(a.Lo)); power <= math.Log10(a.Hi); power++ {
		for _, n := range []float64{1, 2, 5} {
			if ms := n * math.Pow(10, power); ms >= a.Lo && ms <= a.Hi {
				a.Ticks = append(a.Ticks, Tick{At: a.At(ms), Label: timeLabel(ms)})
			}
		}
	}
	a.label(maxTimeLabels)
	return a
}

// timeLabel formats a round time in a suitable unit: 50 ms, 0.5 s, 2 s.
func timeLabel(ms float64) string {
	name, millis := number.TimeUnit(ms)
	return strconv.FormatFloat(ms/millis, 'g', 6, 64) + " " + name
}

// label removes labels so that at most most of them remain, and anchors those at the ends inward.
func (a *Axis) label(most int) {
	every := (len(a.Ticks) + most - 1) / most
	for i := range a.Ticks {
		t := &a.Ticks[i]
		if i%every != 0 {
			t.Label = ""
		}
		switch {
		case t.At < 5:
			t.Anchor = "start"
		case t.At > 95:
			t.Anchor = "end"
		default:
			t.Anchor = "middle"
		}
	}
}
