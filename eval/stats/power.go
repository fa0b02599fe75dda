package stats

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// maxExactFlips is the maximum expected number of differing cases for which power is summed
// exactly. Beyond it the normal limit is within 0.002.
const maxExactFlips = 400

// maxNeeded is the maximum result of [NeededCases].
const maxNeeded = int64(1) << 40

// Power returns the probability that the two-sided mid-p test of [Paired.MidP] rejects "no
// difference" at alpha. discordance is the share of the n cases that differ between A and B.
// difference is the difference of their accuracies. A discordance below the difference is raised to
// it, because at least that many cases must differ.
//
// The test depends only on the cases that differ, so the power is that of a sign test over a
// binomial number of them. Source: Connett, Smith & McHugh, "Sample size and power for pair-matched
// case-control studies", Statistics in Medicine 6 (1987), who give the exact sum and the normal
// limit; here with the mid-p.
func Power(n int64, discordance, difference, alpha float64) float64 {
	return newPower(n, alpha).power(discordance, difference)
}

// NeededCases returns the smallest number of cases with which [Power] reaches power. It is 0 if no
// number up to 2⁴⁰ suffices or an argument is invalid. discordance includes the difference, unlike
// in [MinDetectableDifference].
func NeededCases(discordance, difference, alpha, power float64) int64 {
	if !(difference > 0 && difference <= 1) || discordance < 0 || discordance > 1 || !isLevel(alpha) ||
		!isLevel(power) {
		return 0
	}
	enough := func(n int64) bool { return Power(n, discordance, difference, alpha) >= power }
	high := int64(1)
	for !enough(high) {
		if high *= 2; high > maxNeeded {
			return 0
		}
	}
	return high/2 + 1 + int64(sort.Search(int(high-high/2-1),
		func(i int) bool { return enough(high/2 + 1 + int64(i)) }))
}

// NeededCasesWithinMargin returns how many cases prove that a drop is below margin if there is no
// drop, with the given power at a one-sided alpha. variance is the variance of a case's difference.
// The result is 0 if no number suffices (a margin of 0) or an argument is invalid.
//
// Source: Blackwelder, "'Proving the null hypothesis' in clinical trials", Controlled Clinical
// Trials 3 (1982).
func NeededCasesWithinMargin(variance, margin, alpha, power float64) int64 {
	if !(variance >= 0) || !(margin > 0) || !isLevel(alpha) || !isLevel(power) {
		return 0
	}
	scores := distuv.UnitNormal.Quantile(1-alpha) + distuv.UnitNormal.Quantile(power)
	return int64(min(math.Ceil(scores*scores*variance/margin/margin), float64(maxNeeded)))
}

// powerOf computes the power of the paired test at alpha over n cases.
type powerOf struct {
	n        float64
	alpha    float64
	score    float64         // normal score for a two-sided alpha
	critical map[int64]int64 // for a number of differing cases, how many in one direction are significant
}

func newPower(n int64, alpha float64) *powerOf {
	return &powerOf{
		n:        float64(n),
		alpha:    alpha,
		score:    normalScore(1 - alpha),
		critical: make(map[int64]int64),
	}
}

func (p *powerOf) power(discordance, difference float64) float64 {
	difference = math.Abs(difference)
	discordance = max(discordance, difference)
	if discordance == 0 {
		return 0
	}
	expected := p.n * discordance
	if expected > maxExactFlips {
		return p.normal(discordance, difference)
	}
	if discordance == 1 {
		return p.powerAt(int64(p.n), (1+difference)/2)
	}
	flips := distuv.Binomial{N: p.n, P: discordance}
	reach := 7*math.Sqrt(expected) + 7
	sum := 0.0
	for m := max(math.Floor(expected-reach), 0); m <= min(expected+reach, p.n); m++ {
		sum += flips.Prob(m) * p.powerAt(int64(m), (1+difference/discordance)/2)
	}
	return sum
}

// powerAt returns the power if flips cases differ, each in the direction of the difference with
// probability chance.
func (p *powerOf) powerAt(flips int64, chance float64) float64 {
	least := p.criticalFlips(flips)
	if least > flips {
		return 0
	}
	if chance == 1 {
		return 1 // all differ in one direction
	}
	m, most := float64(flips), float64(flips-least)
	return distuv.Binomial{N: m, P: 1 - chance}.CDF(most) + distuv.Binomial{N: m, P: chance}.CDF(most)
}

// criticalFlips returns how many of flips differing cases must be in one direction for a mid-p of
// at most alpha; flips+1 if not even all suffice.
func (p *powerOf) criticalFlips(flips int64) int64 {
	if c, known := p.critical[flips]; known {
		return c
	}
	fair := distuv.Binomial{N: float64(flips), P: 0.5}
	enough := func(majority int64) bool {
		minority := float64(flips - majority)
		return 2*fair.CDF(minority)-fair.Prob(minority) <= p.alpha
	}
	least := flips/2 + 1
	// the normal limit is a close start
	c := min(max(least, int64((float64(flips)+p.score*math.Sqrt(float64(flips)))/2)), flips+1)
	for c > least && enough(c-1) {
		c--
	}
	for c <= flips && !enough(c) {
		c++
	}
	p.critical[flips] = c
	return c
}

// normal returns the power in the normal limit: the test compares the sum of the differences with
// the square root of the number of differing cases.
func (p *powerOf) normal(discordance, difference float64) float64 {
	sd := math.Sqrt(discordance - difference*difference)
	if sd == 0 {
		return 1
	}
	shift, limit := difference*math.Sqrt(p.n)/sd, p.score*math.Sqrt(discordance)/sd
	return distuv.UnitNormal.CDF(shift-limit) + distuv.UnitNormal.CDF(-shift-limit)
}
