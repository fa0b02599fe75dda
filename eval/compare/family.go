package compare

import (
	"evalctl/eval"
	"evalctl/eval/stats"
)

// familyMember is one difference of a family, with the data for its test. The differences of a
// family are tested together.
type familyMember struct {
	of *eval.Difference
	by *pair
}

// testFamily tests all differences of a family with Holm's procedure. It sets the adjusted
// p-values, the states and the minimum detectable differences. Differences with insufficient data
// are not tested.
func testFamily(family []familyMember) {
	var known []familyMember
	var p []float64
	for _, t := range family {
		if t.of.State != eval.InsufficientData {
			known = append(known, t)
			p = append(p, *t.of.Accuracy.P)
		}
	}
	for i, adjusted := range stats.Holm(p) {
		d := known[i].of
		d.Accuracy.AdjustedP, d.FamilySize = &adjusted, int64(len(known))
		if d.State == eval.NotSignificant && adjusted <= alpha {
			d.State = direction(*d.Accuracy.Value)
		}
		if v, ok := known[i].by.accuracy.MinDetectableDifference(alpha/float64(len(known)), power); ok {
			d.MinDetectableDifference = &v
		}
		if v, ok := known[i].by.accuracy.MinDetectableDifferenceAllEpochs(alpha/float64(len(known)), power); ok {
			d.MinDetectableDifferenceAllEpochs = &v
		}
	}
}

func direction(v float64) eval.ComparisonState {
	switch {
	case v > 0:
		return eval.Better
	case v < 0:
		return eval.Worse
	}
	return eval.NotSignificant
}
