package metric

import (
	"evalctl/eval"
	"evalctl/eval/stats"
)

// level is the confidence level of all intervals.
const level = stats.Level

// count is a plain number without an interval.
func count(v float64, n int64) eval.Estimate { return eval.Estimate{Value: &v, N: n} }

// casesIfClustered returns the number of cases behind n values, 0 if each case has one value.
func casesIfClustered(cases, n int64) int64 {
	if cases == n {
		return 0
	}
	return cases
}

// mean accumulates an average and counts missing values.
type mean struct {
	cases   stats.Mean
	values  []float64 // of the current case
	missing int64
}

func (m *mean) add(v float64) { m.values = append(m.values, v) }

func (m *mean) endCase() {
	m.cases.Add(m.values...)
	m.values = m.values[:0]
}

// estimate adds Student's interval by case.
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
