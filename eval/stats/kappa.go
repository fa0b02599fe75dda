package stats

import "math"

// Ratings are how two raters judged the same things, each for or against.
type Ratings struct{ both, first, second, neither int64 }

// Add counts one thing.
func (r *Ratings) Add(first, second bool) {
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

// Kappa is Cohen's: how much two raters agree beyond what they would by chance, each
// saying yes as often as it does. The things of a case are alike, so they come together.
// The zero value has none.
//
// Source: Cohen, «A Coefficient of Agreement for Nominal Scales», Educational and
// Psychological Measurement 20 (1960).
type Kappa struct {
	all   Ratings
	agree Proportion
}

// AddCase counts a case; one without a thing adds nothing.
func (k *Kappa) AddCase(r Ratings) {
	k.agree.Add(r.both+r.neither, r.both+r.first+r.second+r.neither)
	k.all.both += r.both
	k.all.first += r.first
	k.all.second += r.second
	k.all.neither += r.neither
}

// N is how many things there are.
func (k *Kappa) N() int64 { return k.agree.N() }

// Cases is how many cases they are of.
func (k *Kappa) Cases() int64 { return k.agree.Cases() }

// Agreement is the share of things of which both raters say the same.
func (k *Kappa) Agreement() *Proportion { return &k.agree }

// Value is (p − e)/(1 − e), where p is the agreement and e that by chance; false without
// a thing, and where both raters always say the same one word, which chance explains.
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

// Interval is that of the agreement, [Share.Interval], on the scale of kappa, with the
// agreement by chance as it was seen: this is Cohen's own standard error, but holds where
// all agree, and the things of a case count for as much as they differ. Ok is false where
// [Kappa.Value] is.
func (k *Kappa) Interval(level float64) (lo, hi float64, ok bool) {
	if _, ok = k.Value(); !ok {
		return 0, 0, false
	}
	lo, hi, ok = k.agree.Interval(level)
	e := k.chance()
	return math.Max((lo-e)/(1-e), -1), (hi - e) / (1 - e), ok
}
