package stats

import (
	"maps"
	"slices"
)

// effectiveNRandom returns the effective number of independent trials if a case's number of trials
// depends on its outcome. An example is precision: a case of the class brings all its epochs, a
// misclassified case perhaps a single one.
//
//	n_eff = N·(N·p(1−p) + m/2)/(Σ(kᵢ−mᵢp)² + m²/2) up to N,  m = Σmᵢ²/N
//
// This is N divided by the ratio of the variance by case to that of independent trials. Half a case
// of m equal trials is added to both. The result is N with one trial per case, and N/m without
// failures. The disagreement within cases, which [Proportion.EffectiveN] uses otherwise, contains
// little information here: its intervals covered 99.5 to 100 % with five independent epochs per
// case. The formula is ours, by analogy.
func (s *Proportion) effectiveNRandom() float64 {
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
