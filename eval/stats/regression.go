package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// RegressionToMean returns how much scores below a cutoff c are expected to rise in a second
// judgment of the same item, by noise alone: noise²·f(c)/F(c). Here f and F (density and below) are
// the density and the distribution function of all first scores. The noise is the standard
// deviation of a judgment. Judgments have normal noise; quality may have any distribution. A Critic
// loop appears to gain this amount without a true gain. ok is false if no score is below the
// cutoff.
//
// Sources: Tweedie's formula in Efron, "Tweedie's Formula and Selection Bias", JASA 106 (2011); for
// normal quality Davis, "The Effect of Regression to the Mean in Epidemiologic and Clinical
// Studies", American Journal of Epidemiology 104 (1976).
func RegressionToMean(noise, density, below float64) (rise float64, ok bool) {
	if !(noise >= 0) || !(density >= 0) || !(below > 0 && below <= 1) {
		return 0, false
	}
	return noise * noise * density / below, true
}

// NormalRegressionToMean is [RegressionToMean] for normally distributed scores. It returns the rise
// to expect by chance if items with a first score below cutoff are scored again. mean and sd are of
// all first scores; noise is the standard deviation of repeated scores of one item.
func NormalRegressionToMean(noise, mean, sd, cutoff float64) (rise float64, ok bool) {
	if !(sd > 0) {
		return 0, false
	}
	scores := distuv.Normal{Mu: mean, Sigma: sd}
	return RegressionToMean(noise, scores.Prob(cutoff), scores.CDF(cutoff))
}

// EmpiricalRegressionToMean returns [RegressionToMean] with the density and distribution estimated
// from the first scores. The density is estimated with a normal kernel. It is too large if the
// cutoff is in a valley between two clusters of quality. ok is false with fewer than 30 scores, or
// if all are equal.
//
// Source of the kernel's width: Silverman, "Density Estimation" (1986), eq. 3.31.
func EmpiricalRegressionToMean(noise float64, scores []float64, cutoff float64) (rise float64, ok bool) {
	n := float64(len(scores))
	if len(scores) < 30 {
		return 0, false
	}
	sorted := slices.Sorted(slices.Values(scores))
	spread := math.Sqrt(squaredDeviations(sorted) / (n - 1))
	if quartiles := (sorted[len(sorted)*3/4] - sorted[len(sorted)/4]) / 1.349; quartiles > 0 {
		spread = min(spread, quartiles)
	}
	width := 0.9 * spread * math.Pow(n, -0.2)
	if !(width > 0) {
		return 0, false
	}
	density, below := 0.0, 0.0
	for _, s := range sorted {
		density += distuv.UnitNormal.Prob((s-cutoff)/width) / width / n
		if s < cutoff {
			below += 1 / n
		}
	}
	return RegressionToMean(noise, density, below)
}
