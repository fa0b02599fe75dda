package metric

import (
	"evalctl/eval"
	"evalctl/eval/stats"
)

// level of all intervals.
const level = 0.95

// count is a plain number without an interval.
func count(v float64, n int64) eval.Estimate { return eval.Estimate{Value: &v, N: n} }

// mean is an average in the making, with missing values besides.
type mean struct {
	stats.PooledMean
	missing int64
}

// estimate has Student's interval; the epochs of a case count as one observation.
func (m *mean) estimate(epochs int64) eval.Estimate {
	e := eval.Estimate{N: m.N(), Missing: m.missing}
	if v, ok := m.Value(); ok {
		e.Value = &v
	}
	if lo, hi, ok := m.Interval(level, over(m.N(), epochs)); ok {
		e.Lo, e.Hi = &lo, &hi
	}
	return e
}

// over divides, to the nearest.
func over(n, epochs int64) int64 { return (n + epochs/2) / epochs }
