package compare

import (
	"evalctl/eval"
	"evalctl/eval/stats"
)

// settle tests differences that are looked at together: each has the p that
// counts for so many, and what is proven by it. Those of which too little is
// known are no tests.
func settle(family []*eval.Difference) {
	var tested []*eval.Difference
	var p []float64
	for _, d := range family {
		if d.State != eval.Unknown {
			tested = append(tested, d)
			p = append(p, *d.Accuracy.P)
		}
	}
	for i, adjusted := range stats.Holm(p) {
		d := tested[i]
		d.Accuracy.Holm = &adjusted
		if d.State == eval.Even && adjusted <= alpha {
			d.State = direction(*d.Accuracy.Value)
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
	return eval.Even
}
