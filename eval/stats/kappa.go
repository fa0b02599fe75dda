package stats

import "math"

// RatingCounts counts the judgments of two raters on the same items, each positive or negative.
type RatingCounts struct{ both, first, second, neither int64 }

// Add counts one item with the judgment of the first and of the second rater; true is positive.
func (r *RatingCounts) Add(first, second bool) {
	switch {
	case first && second:
		r.both++
	case first:
		r.first++
	case second:
		r.second++
	default:
		r.neither++
	}
}

// Kappa accumulates Cohen's κ: the agreement of two raters beyond chance, given each rater's rate
// of positive judgments. The items of a case form one cluster, so they are added together. The zero
// value is empty.
//
// Source: Cohen, "A Coefficient of Agreement for Nominal Scales", Educational and Psychological
// Measurement 20 (1960).
type Kappa struct {
	all   RatingCounts
	agree Proportion
}

// AddCase adds the judgments of all items of a case. A case without items is ignored.
func (k *Kappa) AddCase(r RatingCounts) {
	k.agree.Add(r.both+r.neither, r.both+r.first+r.second+r.neither)
	k.all.both += r.both
	k.all.first += r.first
	k.all.second += r.second
	k.all.neither += r.neither
}

// N returns the number of items that both raters judged.
func (k *Kappa) N() int64 { return k.agree.N() }

// Cases returns the number of cases.
func (k *Kappa) Cases() int64 { return k.agree.Cases() }

// Agreement returns the proportion of items on which both raters agree.
func (k *Kappa) Agreement() *Proportion { return &k.agree }

// Value returns κ = (p − e)/(1 − e), where p is the agreement and e the agreement expected by
// chance. ok is false without items, and if both raters always give the same single judgment.
func (k *Kappa) Value() (float64, bool) {
	p, ok := k.agree.Value()
	e := k.chance()
	if !ok || e == 1 {
		return 0, false
	}
	return (p - e) / (1 - e), true
}

func (k *Kappa) chance() float64 {
	n := float64(k.agree.N())
	a, b := float64(k.all.both+k.all.first)/n, float64(k.all.both+k.all.second)/n
	return a*b + (1-a)*(1-b)
}

// Interval returns a confidence interval of κ. It is the interval of the agreement
// ([Proportion.Interval]), converted to the scale of κ with the observed agreement by chance. This
// is Cohen's own standard error, but it also works for full agreement and for clustered items. ok
// is false if [Kappa.Value] has no value.
func (k *Kappa) Interval(level float64) (lo, hi float64, ok bool) {
	if _, ok = k.Value(); !ok {
		return 0, 0, false
	}
	lo, hi, ok = k.agree.Interval(level)
	e := k.chance()
	return math.Max((lo-e)/(1-e), -1), (hi - e) / (1 - e), ok
}
