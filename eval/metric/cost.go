package metric

import (
	"math"

	"evalctl/eval"
)

// cost adds up US dollars in billionths, so that the order does not matter.
type cost struct {
	nanos   bigSum
	n       int64
	missing int64 // have no price, no count of what was billed, or a cost that is none
}

// add returns false for what is missing.
func (m *cost) add(usd *float64) bool {
	if usd == nil || !(*usd >= 0 && *usd <= eval.MaxCost) {
		m.missing++
		return false
	}
	m.n++
	m.nanos.add(int64(math.Round(*usd * 1e9)))
	return true
}

// total has no value where something has no price.
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
