package metric

import (
	"math"

	"evalctl/eval"
)

// cost is a sum of US dollars, in billionths as integers, so that the sum does not depend on the
// order.
type cost struct {
	nanos   bigSum
	n       int64
	missing int64 // items without a price, without reported usage, or with an invalid cost
}

// add adds the cost of one item. It returns false if the cost is missing or invalid.
func (m *cost) add(usd *float64) bool {
	if usd == nil || !(*usd >= 0 && *usd <= eval.MaxCost) {
		m.missing++
		return false
	}
	m.n++
	m.nanos.add(int64(math.Round(*usd * 1e9)))
	return true
}

// total returns the sum. It has no value if the cost of any item is missing.
func (m cost) total() eval.Estimate {
	e := eval.Estimate{N: m.n, Missing: m.missing}
	if m.missing == 0 && m.n > 0 {
		v := m.nanos.float() / 1e9
		e.Value = &v
	}
	return e
}

func (m cost) mean() eval.Estimate {
	e := m.total()
	if e.Value != nil {
		*e.Value /= float64(m.n)
	}
	return e
}
