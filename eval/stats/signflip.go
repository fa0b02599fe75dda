package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// maxFlipWork limits the number of additions for an exact sign-flip distribution. It suffices for
// 8,191 differences of one size. Beyond it the normal limit is used, which is within 0.0005 of the
// exact p-value.
const maxFlipWork = 1 << 26

// flips is n differences of the same absolute size, in integer units.
type flips struct{ size, n int64 }

// signFlips is the null distribution of the sign-flip test: the sum of differences with independent
// random signs.
type signFlips struct {
	groups []flips // by size
	total  int64   // sum of all sizes
	unit   int64   // greatest common divisor of the sizes
}

func newSignFlips(groups []flips) signFlips {
	s := signFlips{groups: groups}
	for _, g := range groups {
		s.total += g.size * g.n
		s.unit = gcd(s.unit, g.size)
	}
	return s
}

// beyond returns the two-sided probabilities that the sum is farther from 0 than t, and that it is
// equally far. t must be a possible sum.
func (s signFlips) beyond(t int64) (farther, equal float64) {
	if s.total == 0 {
		return 0, 1
	}
	if s.work() > maxFlipWork {
		return s.normalBeyond(t)
	}
	law := s.law()
	at := (s.total + abs(t)) / 2 / s.unit // units with the sign of t
	for _, p := range slices.Backward(law[at+1:]) {
		farther += 2 * p
	}
	equal = law[at]
	if t != 0 {
		equal *= 2
	}
	return farther, equal
}

// work returns about twice the number of additions that law performs.
func (s signFlips) work() (additions float64) {
	for _, g := range s.groups {
		additions += float64(g.n) * float64(s.total/s.unit)
	}
	return additions
}

// law returns the exact distribution: for each i, the probability that the positive differences sum
// to i units.
func (s signFlips) law() []float64 {
	law := make([]float64, s.total/s.unit+1)
	law[0] = 1
	top := 0
	for _, g := range s.groups {
		size := int(g.size / s.unit)
		for range g.n {
			top += size
			for i := top; i >= size; i-- {
				law[i] = (law[i] + law[i-size]) / 2
			}
			for i := range size {
				law[i] /= 2
			}
		}
	}
	return law
}

// normalBeyond approximates beyond by the normal distribution of the same variance. A sum covers an
// interval of one unit to each side.
func (s signFlips) normalBeyond(t int64) (farther, equal float64) {
	variance := 0.0
	for _, g := range s.groups {
		variance += float64(g.n) * float64(g.size) * float64(g.size)
	}
	sd := math.Sqrt(variance)
	tail := func(x float64) float64 { return 2 * distuv.UnitNormal.Survival(x/sd) }
	at, unit := float64(abs(t)), float64(s.unit)
	farther = tail(at + unit)
	return farther, tail(max(at-unit, 0)) - farther
}

func abs(v int64) int64 { return max(v, -v) }

// gcd returns the greatest common divisor of a ≥ 0 and b ≥ 0; gcd(0, b) is b.
func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
