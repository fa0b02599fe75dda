package stats

import (
	"cmp"
	"slices"
)

// Holm adjusts the p-values of a family of tests for multiple comparisons and returns them in the
// same order. If all hypotheses with an adjusted p-value of at most alpha are rejected, a true one
// is among them with a probability of at most alpha. This holds for any dependence of the tests.
//
// Source: Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of
// Statistics 6 (1979).
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	adjusted, least := make([]float64, len(p)), 0.0
	for rank, i := range order {
		least = max(least, min(float64(len(p)-rank)*p[i], 1))
		adjusted[i] = least
	}
	return adjusted
}
