package model

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"

	"evalctl/mocks/random"
)

// Difficulty is how much of an answer depends on how hard its case is. All answers to a case, in
// all epochs and of all models, share its ease, which is uniform over the cases. An answer is
// right if
//
//	sqrt(1-Correlation)·ε - sqrt(Correlation)·Φ⁻¹(ease) < Φ⁻¹(accuracy)
//
// with ε standard normal and drawn for the answer: a Gaussian copula. The left side is standard
// normal over the cases, so the share of right answers is exactly the accuracy, and one answer
// that is right at some accuracy is right at any higher one.
type Difficulty struct {
	Correlation float64 // 0..1, of the left sides of two answers to a case; 0: answers are independent

	// Misled reports whether the words of a text point to a wrong label, and in what share of
	// the texts of that label they do: those get the lowest eases. ok is false where that is not
	// known; nil: it is never known. The ease is drawn by CaseSeed otherwise.
	Misled func(text string) (misled bool, share float64, ok bool)
}

// ease of the request's case, in (0, 1), the hardest first.
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

// hitUnit is uniform over the cases; the answer is right if it is below the accuracy.
func (l *Labeled) hitUnit(r Request, unit float64) float64 {
	c := l.Difficulty.Correlation
	if c == 0 {
		return unit
	}
	x := math.Sqrt(1-c)*quantile(unit) - math.Sqrt(c)*quantile(l.ease(r))
	return math.Erfc(-x/math.Sqrt2) / 2
}

// bothRight is the chance that two answers to a case are right: the bivariate normal
// distribution at equal limits. Source: Drezner and Wesolowsky, "On the computation of the
// bivariate normal integral" (1990), with the correlation written as a sine.
func bothRight(accuracy, correlation float64) float64 {
	if accuracy <= 0 || accuracy >= 1 {
		return accuracy
	}
	h := quantile(accuracy)
	density := func(angle float64) float64 { return math.Exp(-h*h/(1+math.Sin(angle))) / (2 * math.Pi) }
	return accuracy*accuracy + quad.Fixed(density, 0, math.Asin(correlation), 48, nil, 0)
}

// quantile of the standard normal distribution.
func quantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }
