package stats

import (
	"math"
	"slices"
	"sort"
)

// step is one value of a sketch, or one bin of a coarse sketch, with the number of values at or
// below it.
type step struct {
	first, middle, last int64
	upTo                int64
}

// Quantile returns the q-quantile in nanoseconds: the smallest value whose rank is at least ⌈q·n⌉
// (the inverse of the empirical distribution function, type 1 of Hyndman & Fan, "Sample Quantiles
// in Statistical Packages", The American Statistician 50 (1996)). It is a value that occurred or,
// in a coarse sketch, within 2⁻¹¹ of it. Quantile(0) is the smallest value, Quantile(1) the
// largest. ok is false for an empty sketch and for q outside 0…1.
//
// q·n is rounded down by four units in the last place, as in R, so that 0.07 of 100 is rank 7
// although 0.07·100 > 7 in floating point.
func (s *QuantileSketch) Quantile(q float64) (v int64, ok bool) {
	if !s.usable() || !(q >= 0 && q <= 1) {
		return 0, false
	}
	return s.clamp(s.at(rankOf(q, s.n)).middle), true
}

func rankOf(q float64, n int64) int64 {
	const fuzz = 4 * 0x1p-52
	if q == 1 {
		return n
	}
	rank := math.Ceil(q * float64(n) * (1 - fuzz))
	return min(max(int64(rank), 1), n)
}

// at returns the value or bin that contains the given 1-based rank.
func (s *QuantileSketch) at(rank int64) step { return s.steps()[s.index(rank)] }

func (s *QuantileSketch) index(rank int64) int {
	steps := s.steps()
	return sort.Search(len(steps), func(i int) bool { return steps[i].upTo >= rank })
}

// clamp limits the middle or edge of an outermost bin to the observed range, which only brings it
// closer to the exact value.
func (s *QuantileSketch) clamp(v int64) int64 { return min(max(v, s.min), s.max) }

// steps returns the values or bins in ascending order, cached until a value is added.
func (s *QuantileSketch) steps() []step {
	if s.ranked != nil && s.rankedN == s.n {
		return s.ranked
	}
	if s.coarse == nil {
		s.ranked = exactSteps(s.exact)
	} else {
		s.ranked = s.coarse.steps()
	}
	s.rankedN = s.n
	return s.ranked
}

func exactSteps(counts map[int64]int64) []step {
	steps := make([]step, 0, len(counts))
	for v, n := range counts {
		steps = append(steps, step{
			first:  v,
			middle: v,
			last:   v,
			upTo:   n,
		})
	}
	slices.SortFunc(steps, func(a, b step) int {
		if a.first < b.first {
			return -1
		}
		return 1
	})
	return accumulate(steps)
}

func (b *bins) steps() []step {
	var steps []step
	for p, page := range b.page {
		if page == nil {
			continue
		}
		for i, n := range page {
			if n == 0 {
				continue
			}
			st := step{upTo: n}
			st.first, st.middle, st.last = binBounds(p*pageSize + i)
			steps = append(steps, st)
		}
	}
	return accumulate(steps)
}

// accumulate turns the counts in upTo into running totals.
func accumulate(steps []step) []step {
	total := int64(0)
	for i := range steps {
		total += steps[i].upTo
		steps[i].upTo = total
	}
	return steps
}
