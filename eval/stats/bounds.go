package stats

import "math/bits"

// Interval returns a distribution-free confidence interval, in nanoseconds, of the
// q-quantile of the law behind the durations: the order statistics with the ranks that
// [Ranks] gives. In a coarse sketch it runs from the first value of the lower bin to
// the last of the upper one, so that it keeps its level. ok is false when there are too
// few values for the level (fewer than 6 for a median at 0.95, 59 for a p95, 299 for a
// p99): the extremes would then promise more than they hold; see [Sketch.AtLeast].
//
// Where cases have several durations, the ranks are those of n_eff independent ones,
// n_eff that of [Share.EffectiveN] for the share at most the quantile, rounded down, and
// the ends are the sample's quantiles l/n_eff and u/n_eff.
//
// Source: Woodruff, «Confidence Intervals for Medians and Other Position Measures»,
// JASA 47 (1952), for the quantiles of clustered samples.
func (s *Sketch) Interval(q, level float64) (lo, hi int64, ok bool) {
	n, ok := s.effective(q)
	if !ok {
		return 0, 0, false
	}
	l, u, ok := Ranks(n, q, level)
	if !ok {
		return 0, 0, false
	}
	return s.clamp(s.at(s.scale(l, n)).first), s.clamp(s.at(s.scale(u, n)).last), true
}

// AtLeast returns what the q-quantile of the law is at least, at the level, by the rank
// that [LowerRank] gives and otherwise as in [Sketch.Interval]: it has an answer from
// far fewer durations (1 for a p99 at 0.95).
func (s *Sketch) AtLeast(q, level float64) (lo int64, ok bool) {
	n, ok := s.effective(q)
	if !ok {
		return 0, false
	}
	l, ok := LowerRank(n, q, level)
	if !ok {
		return 0, false
	}
	return s.clamp(s.at(s.scale(l, n)).first), true
}

// Ties is how many durations equal the q-quantile, itself included; 0 where a coarse
// sketch does not know.
func (s *Sketch) Ties(q float64) int64 {
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

// effective is how many independent durations know the q-quantile as well.
func (s *Sketch) effective(q float64) (n int64, ok bool) {
	if !s.usable() || !isLevel(q) {
		return 0, false
	}
	at := s.at(rankOf(q, s.n))
	n = s.cases.effective(s.n, at.upTo, at.last)
	return n, n > 0
}

// scale is the rank among all durations that stands for a rank among n ≤ s.n: the
// quotient rank·s.n/n, rounded up.
func (s *Sketch) scale(rank, n int64) int64 {
	high, low := bits.Mul64(uint64(rank), uint64(s.n))
	whole, rest := bits.Div64(high, low, uint64(n))
	if rest > 0 {
		whole++
	}
	return int64(whole)
}
