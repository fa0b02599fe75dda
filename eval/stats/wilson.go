package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Wilson returns the Wilson score interval, without continuity correction, of a proportion with k
// successes in n trials. It contains every p that the score test does not reject:
//
//	|k/n − p| ≤ z·√(p(1−p)/n),   z = Φ⁻¹((1+level)/2)
//
// k and n may be fractions, for an effective number of trials. n = 0 gives (0, 1). An invalid count
// or level (k outside 0…n, level outside the open interval 0…1) gives (NaN, NaN), which no gate
// accepts.
//
// Sources: E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference",
// JASA 22 (1927); recommended for small n by Brown, Cai & DasGupta, "Interval Estimation for a
// Binomial Proportion", Statistical Science 16 (2001).
func Wilson[N int | int64 | float64](k, n N, level float64) (lo, hi float64) {
	if k < 0 || k > n || !isLevel(level) {
		return math.NaN(), math.NaN()
	}
	if n == 0 {
		return 0, 1
	}
	z := normalScore(level)
	trials, p := float64(n), float64(k)/float64(n)
	shrunk := z * z / trials
	centre := (p + shrunk/2) / (1 + shrunk)
	half := z / (1 + shrunk) * math.Sqrt(p*(1-p)/trials+shrunk/(4*trials))
	lo, hi = max(0, centre-half), min(1, centre+half)
	// The ends are exact; floating point would be a few ulps off.
	if k == 0 {
		lo = 0
	}
	if k == n {
		hi = 1
	}
	return lo, hi
}

// normalScore returns the two-sided critical value of the normal distribution: 1.96 for level 0.95.
func normalScore(level float64) float64 {
	return -distuv.UnitNormal.Quantile((1 - level) / 2)
}

// isLevel reports whether level is inside the open interval 0…1. It is false for NaN.
func isLevel(level float64) bool { return level > 0 && level < 1 }
