package stats

import (
	"math"
	"math/big"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"
)

// unitsInOne is the resolution of values: they are rounded to 1e-9. This makes sums integers: exact
// and independent of the order.
const unitsInOne = 1e9

// MeanConfidence accumulates the mean of all values. The values of a case (its epochs, turns or
// calls) form one cluster. Values are rounded to nine decimals. The zero value is empty.
type Mean struct {
	n, cases   int64
	sum        big.Int // Σsᵢ, where sᵢ is the sum of the values of case i, in units of 1e-9
	sumSquares big.Int // Σsᵢ²
	products   big.Int // Σsᵢmᵢ, where mᵢ is the number of values of case i
	sizes      big.Int // Σmᵢ²
}

// scratch has temporary integers for Add, which a pool reuses.
type scratch struct{ sum, value, size, term big.Int }

var scratchPool = sync.Pool{New: func() any { return new(scratch) }}

// Add adds a case with its values. Values that are not finite are ignored.
func (m *Mean) Add(values ...float64) {
	tmp := scratchPool.Get().(*scratch)
	defer scratchPool.Put(tmp)
	sum, n := tmp.sum.SetInt64(0), int64(0)
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v*unitsInOne, 0) {
			continue
		}
		sum.Add(sum, units(v, &tmp.value))
		n++
	}
	if n == 0 {
		return
	}
	m.n, m.cases = m.n+n, m.cases+1
	size, term := tmp.size.SetInt64(n), &tmp.term
	if sum.Sign() != 0 {
		m.sum.Add(&m.sum, sum)
		m.products.Add(&m.products, term.Mul(sum, size))
		m.sumSquares.Add(&m.sumSquares, term.Mul(sum, sum))
	}
	m.sizes.Add(&m.sizes, term.Mul(size, size))
}

// units converts v to integer units of 1e-9 and stores the result in room.
func units(v float64, room *big.Int) *big.Int {
	v = math.Round(v * unitsInOne)
	if math.Abs(v) < math.MaxInt64 {
		return room.SetInt64(int64(v))
	}
	whole, _ := big.NewFloat(v).Int(room)
	return whole
}

// N returns the number of values.
func (m *Mean) N() int64 { return m.n }

// Cases returns the number of cases.
func (m *Mean) Cases() int64 { return m.cases }

// Value returns the mean; false without values.
func (m *Mean) Value() (float64, bool) {
	if m.n == 0 {
		return 0, false
	}
	sum, _ := new(big.Float).SetInt(&m.sum).Float64()
	return sum / float64(m.n) / unitsInOne, true
}

// Interval returns Student's t interval of the mean, with G − 1 degrees of freedom. The variance is
// that of the cases' sums around their expectation:
//
//	x̄ ± t·√(G/(G−1)·Σ(sᵢ − mᵢx̄)²)/N
//
// G is the number of cases, N that of values; sᵢ is the sum and mᵢ the number of the values of case
// i. With one value per case it is the textbook formula. ok is false with fewer than two cases.
//
// Sources: Student, "The Probable Error of a Mean", Biometrika 6 (1908); Cochran, "Sampling
// Techniques", 3rd ed. (1977), §9A.1, for the ratio of sums over clusters.
func (m *Mean) Interval(level float64) (lo, hi float64, ok bool) {
	mean, ok := m.Value()
	if !ok || m.cases < 2 || !isLevel(level) {
		return 0, 0, false
	}
	g := float64(m.cases)
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: g - 1}.Quantile(0.5 + level/2)
	half := t * math.Sqrt(g/(g-1)*m.spread()) / float64(m.n)
	return mean - half, mean + half, true
}

// spread returns the numerator of the variance, Σ(sᵢ − mᵢx̄)² = (N²Σsᵢ² − 2NSΣsᵢmᵢ + S²Σmᵢ²) / N²,
// with x̄ = S/N. The difference of large numbers is exact because they are integers.
func (m *Mean) spread() float64 {
	var d, term big.Int
	n := big.NewInt(m.n)
	d.Mul(&m.sumSquares, n).Mul(&d, n)
	d.Sub(&d, term.Mul(&m.products, n).Mul(&term, &m.sum).Lsh(&term, 1))
	d.Add(&d, term.Mul(&m.sizes, &m.sum).Mul(&term, &m.sum))
	v, _ := new(big.Float).SetInt(&d).Float64()
	return v / float64(m.n) / float64(m.n) / unitsInOne / unitsInOne
}
