package metric

import (
	"fmt"
	"math"
	"time"

	"evalctl/eval"
	"evalctl/eval/stats"
)

// times computes the quantiles and the mean of durations, in milliseconds. It counts missing
// durations.
type times struct {
	sketch  stats.QuantileSketch
	mean    mean
	current []int64 // durations of the current case, in nanoseconds
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

// close adds the metrics NAME.p50, p90, p95, p99 and mean to the condition's summary.
func (t *times) close(into *eval.ConditionSummary, name string) {
	for _, p := range []int{50, 90, 95, 99} {
		into.Metrics[fmt.Sprintf("%s.p%d", name, p)] = t.quantile(float64(p) / 100)
	}
	t.mean.missing = t.missing
	into.Metrics[name+".mean"] = atLeast(0, t.mean.estimate())
}

// quantile returns the estimate of a quantile with its interval. With too few values, the interval
// has only a lower limit. If values are missing, it adds the quantile for the case that all of them
// are slower, or all faster, than the measured ones. Such a bound is nil if it would itself be a
// missing value.
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
	if ties := s.TiesAtQuantile(q); ties > 1 {
		e.Ties = ties
	}
	if lo, hi, ok := s.Interval(q, level); ok {
		e.Lo, e.Hi = millis(lo), millis(hi)
	} else if lo, ok := s.LowerBound(q, level); ok {
		e.Lo = millis(lo)
	}
	return e
}

// atRank returns the value at a rank, from 1; nil beyond the last value.
func atRank(s *stats.QuantileSketch, rank int64) *float64 {
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
