package stats

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/stat/distuv"
)

// pooledUnit is what values are rounded to, so that sums are whole numbers: exact,
// and the same in whatever order values come.
const pooledUnit = 1e-5

// PooledMean takes values within ±1,000, rounded to five decimals, and gives their
// mean. It holds 90 thousand million of them. The zero value is ready.
type PooledMean struct {
	n, sum  int64 // of units, as the next
	squares big.Int
}

// Add counts a value.
func (m *PooledMean) Add(v float64) {
	units := int64(math.Round(v / pooledUnit))
	m.n++
	m.sum += units
	m.squares.Add(&m.squares, big.NewInt(units*units))
}

// N is how many values there are.
func (m *PooledMean) N() int64 { return m.n }

// Value is the mean; false without a value.
func (m *PooledMean) Value() (float64, bool) {
	if m.n == 0 {
		return 0, false
	}
	return float64(m.sum) / float64(m.n) * pooledUnit, true
}

// Interval is Student's t interval of the mean, as if there were only n
// independent values of the same spread; ok is false with fewer than two.
//
// Source: Student, «The Probable Error of a PooledMean», Biometrika 6 (1908).
func (m *PooledMean) Interval(level float64, n int64) (lo, hi float64, ok bool) {
	mean, ok := m.Value()
	if !ok || n < 2 {
		return 0, 0, false
	}
	nu := float64(n - 1) // not n: the spread is about the values' own mean
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: nu}.Quantile(0.5 + level/2)
	half := t * math.Sqrt(m.spread()/nu)
	return mean - half, mean + half, true
}

// spread is the mean square of what the values are away from their mean:
// (n·Σx² − (Σx)²) / n². The difference of two great numbers is taken of whole
// ones, which lose nothing.
func (m *PooledMean) spread() float64 {
	count, sum := big.NewInt(m.n), big.NewInt(m.sum)
	var d big.Int
	d.Sub(d.Mul(count, &m.squares), sum.Mul(sum, sum))
	v, _ := d.Float64()
	n := float64(m.n)
	return v / n / n * pooledUnit * pooledUnit
}
