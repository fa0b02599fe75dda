package metric

import (
	"fmt"
	"math"
	"time"

	"evalctl/eval"
	"evalctl/eval/stats"
)

// times are durations in the making: their quantiles and their mean, in
// milliseconds, with missing ones besides.
type times struct {
	sketch  stats.Sketch
	mean    mean
	values  []int64 // of the case under way, in nanoseconds
	missing int64
}

func (t *times) add(d eval.Millis) {
	t.values = append(t.values, int64(d))
	t.mean.add(float64(d) / float64(time.Millisecond))
}

func (t *times) endCase() {
	t.sketch.AddCase(t.values...)
	t.values = t.values[:0]
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

// quantile has its interval, of one side where there are too few values for two,
// and the bounds if all missing were slower, or faster, than all that were
// measured; none where a bound would be one of the missing.
func (t *times) quantile(q float64) eval.Estimate {
	s := &t.sketch
	e := eval.Estimate{N: s.N(), Cases: fewer(t.mean.cases.Cases(), s.N()), Missing: t.missing}
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

// atRank is the value of a rank from 1, nil beyond the last.
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
