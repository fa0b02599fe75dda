package page

import (
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"evalctl/eval"
)

// perDecade is the number of steps of the logarithmic scale for a factor of ten. One step is about
// 1 %.
const perDecade = 240

// shortest is the shortest duration that the histogram distinguishes. It limits the number of
// steps.
const shortest = time.Microsecond

// zeroStep represents a duration of zero, which has no logarithm.
const zeroStep = -1

// LatencyHistogram is a histogram of the latencies of answered turns on a logarithmic scale. It
// does not include error replies.
type LatencyHistogram struct {
	N int64 // number of turns

	steps map[int]int64 // number of turns by step above shortest
}

func (t *LatencyHistogram) add(d eval.Millis) {
	if t.steps == nil {
		t.steps = map[int]int64{}
	}
	t.N++
	if d <= 0 {
		t.steps[zeroStep]++
		return
	}
	t.steps[int(math.Floor(math.Log10(float64(max(time.Duration(d), shortest))/float64(shortest))*perDecade))]++
}

// Quantile returns a quantile of the latencies in milliseconds, with an error of at most 1 %. It
// returns 0 if there are none.
func (t *LatencyHistogram) Quantile(q float64) float64 {
	rank, seen := int64(math.Ceil(q*float64(t.N))), int64(0)
	for _, step := range slices.Sorted(maps.Keys(t.steps)) {
		if seen += t.steps[step]; seen >= rank {
			if step == zeroStep {
				return 0
			}
			return edge(float64(step) + 0.5)
		}
	}
	return 0
}

// LogScale is the logarithmic horizontal axis of a histogram, divided into bars of equal width.
type LogScale struct {
	Bars       int  // number of bars
	HasShorter bool // the first bar also contains all times that are shorter than the scale

	from, width int
}

// Limits for outliers: times of turns that are answered almost instantly. They are put into the
// first bar, followed by an empty bar, because a scale that includes them would leave little room
// for the rest. Outliers are at most a tenth of any variant's times, and at least half a power of
// ten below the others.
const (
	minOutlierGap   = perDecade / 2
	maxOutlierShare = 0.1
)

// NewScale returns a scale with at most the given number of bars, which covers all the times.
// Durations of zero are not on the scale. The scale has no bars if there are only such durations,
// or none.
func NewScale(bars int, of ...*LatencyHistogram) LogScale {
	all := map[int]int64{}
	for _, t := range of {
		for step, n := range t.steps {
			all[step] += n
		}
	}
	instant := all[zeroStep] > 0
	delete(all, zeroStep)
	steps := slices.Sorted(maps.Keys(all))
	if len(steps) == 0 {
		return LogScale{width: 1}
	}
	least, most := steps[0], steps[len(steps)-1]
	s := LogScale{from: least, HasShorter: instant}
	for i, step := range steps[1:] {
		if step-steps[i] >= minOutlierGap &&
			!slices.ContainsFunc(of,
				func(t *LatencyHistogram) bool {
					return float64(t.below(step)) > maxOutlierShare*float64(
						t.N-t.steps[zeroStep])
				}) {
			s.from, s.HasShorter = step, true
		}
	}
	if s.HasShorter {
		bars -= 2
	}
	n := most - s.from + 1
	s.width = (n + bars - 1) / bars
	s.Bars = (n + s.width - 1) / s.width
	if s.HasShorter {
		s.from, s.Bars = s.from-2*s.width, s.Bars+2
	}
	return s
}

func (t *LatencyHistogram) below(step int) (n int64) {
	for at, count := range t.steps {
		if at != zeroStep && at < step {
			n += count
		}
	}
	return n
}

// BarStart returns where bar n starts, in milliseconds. BarStart(Bars) is the end of the last bar.
func (s LogScale) BarStart(n int) float64 { return edge(float64(s.from + n*s.width)) }

// BarShares returns for each bar of the scale the share of the times that it contains, from 0 to 1.
func (t *LatencyHistogram) BarShares(on LogScale) []float64 {
	bars := make([]float64, on.Bars)
	for step, n := range t.steps {
		if at := max(step-on.from, 0) / on.width; at < len(bars) {
			bars[at] += float64(n) // sums of whole numbers are exact, so the order of the map does not matter
		}
	}
	for i := range bars {
		bars[i] /= float64(t.N)
	}
	return bars
}

func edge(step float64) float64 {
	return math.Pow(10, step/perDecade) * float64(shortest) / float64(time.Millisecond)
}

// addTimes adds the latencies of a trial's turns. It selects the same turns as the latency metrics.
func (v *Variant) addTimes(r eval.Result) {
	for _, t := range r.Turns {
		if t.HasLatency() {
			v.Latencies.add(t.Duration)
		}
	}
	for _, j := range r.Decisions() {
		if j.Turn >= 1 && j.Turn <= len(r.Turns) && r.Turns[j.Turn-1].HasLatency() {
			v.addClassTime(j.Expected.Primary(), r.Turns[j.Turn-1].Duration)
		}
	}
}

func (v *Variant) addClassTime(label string, duration eval.Millis) {
	of := v.classes[label]
	switch {
	case of != nil:
	case len(v.classes) == maxLatencyClasses || v.classes == nil:
		v.classes = nil // which labels are among the first depends on the order of the results, so none is reported
		return
	default:
		of = &LatencyHistogram{}
		// a copy, so that the line of the file that contains the label can be freed
		v.classes[strings.Clone(label)] = of
	}
	of.add(duration)
}
