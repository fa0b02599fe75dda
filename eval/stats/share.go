package stats

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// Proportion is a proportion of trials where the trials of a case (its epochs) are alike:
// cases are drawn, and each brings its trials with it. It holds one count for every
// different (k, m), so memory grows with the epochs and not with the cases. The zero
// value has no case.
type Proportion struct {
	n, k, cases int64
	outcomes    map[outcome]int64 // how many cases came to it
	random      bool              // how many trials a case has goes with its outcome
}

// NewRandomDenominator is of trials of which a case has more or fewer as they come out, as
// where a failure has one tried again.
func NewRandomDenominator() Proportion { return Proportion{random: true} }

// outcome is k successes in m trials of a case.
type outcome struct{ k, m int64 }

// Add counts a case with k successes in m trials, 0 ≤ k ≤ m; m < 1 adds nothing.
func (s *Proportion) Add(k, m int64) {
	if m < 1 {
		return
	}
	if s.outcomes == nil {
		s.outcomes = make(map[outcome]int64)
	}
	s.outcomes[outcome{k, m}]++
	s.n, s.k, s.cases = s.n+m, s.k+k, s.cases+1
}

// addSingles counts n cases with a trial each, of which k are successes.
func (s *Proportion) addSingles(k, n int64) {
	if s.outcomes == nil {
		s.outcomes = make(map[outcome]int64)
	}
	s.outcomes[outcome{1, 1}] += k
	s.outcomes[outcome{0, 1}] += n - k
	s.n, s.k, s.cases = s.n+n, s.k+k, s.cases+n
}

// N is the number of trials.
func (s *Proportion) N() int64 { return s.n }

// K is the number of successes.
func (s *Proportion) K() int64 { return s.k }

// Cases is the number of cases.
func (s *Proportion) Cases() int64 { return s.cases }

// Value is K/N; false without a trial.
func (s *Proportion) Value() (float64, bool) {
	if s.n == 0 {
		return 0, false
	}
	return float64(s.k) / float64(s.n), true
}

// EffectiveN is how many independent trials would know as much as these do:
//
//	n_eff = N²/Σ mᵢ(1+(mᵢ−1)ρ),  ρ = 1 − w/(G·p(1−p) + ½) within 0…1
//
// where w = Σ kᵢ(mᵢ−kᵢ)/(mᵢ(mᵢ−1)) is how much the trials of the G cases with several
// disagree, and p = K/N. The ½ is a case that is all or nothing: until failures show
// that trials disagree, those of a case count as one observation. With a trial a case
// n_eff is N.
//
// Sources: Kish, «Survey Sampling» (1965), and Rao & Scott, Biometrics 48 (1992), for
// the design effect; the estimate of ρ, shrunk by the ½, is ours, chosen by the
// simulated coverage of [Share.Interval].
func (s *Proportion) EffectiveN() float64 {
	if s.n == 0 {
		return 0
	}
	if s.random {
		return s.dispersed()
	}
	p := float64(s.k) / float64(s.n)
	w, several, pairs := s.disagreement()
	rho := min(max(1-w/(float64(several)*p*(1-p)+0.5), 0), 1)
	n := float64(s.n)
	return n * n / (n + rho*float64(pairs))
}

// disagreement returns w, how many cases have several trials, and Σ m(m−1).
func (s *Proportion) disagreement() (w float64, several, pairs int64) {
	for _, o := range slices.SortedFunc(maps.Keys(s.outcomes), compareOutcomes) {
		if o.m < 2 {
			continue
		}
		cases := s.outcomes[o]
		w += float64(cases*o.k*(o.m-o.k)) / float64(o.m*(o.m-1))
		several += cases
		pairs += cases * o.m * (o.m - 1)
	}
	return w, several, pairs
}

func compareOutcomes(a, b outcome) int { return cmp.Or(cmp.Compare(a.m, b.m), cmp.Compare(a.k, b.k)) }

// Interval is [Wilson]'s at [Share.EffectiveN] trials; ok is false without a trial.
//
// Sources: Saha, Miller & Wang, The International Journal of Biostatistics 12 (2016), and
// Franco, Little, Louis & Slud, Journal of Survey Statistics and Methodology 7 (2019):
// Wilson's interval at an effective sample size holds its level for clustered trials.
func (s *Proportion) Interval(level float64) (lo, hi float64, ok bool) {
	p, ok := s.Value()
	if !ok {
		return 0, 0, false
	}
	n := s.EffectiveN()
	lo, hi = Wilson(p*n, n, level)
	return lo, hi, !math.IsNaN(lo)
}

// WorstCaseBounds are the lower bound of the interval with so many failures besides, and the
// upper one with so many successes: of them as great a part counts as independent as of
// the trials. ok is false without a trial.
func (s *Proportion) WorstCaseBounds(missing int64, level float64) (lo, hi float64, ok bool) {
	if s.n == 0 || missing < 0 {
		return 0, 0, false
	}
	alone := s.EffectiveN() / float64(s.n)
	all := float64(s.n+missing) * alone
	lo, _ = Wilson(float64(s.k)*alone, all, level)
	_, hi = Wilson(float64(s.k+missing)*alone, all, level)
	return lo, hi, !math.IsNaN(lo)
}
