package stats

import (
	"cmp"
	"slices"
)

// Class is how the answers to one gold label fared.
type Class struct {
	Label                  string
	Cases                  int64 // that ask for it
	Gold, Predicted, Right int64 // rows
	F1, Lo, Hi             float64
	Recall, Precision      *Share // by case; precision has no row where nothing was predicted as the label
}

// Classes lists the classes by label, with the interval of each F1 at the level.
//
// F1 = 2J/(1+J), and J = tp/(gold + predicted − tp) (Jaccard's index) is a proportion of
// rows, so its Wilson interval is carried over; for the epochs of a case the rows are
// divided by the design effect of all answers. Source: Lam, Gopal & Qian, «Confidence
// Intervals for the F1 Score», arXiv:2309.14621 (2023). With fewer than five cases it
// says little more than the counts do.
func (f *F1) Classes(level float64) []Class {
	var classes []Class
	for _, l := range f.labels {
		if l.recall.N() == 0 {
			continue
		}
		c := Class{Label: l.name, Cases: l.recall.Cases(), Gold: l.recall.N(), Predicted: l.precision.N(),
			Right: l.recall.K(), Recall: &l.recall, Precision: &l.precision}
		c.F1 = tally{right: c.Right, gold: c.Gold, predicted: c.Predicted}.f1()
		c.Lo, c.Hi = f.classInterval(c, level)
		classes = append(classes, c)
	}
	slices.SortFunc(classes, func(a, b Class) int { return cmp.Compare(a.Label, b.Label) })
	return classes
}

func (f *F1) classInterval(c Class, level float64) (lo, hi float64) {
	design := f.design()
	lo, hi = Wilson(float64(c.Right)/design, float64(c.Gold+c.Predicted-c.Right)/design, level)
	return 2 * lo / (1 + lo), 2 * hi / (1 + hi)
}

// design is how many rows know as much as one independent row does.
func (f *F1) design() float64 { return float64(f.right.N()) / f.right.Effective() }
