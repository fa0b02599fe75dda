package model

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"

	"evalctl/mocks/random"
)

// Difficulty makes the errors of a simulated model depend on the case: all models, in all epochs,
// tend to fail on the same hard cases. Each case has an ease, a number that is uniform over the
// cases. An answer is correct if
//
//	sqrt(1-Correlation)·ε - sqrt(Correlation)·Φ⁻¹(ease) < Φ⁻¹(accuracy)
//
// where ε is standard normal and drawn for each answer (a Gaussian copula). The left side is
// standard normal over the cases, so the share of correct answers equals the accuracy. An answer
// that is correct at some accuracy is correct at any higher one.
type Difficulty struct {
	// correlation, 0..1, of the left sides for two answers to the same case; 0: errors are
	// independent of the case
	Correlation float64

	// IsMisleading reports whether the words of a text suggest a wrong label. Such texts get the
	// lowest ease. share is their share among the texts with the same label. ok is false if this is
	// unknown; the ease of a case is then independent of its words. Misled may be nil.
	IsMisleading func(text string) (misled bool, share float64, ok bool)
}

// ease returns the ease of the request's case, in (0, 1). A low ease means a hard case.
func (l *SimulatedRouter) ease(r Request) float64 {
	seed := random.Hash(l.CaseSeed, "difficulty")
	if r.Position == (CallPosition{}) {
		seed = random.Hash(seed, r.Text)
	} else {
		seed = random.Mix(seed, uint64(r.Position.Turn))
	}
	d := random.Rand{Seed: seed}
	u := d.Float64()
	if l.Difficulty.IsMisleading == nil {
		return u
	}
	misled, share, ok := l.Difficulty.IsMisleading(r.Text)
	switch {
	case !ok || share <= 0 || share >= 1:
		return u
	case misled:
		return share * u
	}
	return share + (1-share)*u
}

// correctnessDraw returns a number that is uniform over the cases. The answer is correct if the
// number is below the accuracy.
func (l *SimulatedRouter) correctnessDraw(r Request, unit float64) float64 {
	c := l.Difficulty.Correlation
	if c == 0 {
		return unit
	}
	x := math.Sqrt(1-c)*quantile(unit) - math.Sqrt(c)*quantile(l.ease(r))
	return math.Erfc(-x/math.Sqrt2) / 2
}

// bothCorrectProb returns the probability that two answers to the same case are both correct. It is
// the bivariate normal distribution at equal limits. Source: Drezner and Wesolowsky, "On the
// computation of the bivariate normal integral" (1990), with the correlation written as a sine.
func bothCorrectProb(accuracy, correlation float64) float64 {
	if accuracy <= 0 || accuracy >= 1 {
		return accuracy
	}
	h := quantile(accuracy)
	density := func(angle float64) float64 { return math.Exp(-h*h/(1+math.Sin(angle))) / (2 * math.Pi) }
	return accuracy*accuracy + quad.Fixed(density, 0, math.Asin(correlation), 48, nil, 0)
}

// quantile returns the quantile of the standard normal distribution at probability p.
func quantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }
