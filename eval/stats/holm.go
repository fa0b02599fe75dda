package stats

import (
	"cmp"
	"slices"
)

// Holm adjusts the p-values of a family, each in its place: those that stay at or
// below alpha are rejected, and the chance that a true null is among them is at most
// alpha, however the tests depend on each other.
//
// Source: Holm, «A Simple Sequentially Rejective Multiple Test Procedure», Scandinavian
// Journal of Statistics 6 (1979).
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
