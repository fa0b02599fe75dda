package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// meanUnit is what values are rounded to, so that sums are exact and do not
// depend on their order.
const meanUnit = 1e-5

// Mean takes values within ±1,000 and gives their mean, to five decimals. Up
// to nine million values of that size fit.
type Mean struct {
	n, sum  int64
	squares uint64Pair
}

// uint64Pair is a sum of squares of 128 bits.
type uint64Pair struct{ hi, lo uint64 }

// Add counts a value.
func (m *Mean) Add(v float64) {
	units := int64(math.Round(v / meanUnit))
	m.n++
	m.sum += units
	m.squares.add(uint64(units * units))
}

func (p *uint64Pair) add(v uint64) {
	if p.lo += v; p.lo < v {
		p.hi++
	}
}

func (p uint64Pair) float() float64 { return float64(p.hi)*(1<<63)*2 + float64(p.lo) }

// N is how many values there are.
func (m *Mean) N() int64 { return m.n }

// Value is the mean; false without a value.
func (m *Mean) Value() (float64, bool) {
	if m.n == 0 {
		return 0, false
	}
	return float64(m.sum) / float64(m.n) * meanUnit, true
}

// Interval is Student's t interval of the mean, as if there were only n
// independent values of the same spread; false with fewer than two.
//
// Source: Student, The probable error of a mean, Biometrika 6 (1908).
func (m *Mean) Interval(level float64, n int64) (lo, hi float64, ok bool) {
	mean, ok := m.Value()
	if !ok || m.n < 2 || n < 2 {
		return 0, 0, false
	}
	sum, count := float64(m.sum), float64(m.n)
	variance := max(m.squares.float()-sum*sum/count, 0) / (count - 1) * meanUnit * meanUnit
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(n - 1)}.Quantile(0.5 + level/2)
	half := t * math.Sqrt(variance/float64(n))
	return mean - half, mean + half, true
}
