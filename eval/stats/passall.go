package stats

import (
	"maps"
	"math"
	"slices"
)

// PassAll is pass^k: the chance that k further trials of a case all succeed, over the
// cases with k trials or more. From c successes in n trials of a case it is estimated
// by C(c,k)/C(n,k), the share of all choices of k of the trials in which all succeeded,
// which is right on average; (c/n)^k would be too high. It needs distinct cases: cases
// is how many there are, and ok is false without one and for k < 1.
//
// Source: Yao, Shinn, Razavi & Narasimhan, «τ-bench», arXiv:2406.12045 (2024), §3.
func (s *Share) PassAll(k int64) (v float64, cases int64, ok bool) {
	if k < 1 {
		return 0, 0, false
	}
	sum := 0.0
	for _, o := range slices.SortedFunc(maps.Keys(s.outcomes), compareOutcomes) {
		if o.m < k {
			continue
		}
		sum += float64(s.outcomes[o]) * chooseAll(o.k, o.m, k)
		cases += s.outcomes[o]
	}
	if cases == 0 {
		return 0, 0, false
	}
	return sum / float64(cases), cases, true
}

// PassAllInterval is [Wilson]'s for [Share.PassAll] of as many cases. A case's part is
// between 0 and 1 and so varies no more than one that is 0 or 1: the interval is right
// where cases have k trials, and too wide rather than too narrow where they have more.
func (s *Share) PassAllInterval(k int64, level float64) (lo, hi float64, ok bool) {
	v, cases, ok := s.PassAll(k)
	if !ok {
		return 0, 0, false
	}
	lo, hi = Wilson(v*float64(cases), float64(cases), level)
	return lo, hi, !math.IsNaN(lo)
}

// chooseAll is C(c,k)/C(n,k) = Π (c−i)/(n−i) over i < k.
func chooseAll(c, n, k int64) float64 {
	p := 1.0
	for i := range k {
		if c <= i {
			return 0
		}
		p *= float64(c-i) / float64(n-i)
	}
	return p
}
