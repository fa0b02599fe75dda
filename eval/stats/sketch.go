package stats

import (
	"math"
	"math/bits"
	"slices"
)

// defaultDistinct is how many different durations a sketch keeps exactly.
const defaultDistinct = 16384

// Sketch summarises durations in nanoseconds: count, mean, quantiles and their
// intervals, in bounded memory.
//
// While at most 16,384 different values were seen everything is exact. From the next different value on, values are
// binned by their 11 leading bits, as in an HdrHistogram: values below 2048 ns stay
// exact, others are reported as the middle of their bin, at most 2⁻¹¹ (0.05 %) off.
// N and Mean are always exact.
//
// It costs a few hundred bytes for a few values, about 1 MB when full and exact, and
// 8 KB for each power of two that occurs when coarse (at most 440 KB). Of cases with
// several values 16,384 values are kept besides; with more, those of a case count as
// one observation in every interval, which is never too narrow.
//
// The state depends only on the values added: any order gives the same bits. The zero
// value is an empty sketch.
type Sketch struct {
	limit    int // 0 means defaultDistinct
	n        int64
	min, max int64
	sumHigh  uint64 // the sum of all values in 128 bits
	sumLow   uint64
	exact    map[int64]int64 // value → count, while coarse is nil
	coarse   *bins
	cases    clusters

	ranked  []step // cache of the sorted counts, good while rankedN equals n
	rankedN int64
}

// Add counts one duration of v nanoseconds, the only one of its case; see [Sketch.AddN].
func (s *Sketch) Add(v int64) { s.AddN(v, 1) }

// AddCase counts the durations of a case: its epochs, turns or calls, which are alike.
func (s *Sketch) AddCase(values ...int64) {
	if negative := func(v int64) bool { return v < 0 }; slices.ContainsFunc(values, negative) {
		values = slices.DeleteFunc(slices.Clone(values), negative)
	}
	for _, v := range values {
		s.AddN(v, 1)
	}
	s.cases.add(values)
}

// AddN counts n durations of v nanoseconds, of as many cases; n < 1 does nothing. A
// negative duration is no duration, and goes into no statistic.
//
// A sketch holds fewer than 2⁶³−1 values. Once there are more, N stays at 2⁶³−1 and
// every statistic answers ok = false.
func (s *Sketch) AddN(v, n int64) {
	if n < 1 || v < 0 {
		return
	}
	s.widen(v)
	s.n = saturatingAdd(s.n, n)
	high, low := bits.Mul64(uint64(v), uint64(n))
	s.addSum(high, low)
	s.count(v, n)
}

// N is the number of durations counted.
func (s *Sketch) N() int64 { return s.n }

// Mean is the arithmetic mean in nanoseconds, from an exact integer sum.
func (s *Sketch) Mean() (v float64, ok bool) {
	if !s.usable() {
		return 0, false
	}
	whole, rest := bits.Div64(s.sumHigh, s.sumLow, uint64(s.n))
	return float64(whole) + float64(rest)/float64(s.n), true
}

func (s *Sketch) usable() bool { return s.n > 0 && s.n < math.MaxInt64 }

func (s *Sketch) distinct() int {
	if s.limit == 0 {
		return defaultDistinct
	}
	return s.limit
}

// widen must run before n is raised: n = 0 says that there are no extremes yet.
func (s *Sketch) widen(v int64) {
	if s.n == 0 || v < s.min {
		s.min = v
	}
	s.max = max(s.max, v)
}

func (s *Sketch) addSum(high, low uint64) {
	var carry uint64
	s.sumLow, carry = bits.Add64(s.sumLow, low, 0)
	s.sumHigh, _ = bits.Add64(s.sumHigh, high, carry)
}

// count records n times v in whichever form the sketch has now.
func (s *Sketch) count(v, n int64) {
	if s.coarse != nil {
		s.coarse.add(v, n)
		return
	}
	if s.exact == nil {
		s.exact = make(map[int64]int64)
	}
	s.exact[v] += n
	if len(s.exact) > s.distinct() {
		s.coarsen()
	}
}

func (s *Sketch) coarsen() {
	if s.coarse != nil {
		return
	}
	s.coarse = &bins{}
	for v, n := range s.exact {
		s.coarse.add(v, n)
	}
	s.exact, s.ranked = nil, nil
}

// saturatingAdd is min(a+b, 2⁶³−1) for a, b ≥ 0: overflow-safe, and still independent
// of the order.
func saturatingAdd(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
