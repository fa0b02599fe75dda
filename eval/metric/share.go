package metric

import (
	"evalctl/eval"
	"evalctl/eval/stats"
)

// share computes a proportion, with an interval that treats the items of a case as dependent. It
// counts missing items.
type share struct {
	cases   stats.Proportion
	k, m    int64 // items that count, and all items, of the current case
	missing int64
}

// newRandomShare returns a share whose number of items per case depends on the agent, such as the
// number of decisions.
func newRandomShare() share { return share{cases: stats.NewProportionWithRandomTrials()} }

func (s *share) add(ok bool) {
	s.m++
	if ok {
		s.k++
	}
}

// addVerdict counts a verdict as one item. An unscored verdict is missing.
func (s *share) addVerdict(v eval.Verdict) {
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

// total returns the number of items, including missing ones.
func (s *share) total() int64 { return s.cases.N() + s.missing }

func (s *share) estimate() eval.Estimate { return proportion(&s.cases, s.missing) }

// proportion returns the estimate of a proportion with its interval. If items are missing, it adds
// the value and the interval for the case that all of them are wrong, or all are right.
func proportion(s *stats.Proportion, missing int64) eval.Estimate {
	e := eval.Estimate{N: s.N(), Cases: casesIfClustered(s.Cases(), s.N()), Missing: missing}
	if v, ok := s.Value(); ok {
		e.Value = &v
	}
	if lo, hi, ok := s.Interval(level); ok {
		e.Lo, e.Hi = &lo, &hi
	}
	if missing > 0 {
		all := s.N() + missing
		e.WorstCase, e.BestCase = ratio(s.Successes(), all), ratio(s.Successes()+missing, all)
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
