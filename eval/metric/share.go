package metric

import (
	"evalctl/eval"
	"evalctl/eval/stats"
)

// share is a proportion in the making, with missing ones besides.
type share struct {
	cases   stats.Proportion
	k, m    int64 // of the case under way
	missing int64
}

// newRandomShare is of trials of which a case has more or fewer as they come out.
func newRandomShare() share { return share{cases: stats.NewRandomDenominator()} }

func (s *share) add(ok bool) {
	s.m++
	if ok {
		s.k++
	}
}

// judge counts a judgement, or that there should be one.
func (s *share) judge(v eval.Verdict) {
	if v == eval.Unscored {
		s.missing++
		return
	}
	s.add(v == eval.Pass)
}

func (s *share) endCase() {
	s.cases.Add(s.k, s.m)
	s.k, s.m = 0, 0
}

// seen is how many there are, missing or not.
func (s *share) seen() int64 { return s.cases.N() + s.missing }

func (s *share) estimate() eval.Estimate { return proportion(&s.cases, s.missing) }

// proportion has its interval, and the bounds if all missing were wrong or all
// were right.
func proportion(s *stats.Proportion, missing int64) eval.Estimate {
	e := eval.Estimate{N: s.N(), Cases: fewer(s.Cases(), s.N()), Missing: missing}
	if v, ok := s.Value(); ok {
		e.Value = &v
	}
	if lo, hi, ok := s.Interval(level); ok {
		e.Lo, e.Hi = &lo, &hi
	}
	if missing > 0 {
		all := s.N() + missing
		e.WorstCase, e.BestCase = ratio(s.K(), all), ratio(s.K()+missing, all)
		if lo, hi, ok := s.WorstCaseBounds(missing, level); ok {
			e.WorstCaseLo, e.BestCaseHi = &lo, &hi
		}
	}
	return e
}

func ratio(k, n int64) *float64 {
	v := float64(k) / float64(n)
	return &v
}
