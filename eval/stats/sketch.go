package stats

import (
	"math"
	"math/bits"
	"slices"
)

// defaultDistinct is the number of different durations up to which a sketch is exact.
const defaultDistinct = 16384

// QuantileSketch summarizes durations in nanoseconds: count, mean, quantiles and their intervals, in
// bounded memory.
//
// Up to 16,384 different values everything is exact. Beyond that, values are binned by their 11
// leading bits, like in an HdrHistogram. Values below 2048 ns stay exact. Others are reported as
// the middle of their bin, with an error of at most 2⁻¹¹ (0.05 %). N and Mean are always exact.
//
// The memory is a few hundred bytes for a few values and about 1 MB for a full exact sketch. A
// coarse sketch has 8 KB for each power of two that occurs (at most 440 KB). In addition 16,384
// values of cases with several values are stored. Beyond that, the values of a case count as one
// observation in every interval, which is never too narrow.
//
// The state is bit-identical for any order of additions. The zero value is empty.
type QuantileSketch struct {
	limit    int // 0 means defaultDistinct
	n        int64
	min, max int64
	sumHigh  uint64 // 128-bit sum of all values
	sumLow   uint64
	exact    map[int64]int64 // value → count, while coarse is nil
	coarse   *bins
	cases    clusters

	ranked  []step // cache of the sorted counts, valid while rankedN equals n
	rankedN int64
}

// Add counts one duration of v nanoseconds, the only one of its case; see [Sketch.AddN].
func (s *QuantileSketch) Add(v int64) { s.AddN(v, 1) }

// AddCase adds a case with its durations in nanoseconds (its epochs, turns or calls), which form
// one cluster.
func (s *QuantileSketch) AddCase(values ...int64) {
	if negative := func(v int64) bool { return v < 0 }; slices.ContainsFunc(values, negative) {
		values = slices.DeleteFunc(slices.Clone(values), negative)
	}
	for _, v := range values {
		s.AddN(v, 1)
	}
	s.cases.add(values)
}

// AddN counts n durations of v nanoseconds, of n different cases. It ignores n < 1 and negative
// durations.
//
// A sketch holds fewer than 2⁶³−1 values. Beyond that, N stays at 2⁶³−1 and every statistic returns
// ok = false.
func (s *QuantileSketch) AddN(v, n int64) {
	if n < 1 || v < 0 {
		return
	}
	s.widen(v)
	s.n = saturatingAdd(s.n, n)
	high, low := bits.Mul64(uint64(v), uint64(n))
	s.addSum(high, low)
	s.count(v, n)
}

// N returns the number of durations.
func (s *QuantileSketch) N() int64 { return s.n }

// MeanConfidence returns the arithmetic mean in nanoseconds, from an exact integer sum.
func (s *QuantileSketch) Mean() (v float64, ok bool) {
	if !s.usable() {
		return 0, false
	}
	whole, rest := bits.Div64(s.sumHigh, s.sumLow, uint64(s.n))
	return float64(whole) + float64(rest)/float64(s.n), true
}

func (s *QuantileSketch) usable() bool { return s.n > 0 && s.n < math.MaxInt64 }

func (s *QuantileSketch) distinct() int {
	if s.limit == 0 {
		return defaultDistinct
	}
	return s.limit
}

// widen includes v in the range of observed values. It must run before n is increased: n = 0 means
// that there is no range yet.
func (s *QuantileSketch) widen(v int64) {
	if s.n == 0 || v < s.min {
		s.min = v
	}
	s.max = max(s.max, v)
}

func (s *QuantileSketch) addSum(high, low uint64) {
	var carry uint64
	s.sumLow, carry = bits.Add64(s.sumLow, low, 0)
	s.sumHigh, _ = bits.Add64(s.sumHigh, high, carry)
}

// count adds v n times, to the exact counts or to the bins.
func (s *QuantileSketch) count(v, n int64) {
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

func (s *QuantileSketch) coarsen() {
	if s.coarse != nil {
		return
	}
	s.coarse = &bins{}
	for v, n := range s.exact {
		s.coarse.add(v, n)
	}
	s.exact, s.ranked = nil, nil
}

// saturatingAdd returns min(a+b, 2⁶³−1) for a, b ≥ 0, independent of the order of additions.
func saturatingAdd(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
