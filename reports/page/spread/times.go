package spread

import (
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"evalctl/eval"
)

// perDecade is into how many steps each tenfold is cut: one is 1 % wide.
const perDecade = 240

// shortest is what is counted as short as can be: 1 µs. What it and the longest time
// that there is lie apart bounds the steps.
const shortest = time.Microsecond

// nought is the step of what takes no time at all; a logarithm has no place for it.
const nought = -1

// Times are how long turns take that are answered, on a logarithmic scale; an apology is
// no answer.
type Times struct {
	N int64

	steps map[int]int64 // by step above the shortest
}

func (t *Times) add(d eval.Millis) {
	if t.steps == nil {
		t.steps = map[int]int64{}
	}
	t.N++
	if d <= 0 {
		t.steps[nought]++
		return
	}
	t.steps[int(math.Floor(math.Log10(float64(max(time.Duration(d), shortest))/float64(shortest))*perDecade))]++
}

// Quantile is in milliseconds and at most 1 % off; 0 of no times.
func (t *Times) Quantile(q float64) float64 {
	rank, seen := int64(math.Ceil(q*float64(t.N))), int64(0)
	for _, step := range slices.Sorted(maps.Keys(t.steps)) {
		if seen += t.steps[step]; seen >= rank {
			if step == nought {
				return 0
			}
			return edge(float64(step) + 0.5)
		}
	}
	return 0
}

// Scale is a logarithmic axis of bars of equal width. Its first bar has all that took less,
// too.
type Scale struct {
	Bars int
	Less bool // there is something that took less

	from, width int
}

// A few turns that are answered at once would leave no room for the others: what is a tenth of
// any times at most, and at least half of a power of ten away from the rest, is put into the
// first bar, with a bar between.
const (
	farAway = perDecade / 2
	fewest  = 0.1
)

// NewScale has at most so many bars for all that some times hold. It begins above what takes
// no time, however much of it there is; of that alone it has no bars.
func NewScale(bars int, of ...*Times) Scale {
	all := map[int]int64{}
	for _, t := range of {
		for step, n := range t.steps {
			all[step] += n
		}
	}
	instant := all[nought] > 0
	delete(all, nought)
	steps := slices.Sorted(maps.Keys(all))
	if len(steps) == 0 {
		return Scale{width: 1}
	}
	least, most := steps[0], steps[len(steps)-1]
	s := Scale{from: least, Less: instant}
	for i, step := range steps[1:] {
		if step-steps[i] >= farAway && !slices.ContainsFunc(of, func(t *Times) bool { return float64(t.below(step)) > fewest*float64(t.N-t.steps[nought]) }) {
			s.from, s.Less = step, true
		}
	}
	if s.Less {
		bars -= 2
	}
	n := most - s.from + 1
	s.width = (n + bars - 1) / bars
	s.Bars = (n + s.width - 1) / s.width
	if s.Less {
		s.from, s.Bars = s.from-2*s.width, s.Bars+2
	}
	return s
}

func (t *Times) below(step int) (n int64) {
	for at, count := range t.steps {
		if at != nought && at < step {
			n += count
		}
	}
	return n
}

// Edge is where the nth bar begins, in milliseconds; that of Bars is where the last ends.
func (s Scale) Edge(n int) float64 { return edge(float64(s.from + n*s.width)) }

// Share is how many of the times each bar has, of 1.
func (t *Times) Share(on Scale) []float64 {
	bars := make([]float64, on.Bars)
	for step, n := range t.steps {
		if at := max(step-on.from, 0) / on.width; at < len(bars) {
			bars[at] += float64(n) // whole numbers, whose sum has no order
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

// time counts a trial's turns, as latency does.
func (v *Variant) time(r eval.Result) {
	for _, t := range r.Turns {
		if t.HasLatency() {
			v.Times.add(t.Duration)
		}
	}
	for _, j := range r.Decisions() {
		if j.Turn >= 1 && j.Turn <= len(r.Turns) && r.Turns[j.Turn-1].HasLatency() {
			v.timeClass(j.Expected.Primary(), r.Turns[j.Turn-1].Duration)
		}
	}
}

func (v *Variant) timeClass(label string, duration eval.Millis) {
	of := v.classes[label]
	switch {
	case of != nil:
	case len(v.classes) == maxClasses || v.classes == nil:
		v.classes = nil // which were first is chance: none of them is told
		return
	default:
		of = &Times{}
		v.classes[strings.Clone(label)] = of // of a line that need not be kept
	}
	of.add(duration)
}
