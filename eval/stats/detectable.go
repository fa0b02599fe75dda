package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// MinDetectableDifference returns the minimum detectable difference: the smallest difference of two
// variants that the paired test on n cases detects with the given power. discordance is the share
// of cases in which the variants differ anyway. The difference is assumed to add further cases that
// differ. This holds if it affects cases that both variants nearly always have right. If these
// cases are uncertain anyway, fewer cases differ and the power is higher. ok is false if not even a
// difference in all n cases is detected, or if an argument is invalid.
func MinDetectableDifference(n int64, discordance, alpha, power float64) (difference float64, ok bool) {
	if n < 1 || !(discordance >= 0 && discordance <= 1) || !isLevel(alpha) || !isLevel(power) {
		return 0, false
	}
	p := newPower(n, alpha)
	exact := func(difference float64) bool { return p.power(min(discordance+difference, 1), difference) >= power }
	if !exact(1) {
		return 0, false
	}
	width := 1e-3 / float64(n+1000)
	near := bisect(0, 1, width, func(difference float64) bool {
		return p.normal(min(discordance+difference, 1), difference) >= power
	})
	low, high := near*0.8, min(near*1.2, 1) // the normal limit is cheap to compute and gives a close start
	for low > width && exact(low) {
		low /= 2
	}
	for !exact(high) {
		high = min(high*2, 1)
	}
	return bisect(low, high, width, exact), true
}

// MinDetectableDifferenceAllEpochs is [MinDetectableDifference] for a difference that comes from
// few cases which lose all of their epochs. Each of these differs by 1, so the variance of a case's
// difference d is s² + d − d². s² (the argument square) is the mean square of the differences that
// exist without them. The power is that of the normal limit. ok is false if no difference up to 1
// is detected, or an argument is invalid.
func MinDetectableDifferenceAllEpochs(n int64, square, alpha, power float64) (difference float64, ok bool) {
	if n < 1 || !(square >= 0 && square <= 1) || !isLevel(alpha) || !isLevel(power) {
		return 0, false
	}
	z := scores(alpha, power)
	z *= z
	// The root of n·d² = z²·(s² + d − d²).
	d := (z + math.Sqrt(z*z+4*(float64(n)+z)*z*square)) / 2 / (float64(n) + z)
	return d, d <= 1
}

// NeededCasesAllEpochs returns the smallest number of cases that detect the difference with
// the given power if the affected cases become wrong in all of their epochs. It inverts
// [MinDetectableDifferenceAllEpochs]. It returns 0 if no number up to 2⁴⁰ suffices or an argument is
// invalid.
func NeededCasesAllEpochs(square, difference, alpha, power float64) int64 {
	if !(difference > 0 && difference <= 1) || !(square >= 0 && square <= 1) || !isLevel(alpha) || !isLevel(power) {
		return 0
	}
	z := scores(alpha, power)
	n := math.Ceil(z * z * (square + difference - difference*difference) / difference / difference)
	if n > float64(maxNeeded) {
		return 0
	}
	return max(int64(n), 1)
}

// scores returns the sum of the normal scores of a two-sided alpha and of a power, as sample-size
// formulas use it.
func scores(alpha, power float64) float64 {
	return normalScore(1-alpha) + distuv.UnitNormal.Quantile(power)
}

// bisect returns the point where enough becomes true, to within width. enough is false at low and
// true at high.
func bisect(low, high, width float64, enough func(float64) bool) float64 {
	for high-low > width {
		if middle := (low + high) / 2; enough(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// MinDetectableDifference returns the minimum detectable difference of these cases: the smallest
// true difference that as many cases detect with the given power in a two-sided test at alpha. It
// assumes that the difference of a single case remains as large as it is in these cases. The number
// of cases that differ anyway is all that differ, except for the significant part of the observed
// difference: see [Discordance.UnexplainedShare]. For a difference that comes from few cases in all
// of their epochs see [Paired.MinDetectableDifferenceAllEpochs]. ok is false if not even a
// difference in every case is detected.
func (p *PairedAccuracy) MinDetectableDifference(alpha, power float64) (difference float64, ok bool) {
	if p.n == 0 {
		return 0, false
	}
	d := p.Discordance()
	flip, ok := MinDetectableDifference(p.n, d.UnexplainedShare(alpha), alpha, power)
	return flip * d.TypicalDifference(), ok
}

// MinDetectableDifferenceAllEpochs returns the smallest true difference that as many cases detect
// with the given power if it comes from few cases that lose all of their epochs; see the function
// [MinDetectableDifferenceAllEpochs]. ok is false with one epoch, which
// [Paired.MinDetectableDifference] covers.
func (p *PairedAccuracy) MinDetectableDifferenceAllEpochs(alpha, power float64) (difference float64, ok bool) {
	if !p.several {
		return 0, false
	}
	d := p.Discordance()
	flips, _ := p.MinDetectableDifference(alpha, power)
	difference, ok = MinDetectableDifferenceAllEpochs(p.n,
		d.UnexplainedShare(alpha)*d.TypicalDifference()*d.TypicalDifference(), alpha, power)
	return max(difference, flips), ok
}
