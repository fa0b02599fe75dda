package model

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"

	"evalctl/mocks/random"
)

// Difficulty determines how much of an answer depends on the difficulty of its case. All answers to
// a case, in all epochs and of all models, share its ease, which is uniform over the cases. An
// answer is correct if
//
//	sqrt(1-Correlation)·ε - sqrt(Correlation)·Φ⁻¹(ease) < Φ⁻¹(accuracy)
//
// with ε standard normal and drawn for each answer (a Gaussian copula). The left side is standard
// normal over the cases, so the share of correct answers equals the accuracy. An answer that is
// correct at some accuracy is correct at any higher one.
type Difficulty struct {
	Correlation float64 // 0..1, between the left sides of two answers to a case; 0: answers are independent

	// Misled reports whether the words of a text suggest a wrong label. share is the share of such
	// texts among those with the same label; they get the lowest eases. ok is false if unknown;
	// then CaseSeed alone determines the ease. Misled may be nil.
	Misled func(text string) (misled bool, share float64, ok bool)
}

// ease returns the ease of the request's case, in (0, 1); low values are hard.
func (l *Labeled) ease(r Request) float64 {
	seed := random.Hash(l.CaseSeed, "difficulty")
	if r.Place == (Place{}) {
		seed = random.Hash(seed, r.Text)
	} else {
		seed = random.Mix(seed, uint64(r.Place.Turn))
	}
	d := random.Rand{Seed: seed}
	u := d.Float64()
	if l.Difficulty.Misled == nil {
		return u
	}
	misled, share, ok := l.Difficulty.Misled(r.Text)
	switch {
	case !ok || share <= 0 || share >= 1:
		return u
	case misled:
		return share * u
	}
	return share + (1-share)*u
}

// correctnessDraw returns a number uniform over the cases; the answer is correct if it is below the
// accuracy.
func (l *Labeled) correctnessDraw(r Request, unit float64) float64 {
	c := l.Difficulty.Correlation
	if c == 0 {
		return unit
	}
	x := math.Sqrt(1-c)*quantile(unit) - math.Sqrt(c)*quantile(l.ease(r))
	return math.Erfc(-x/math.Sqrt2) / 2
}

// bothCorrectProb returns the probability that two answers to a case are both correct: the
// bivariate normal distribution at equal limits. Source: Drezner and Wesolowsky, "On the
// computation of the bivariate normal integral" (1990), with the correlation written as a sine.
func bothCorrectProb(accuracy, correlation float64) float64 {
	if accuracy <= 0 || accuracy >= 1 {
		return accuracy
	}
	h := quantile(accuracy)
	density := func(angle float64) float64 { return math.Exp(-h*h/(1+math.Sin(angle))) / (2 * math.Pi) }
	return accuracy*accuracy + quad.Fixed(density, 0, math.Asin(correlation), 48, nil, 0)
}

// quantile returns a quantile of the standard normal distribution.
func quantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }
