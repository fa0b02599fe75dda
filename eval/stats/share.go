package stats

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// Proportion accumulates the proportion of successful trials. The trials of a case (its epochs)
// form one cluster. It stores one count for each different (k, m), so memory grows with the epochs
// and not with the cases. The zero value is empty.
type Proportion struct {
	n, k, cases int64
	outcomes    map[outcome]int64 // number of cases by outcome
	random      bool              // the number of trials of a case depends on its outcome
}

// NewProportionWithRandomTrials returns an empty proportion for cases whose number of trials
// depends on the outcome, such as retries after a failure.
func NewProportionWithRandomTrials() Proportion { return Proportion{random: true} }

// outcome is the result of a case: k successes in m trials.
type outcome struct{ k, m int64 }

// Add adds a case with k successes in m trials, 0 ≤ k ≤ m. It ignores m < 1.
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

// addSingles adds n cases of one trial each; k of them are successes.
func (s *Proportion) addSingles(k, n int64) {
	if s.outcomes == nil {
		s.outcomes = make(map[outcome]int64)
	}
	s.outcomes[outcome{1, 1}] += k
	s.outcomes[outcome{0, 1}] += n - k
	s.n, s.k, s.cases = s.n+n, s.k+k, s.cases+n
}

// N returns the number of trials.
func (s *Proportion) N() int64 { return s.n }

// Successes returns the number of successes.
func (s *Proportion) Successes() int64 { return s.k }

// Cases returns the number of cases.
func (s *Proportion) Cases() int64 { return s.cases }

// Value returns the proportion K/N; false without trials.
func (s *Proportion) Value() (float64, bool) {
	if s.n == 0 {
		return 0, false
	}
	return float64(s.k) / float64(s.n), true
}

// EffectiveN returns the effective number of independent trials:
//
//	n_eff = N²/Σ mᵢ(1+(mᵢ−1)ρ),  ρ = 1 − w/(G·p(1−p) + ½) within 0…1
//
// w = Σ kᵢ(mᵢ−kᵢ)/(mᵢ(mᵢ−1)) is the disagreement within the G cases with several trials, and p =
// K/N. The ½ acts as half a case that is all right or all wrong. Until failures show that trials
// disagree, the trials of a case therefore count as one observation. With one trial per case n_eff
// is N.
//
// Sources: Kish, "Survey Sampling" (1965), and Rao & Scott, Biometrics 48 (1992), for the design
// effect. The estimate of ρ, shrunk by the ½, is ours, selected by the simulated coverage of
// [Proportion.Interval].
func (s *Proportion) EffectiveN() float64 {
	if s.n == 0 {
		return 0
	}
	if s.random {
		return s.effectiveNRandom()
	}
	p := float64(s.k) / float64(s.n)
	w, several, pairs := s.disagreement()
	rho := min(max(1-w/(float64(several)*p*(1-p)+0.5), 0), 1)
	n := float64(s.n)
	return n * n / (n + rho*float64(pairs))
}

// disagreement returns w of [Proportion.EffectiveN], the number of cases with several trials, and Σ
// m(m−1).
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

// Interval returns the confidence interval of the proportion: [Wilson]'s with
// [Proportion.EffectiveN] trials. ok is false without trials.
//
// Sources: Saha, Miller & Wang, The International Journal of Biostatistics 12 (2016), and Franco,
// Little, Louis & Slud, Journal of Survey Statistics and Methodology 7 (2019): Wilson's interval at
// an effective sample size keeps its level for clustered trials.
func (s *Proportion) Interval(level float64) (lo, hi float64, ok bool) {
	p, ok := s.Value()
	if !ok {
		return 0, 0, false
	}
	n := s.EffectiveN()
	lo, hi = Wilson(p*n, n, level)
	return lo, hi, !math.IsNaN(lo)
}

// WorstCaseBounds returns the lower end of the interval if all missing trials had failed, and the
// upper end if all had succeeded. Missing trials are assumed to be as dependent as the observed
// ones. ok is false without trials.
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
