package metric

import (
	"evalctl/eval"
	"evalctl/eval/stats"
)

// share is a proportion in the making: k of n, with missing ones besides.
type share struct{ k, n, missing int64 }

func (s *share) add(ok bool) {
	s.n++
	if ok {
		s.k++
	}
}

// estimate has a Wilson interval, and the bounds if all missing were wrong or
// all were right. The epochs of a case are not independent: the interval takes
// them for one observation, which is never too narrow.
func (s share) estimate(epochs int64) eval.Estimate {
	e := eval.Estimate{N: s.n, Missing: s.missing}
	if s.n > 0 {
		each := float64(min(epochs, s.n)) // trials to an observation
		lo, hi := stats.Wilson(float64(s.k)/each, float64(s.n)/each, level)
		e.Value, e.Lo, e.Hi = ratio(s.k, s.n), &lo, &hi
	}
	if s.missing > 0 {
		e.Worst, e.Best = ratio(s.k, s.n+s.missing), ratio(s.k+s.missing, s.n+s.missing)
	}
	return e
}

func ratio(k, n int64) *float64 {
	v := float64(k) / float64(n)
	return &v
}
