package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Detectable is the least difference that n cases prove with that power, where the
// share discordance differs between A and B without it: the flips of the difference
// come on top, and replace none. That is so where cases that both have right nearly
// always are lost; where they are a toss already, or flips change their direction,
// less differs than is allowed for, and the power is above the one asked for. ok is
// false where even n flips in one direction do not, or an argument makes no sense.
func Detectable(n int64, discordance, alpha, power float64) (difference float64, ok bool) {
	if n < 1 || !(discordance >= 0 && discordance <= 1) || !isLevel(alpha) || !isLevel(power) {
		return 0, false
	}
	p := newPower(n, alpha)
	exact := func(difference float64) bool { return p.at(min(discordance+difference, 1), difference) >= power }
	if !exact(1) {
		return 0, false
	}
	width := 1e-3 / float64(n+1000)
	near := least(0, 1, width, func(difference float64) bool {
		return p.normal(min(discordance+difference, 1), difference) >= power
	})
	low, high := near*0.8, min(near*1.2, 1) // the limit costs little
	for low > width && exact(low) {
		low /= 2
	}
	for !exact(high) {
		high = min(high*2, 1)
	}
	return least(low, high, width, exact), true
}

// DetectableInAllEpochs is the least difference that n cases prove with that power if
// it is made by cases that lose all of their epochs. Each of these differs by 1, so the
// variance of a case's difference d is s² + d − d², where s² is the mean square of the
// differences that there are without it. The power is that of the normal limit. ok is
// false where no difference up to 1 is proven, or an argument makes no sense.
func DetectableInAllEpochs(n int64, square, alpha, power float64) (difference float64, ok bool) {
	if n < 1 || !(square >= 0 && square <= 1) || !isLevel(alpha) || !isLevel(power) {
		return 0, false
	}
	z := scores(alpha, power)
	z *= z
	// The root of n·d² = z²·(s² + d − d²).
	d := (z + math.Sqrt(z*z+4*(float64(n)+z)*z*square)) / 2 / (float64(n) + z)
	return d, d <= 1
}

// NeededInAllEpochs is the least number of cases with which [DetectableInAllEpochs]
// reaches the difference, 0 where no number up to 2⁴⁰ does or an argument makes no sense.
func NeededInAllEpochs(square, difference, alpha, power float64) int64 {
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

// scores is the sum of the normal scores of a two-sided alpha and of a power.
func scores(alpha, power float64) float64 {
	return normalScore(1-alpha) + distuv.UnitNormal.Quantile(power)
}

// least is where enough, false at low and true at high, becomes true.
func least(low, high, width float64, enough func(float64) bool) float64 {
	for high-low > width {
		if middle := (low + high) / 2; enough(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// Detectable is the least true difference that so many cases prove with that power in
// a two-sided test at alpha, in differences as large as these and besides them: what B
// loses makes more cases differ, and takes no gain away. What differs without is all
// but what is proven of the observed difference: see [Discordance.Share]. A difference
// made by few cases, in all of their epochs, must be larger: [DetectableInAllEpochs]. See
// the function [Detectable]; ok is false where even a difference in every case is not
// proven.
func (p *Paired) Detectable(alpha, power float64) (difference float64, ok bool) {
	if p.n == 0 {
		return 0, false
	}
	d := p.Discordance()
	flip, ok := Detectable(p.n, d.Share(alpha), alpha, power)
	return flip * d.Size(), ok
}

// DetectableInAllEpochs is the least difference that so many cases prove with that power
// if it is made by cases that lose all of their epochs; see the function of that name. ok
// is false with one epoch, of which [Paired.Detectable] is true as it stands.
func (p *Paired) DetectableInAllEpochs(alpha, power float64) (difference float64, ok bool) {
	if !p.several {
		return 0, false
	}
	d := p.Discordance()
	flips, _ := p.Detectable(alpha, power)
	difference, ok = DetectableInAllEpochs(p.n, d.Share(alpha)*d.Size()*d.Size(), alpha, power)
	return max(difference, flips), ok
}
