package compare

import (
	"evalctl/eval"
	"evalctl/eval/stats"
)

// tested is a difference, and the cases that it comes from.
type tested struct {
	of *eval.Difference
	by *pair
}

// settle tests differences that are looked at together: each has the p that
// counts for so many, what is proven by it, and what could have been. Those of
// which too little is known are no tests.
func settle(family []tested) {
	var known []tested
	var p []float64
	for _, t := range family {
		if t.of.State != eval.InsufficientData {
			known = append(known, t)
			p = append(p, *t.of.Accuracy.P)
		}
	}
	for i, adjusted := range stats.Holm(p) {
		d := known[i].of
		d.Accuracy.HolmP, d.FamilySize = &adjusted, int64(len(known))
		if d.State == eval.NotSignificant && adjusted <= alpha {
			d.State = direction(*d.Accuracy.Value)
		}
		if v, ok := known[i].by.accuracy.Detectable(alpha/float64(len(known)), power); ok {
			d.MinDetectableDifference = &v
		}
		if v, ok := known[i].by.accuracy.DetectableInAllEpochs(alpha/float64(len(known)), power); ok {
			d.MinDetectableDifferenceAllEpochs = &v
		}
	}
}

func direction(v float64) eval.State {
	switch {
	case v > 0:
		return eval.Better
	case v < 0:
		return eval.Worse
	}
	return eval.NotSignificant
}
