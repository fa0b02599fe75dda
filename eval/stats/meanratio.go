package stats

import (
	"cmp"
	"math"
	"math/big"
	"slices"
)

const (
	// maxMatched is the maximum number of cases that a [MeanRatio] stores, and of values per side
	// in a [PairedQuantiles]. Beyond it they have no interval.
	maxMatched = 16384
	// exactBits is the precision of a sum that holds values between 1e-15 and 1e15 without
	// rounding.
	exactBits = 256
)

// MeanRatio accumulates the mean of B divided by the mean of A over the same cases, such as a cost
// ratio. A case is added once for all its epochs. The zero value is empty.
type MeanRatio struct {
	n          int64
	sumA, sumB big.Float // exact, so independent of the order
	cases      []amounts // all cases; nil beyond maxMatched
}

// amounts has the amounts of one case under A and under B.
type amounts struct{ a, b float64 }

// Add adds a case with its amounts under A and under B. Negative and non-finite amounts are
// ignored.
func (r *MeanRatio) Add(a, b float64) {
	if !isAmount(a) || !isAmount(b) {
		return
	}
	r.n++
	addExactly(&r.sumA, a)
	addExactly(&r.sumB, b)
	if r.n > maxMatched {
		r.cases = nil
		return
	}
	r.cases = append(r.cases, amounts{a: a, b: b})
}

func isAmount(v float64) bool { return v >= 0 && !math.IsInf(v, 1) }

func addExactly(sum *big.Float, v float64) {
	if sum.Prec() == 0 {
		sum.SetPrec(exactBits)
	}
	sum.Add(sum, big.NewFloat(v))
}

// N returns the number of cases.
func (r *MeanRatio) N() int64 { return r.n }

// Value returns the mean of B divided by the mean of A; false if the amounts of either sum to 0.
func (r *MeanRatio) Value() (float64, bool) {
	a, b := r.sums()
	if a == 0 || b == 0 {
		return 0, false
	}
	return b / a, true
}

func (r *MeanRatio) sums() (a, b float64) {
	a, _ = r.sumA.Float64()
	b, _ = r.sumB.Float64()
	return a, b
}

// Interval returns a confidence interval of the ratio. It is symmetric on the logarithm of the
// ratio, with the jackknife standard error by case. ok is false without a ratio, for a single case,
// for more than 16,384 cases, and if one case has the whole amount of A or of B. With heavy tails
// it needs 100 cases.
//
// Source: Efron & Stein, "The Jackknife Estimate of Variance", Annals of Statistics 9 (1981).
func (r *MeanRatio) Interval(level float64) (lo, hi float64, ok bool) {
	ratio, ok := r.Value()
	if !ok || len(r.cases) < 2 || !isLevel(level) {
		return 0, 0, false
	}
	se, ok := r.errorOfLog()
	factor := math.Exp(normalScore(level) * se)
	return ratio / factor, ratio * factor, ok
}

// errorOfLog returns the jackknife standard error of the ratio's logarithm.
func (r *MeanRatio) errorOfLog() (se float64, ok bool) {
	slices.SortFunc(r.cases, func(x, y amounts) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) })
	sumA, sumB := r.sums()
	without := make([]float64, len(r.cases))
	for i, c := range r.cases {
		if !(sumA-c.a > 0 && sumB-c.b > 0) {
			return 0, false
		}
		without[i] = math.Log((sumB - c.b) / (sumA - c.a))
	}
	n := float64(len(without))
	return math.Sqrt((n - 1) / n * squaredDeviations(without)), true
}

func squaredDeviations(values []float64) (sum float64) {
	mean := 0.0
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		sum += (v - mean) * (v - mean)
	}
	return sum
}
