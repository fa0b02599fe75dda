package stats

import (
	"cmp"
	"slices"
)

// ClassMetrics has the counts and metrics of one class: a gold (expected) label.
type ClassMetrics struct {
	Label                    string
	Cases                    int64       // cases that expect the label
	Gold, Predicted, Correct int64       // trials that expect the label, predict it, or do both
	F1, F1Lo, F1Hi           float64     // Lo and Hi are the ends of the interval of F1
	Recall, Precision        *Proportion // clustered by case; Precision is empty if the label was never predicted
}

// Classes returns the metrics of all classes, sorted by label. Lo and Hi are the ends of the
// interval of F1 at the confidence level.
//
// F1 = 2J/(1+J). Jaccard's index J = tp/(gold + predicted − tp) is a proportion of trials, so its
// interval by case is transformed. With fewer than five cases the interval is very wide.
//
// Source: Lam, Gopal & Qian, "Confidence Intervals for the F1 Score", arXiv:2309.14621 (2023).
func (f *F1) Classes(level float64) []ClassMetrics {
	var classes []ClassMetrics
	for _, l := range f.labels {
		if l.recall.N() == 0 {
			continue
		}
		c := ClassMetrics{
			Label:     l.name,
			Cases:     l.recall.Cases(),
			Gold:      l.recall.N(),
			Predicted: l.precision.N(),
			Correct:   l.recall.Successes(),
			Recall:    &l.recall,
			Precision: &l.precision,
		}
		c.F1 = tally{right: c.Correct, gold: c.Gold, predicted: c.Predicted}.f1()
		lo, hi, _ := l.either.Interval(level) // ok is always true: there are trials
		c.F1Lo, c.F1Hi = 2*lo/(1+lo), 2*hi/(1+hi)
		classes = append(classes, c)
	}
	slices.SortFunc(classes, func(a, b ClassMetrics) int { return cmp.Compare(a.Label, b.Label) })
	return classes
}
