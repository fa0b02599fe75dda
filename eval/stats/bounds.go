package stats

import "math/bits"

// Interval returns a distribution-free confidence interval, in nanoseconds, of the population's
// q-quantile: the order statistics at the ranks of [QuantileIntervalRanks]. In a coarse sketch it
// extends from the first value of the lower bin to the last value of the upper bin, so it does not
// lose coverage. ok is false if there are too few values for the level: fewer than 6 for a median
// at
// 0.95, 59 for a p95, 299 for a p99. For fewer values see [Sketch.LowerBound].
//
// If cases have several durations, the ranks are those of n_eff independent values. n_eff is
// [Proportion.EffectiveN] for the share of values at or below the quantile, rounded down. The ends
// are the sample quantiles l/n_eff and u/n_eff.
//
// Source: Woodruff, "Confidence Intervals for Medians and Other Position Measures", JASA 47 (1952),
// for the quantiles of clustered samples.
func (s *QuantileSketch) Interval(q, level float64) (lo, hi int64, ok bool) {
	n, ok := s.effective(q)
	if !ok {
		return 0, 0, false
	}
	l, u, ok := QuantileIntervalRanks(n, q, level)
	if !ok {
		return 0, 0, false
	}
	return s.clamp(s.at(s.scale(l, n)).first), s.clamp(s.at(s.scale(u, n)).last), true
}

// LowerBound returns a one-sided lower confidence bound, in nanoseconds, of the population's
// q-quantile. It is the order statistic at the rank of [QuantileLowerBoundRank]; cases with several
// durations count as in [Sketch.Interval]. It needs far fewer durations than an interval (1 for a
// p99 at 0.95). ok is false if there are too few.
func (s *QuantileSketch) LowerBound(q, level float64) (lo int64, ok bool) {
	n, ok := s.effective(q)
	if !ok {
		return 0, false
	}
	l, ok := QuantileLowerBoundRank(n, q, level)
	if !ok {
		return 0, false
	}
	return s.clamp(s.at(s.scale(l, n)).first), true
}

// TiesAtQuantile returns how many durations equal the q-quantile exactly. It returns 0 if the
// sketch is empty, or if it is coarse and the quantile is in a bin of several values.
func (s *QuantileSketch) TiesAtQuantile(q float64) int64 {
	if !s.usable() || !(q >= 0 && q <= 1) {
		return 0
	}
	i := s.index(rankOf(q, s.n))
	switch at := s.steps()[i]; {
	case at.first != at.last:
		return 0
	case i == 0:
		return at.upTo
	default:
		return at.upTo - s.steps()[i-1].upTo
	}
}

// effective returns how many independent durations the interval of the q-quantile is based on: n,
// or fewer if cases have several durations.
func (s *QuantileSketch) effective(q float64) (n int64, ok bool) {
	if !s.usable() || !isLevel(q) {
		return 0, false
	}
	at := s.at(rankOf(q, s.n))
	n = s.cases.effective(s.n, at.upTo, at.last)
	return n, n > 0
}

// scale converts a rank among n effective durations to a rank among all s.n durations: rank·s.n/n,
// rounded up.
func (s *QuantileSketch) scale(rank, n int64) int64 {
	high, low := bits.Mul64(uint64(rank), uint64(s.n))
	whole, rest := bits.Div64(high, low, uint64(n))
	if rest > 0 {
		whole++
	}
	return int64(whole)
}
