package stats

import (
	"maps"
	"slices"
)

// dispersed is how many independent trials would know as much as these do where a
// case's number of trials goes with its outcome, as with precision: a case of the class
// brings all its epochs, one that was mistaken for it perhaps a single one.
//
//	n_eff = N·(N·p(1−p) + m/2)/(Σ(kᵢ−mᵢp)² + m²/2) up to N,  m = Σmᵢ²/N
//
// It is N over the ratio of the cases' variance to that of independent trials, with half
// a case of m trials that is all or nothing added to both: N with a trial a case, and
// N/m with no failure. How much the trials of a case disagree, which is what
// [Share.EffectiveN] goes by elsewhere, says little here: its intervals covered 99.5 to
// 100 % with five independent epochs a case. The formula is ours, by analogy.
func (s *Proportion) dispersed() float64 {
	n, p := float64(s.n), float64(s.k)/float64(s.n)
	var spread, squares float64
	for _, o := range slices.SortedFunc(maps.Keys(s.outcomes), compareOutcomes) {
		off := float64(o.k) - p*float64(o.m)
		spread += float64(s.outcomes[o]) * off * off
		squares += float64(s.outcomes[o] * o.m * o.m)
	}
	m := squares / n
	return min(n, n*(n*p*(1-p)+m/2)/(spread+m*m/2))
}
