package metric

import (
	"math"

	"evalctl/eval"
)

// money adds up US dollars in billionths, so that the order does not matter.
type money struct {
	nanos   int64
	unknown bool // something has no price
}

func (m *money) add(dollars *float64) {
	if dollars == nil {
		m.unknown = true
		return
	}
	m.nanos += int64(math.Round(*dollars * 1e9))
}

// total has no value where something has no price.
func (m money) total(n int64) eval.Estimate {
	if m.unknown || n == 0 {
		return eval.Estimate{N: n}
	}
	return count(float64(m.nanos)/1e9, n)
}

func (m money) mean(n int64) eval.Estimate {
	e := m.total(n)
	if e.Value != nil {
		*e.Value /= float64(n)
	}
	return e
}
