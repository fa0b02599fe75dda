package metric

import (
	"fmt"
	"math"
	"time"

	"evalctl/eval"
	"evalctl/eval/stats"
)

// times accumulates durations and derives their quantiles and mean, in milliseconds. It counts
// missing ones.
type times struct {
	sketch  stats.Sketch
	mean    mean
	current []int64 // of the current case, in nanoseconds
	missing int64
}

func (t *times) add(d eval.Millis) {
	t.current = append(t.current, int64(d))
	t.mean.add(float64(d) / float64(time.Millisecond))
}

func (t *times) endCase() {
	t.sketch.AddCase(t.current...)
	t.current = t.current[:0]
	t.mean.endCase()
}

// close writes NAME.p50, p90, p95, p99 and mean.
func (t *times) close(into *eval.ConditionSummary, name string) {
	for _, p := range []int{50, 90, 95, 99} {
		into.Metrics[fmt.Sprintf("%s.p%d", name, p)] = t.quantile(float64(p) / 100)
	}
	t.mean.missing = t.missing
	into.Metrics[name+".mean"] = t.mean.estimate()
}

// quantile adds the interval: one-sided if there are too few values for two sides. It also adds the
// bounds if all missing values were slower or faster than all measured ones. A bound is nil if it
// would be a missing value.
func (t *times) quantile(q float64) eval.Estimate {
	s := &t.sketch
	e := eval.Estimate{N: s.N(), Cases: casesIfClustered(t.mean.cases.Cases(), s.N()), Missing: t.missing}
	if v, ok := s.Quantile(q); ok {
		e.Value = millis(v)
	}
	if t.missing > 0 {
		rank := int64(math.Ceil(q * float64(s.N()+t.missing)))
		e.WorstCase, e.BestCase = atRank(s, rank), atRank(s, max(rank-t.missing, 1))
	}
	if ties := s.Ties(q); ties > 1 {
		e.Ties = ties
	}
	if lo, hi, ok := s.Interval(q, level); ok {
		e.Lo, e.Hi = millis(lo), millis(hi)
	} else if lo, ok := s.AtLeast(q, level); ok {
		e.Lo = millis(lo)
	}
	return e
}

// atRank returns the value at a rank from 1; nil beyond the last.
func atRank(s *stats.Sketch, rank int64) *float64 {
	if rank > s.N() {
		return nil
	}
	v, ok := s.Quantile(float64(rank) / float64(s.N()))
	if !ok {
		return nil
	}
	return millis(v)
}

func millis(ns int64) *float64 {
	v := float64(ns) / float64(time.Millisecond)
	return &v
}
