package stats

import (
	"cmp"
	"slices"
)

// Class is how the answers to one gold label fared.
type Class struct {
	Label                    string
	Cases                    int64 // that ask for it
	Gold, Predicted, Correct int64 // rows
	F1, Lo, Hi               float64
	Recall, Precision        *Proportion // by case; precision has no row where nothing was predicted as the label
}

// Classes lists the classes by label, with the interval of each F1 at the level.
//
// F1 = 2J/(1+J), and J = tp/(gold + predicted − tp) (Jaccard's index) is a proportion of
// rows, so its interval by case is carried over. With fewer than five cases it says
// little more than the counts do.
//
// Source: Lam, Gopal & Qian, «Confidence Intervals for the F1 Score», arXiv:2309.14621
// (2023).
func (f *F1) Classes(level float64) []Class {
	var classes []Class
	for _, l := range f.labels {
		if l.recall.N() == 0 {
			continue
		}
		c := Class{Label: l.name, Cases: l.recall.Cases(), Gold: l.recall.N(), Predicted: l.precision.N(),
			Correct: l.recall.K(), Recall: &l.recall, Precision: &l.precision}
		c.F1 = tally{right: c.Correct, gold: c.Gold, predicted: c.Predicted}.f1()
		lo, hi, _ := l.either.Interval(level) // there are rows
		c.Lo, c.Hi = 2*lo/(1+lo), 2*hi/(1+hi)
		classes = append(classes, c)
	}
	slices.SortFunc(classes, func(a, b Class) int { return cmp.Compare(a.Label, b.Label) })
	return classes
}
