package metric

import (
	"evalctl/eval"
	"evalctl/eval/stats"
)

// level is the confidence level of all intervals in this package.
const level = stats.ConfidenceLevel

// count returns an estimate without an interval, such as a number of calls. n is the number of
// observations.
func count(v float64, n int64) eval.Estimate { return eval.Estimate{Value: &v, N: n} }

// casesIfClustered returns the number of cases that n values come from. It returns 0 if each case
// has one value, because the number is then not shown.
func casesIfClustered(cases, n int64) int64 {
	if cases == n {
		return 0
	}
	return cases
}

// mean computes an average, with an interval that treats the values of a case as dependent. It
// counts missing values.
type mean struct {
	cases   stats.Mean
	values  []float64 // values of the current case
	missing int64
}

func (m *mean) add(v float64) { m.values = append(m.values, v) }

func (m *mean) endCase() {
	m.cases.Add(m.values...)
	m.values = m.values[:0]
}

// estimate returns the mean with Student's interval, computed over cases.
func (m *mean) estimate() eval.Estimate {
	e := eval.Estimate{N: m.cases.N(), Cases: casesIfClustered(m.cases.Cases(), m.cases.N()), Missing: m.missing}
	if v, ok := m.cases.Value(); ok {
		e.Value = &v
	}
	if lo, hi, ok := m.cases.Interval(level); ok {
		e.Lo, e.Hi = &lo, &hi
	}
	return e
}
