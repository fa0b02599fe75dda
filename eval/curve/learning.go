package curve

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/stats"
)

// LearningCurve measures the accuracy of a classifier for different numbers of training texts.
type LearningCurve struct {
	// trains a classifier on the given texts
	Train func([]system.LabeledExample) (predict func(text string) string, err error)
	Sizes []int  // numbers of training texts; nil: from one sixteenth of the texts to all, doubling each time
	Seed  uint64 // random seed for drawing the training samples
}

// TestCase is a test case of the learning curve. It is correct if all its turns are correct.
type TestCase []TestTurn

// TestTurn is a message with the labels that are accepted for it.
type TestTurn struct {
	Text     string
	Expected eval.OneOf
}

// level is the confidence level of the intervals.
const level = stats.ConfidenceLevel

// samplesOfSize returns how many random training samples of a size to take. Smaller samples vary
// more, so there are more of them.
func samplesOfSize(size, all int) int {
	switch {
	case size >= all:
		return 1
	case 4*size > all:
		return 4
	}
	return 8
}

// Run trains on random samples of increasing size and tests each model on the same cases. Each
// sample has the label proportions of all texts, and contains the smaller samples of the same draw.
// The confidence interval covers the variation between cases; Lowest and Highest report the
// variation between draws.
func (l LearningCurve) Run(texts []system.LabeledExample, cases []TestCase) ([]Point, error) {
	if len(cases) == 0 {
		return nil, errors.New("there is no labeled case")
	}
	sizes, err := l.sizes(len(texts))
	if err != nil {
		return nil, err
	}
	right := make([][]int64, len(sizes)) // by size, then by case: number of draws in which the case is correct
	points := make([]Point, len(sizes))
	for i, size := range sizes {
		right[i] = make([]int64, len(cases))
		points[i] = Point{X: float64(size), TrainingSamples: samplesOfSize(size, len(texts))}
	}
	for draw := range points[0].TrainingSamples {
		order := l.order(texts, draw)
		for i, size := range sizes {
			if draw >= points[i].TrainingSamples {
				continue
			}
			predict, err := l.Train(order[:size])
			if err != nil {
				return nil, fmt.Errorf("%d of %d texts: %w", size, len(texts), err)
			}
			points[i].count(predict, cases, right[i])
		}
	}
	for i := range points {
		points[i].close(right, i, points)
	}
	return points, nil
}

func (l LearningCurve) sizes(all int) ([]int, error) {
	if l.Sizes == nil {
		var list []int
		for part := 16; part >= 1; part /= 2 {
			if n := all / part; n >= 2 && !slices.Contains(list, n) {
				list = append(list, n)
			}
		}
		if list == nil {
			return nil, fmt.Errorf("%d texts are too few to learn from", all)
		}
		return list, nil
	}
	list := slices.Compact(slices.Sorted(slices.Values(l.Sizes)))
	if most := list[len(list)-1]; most > all {
		return nil, fmt.Errorf("%d are more than the %d texts that there are to learn", most, all)
	}
	return list, nil
}

// order shuffles the texts so that every prefix has the label proportions of all texts, as far as
// possible. The k-th of n texts of a label is at (k + u)/n, with a random u per label (systematic
// sampling). The result does not depend on the order of the texts.
func (l LearningCurve) order(texts []system.LabeledExample, draw int) []system.LabeledExample {
	type place struct {
		system.LabeledExample
		at, tie float64
	}
	random := rand.New(rand.NewPCG(l.Seed, uint64(draw)))
	sorted := slices.SortedFunc(slices.Values(texts), func(a, b system.LabeledExample) int {
		return cmp.Or(cmp.Compare(a.Label, b.Label), cmp.Compare(a.Text, b.Text))
	})
	var all []place
	for from := 0; from < len(sorted); {
		to := from
		for to < len(sorted) && sorted[to].Label == sorted[from].Label {
			to++
		}
		u, of := random.Float64(), slices.Clone(sorted[from:to])
		random.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
		for k, e := range of {
			all = append(all, place{LabeledExample: e, at: (float64(k) + u) / float64(len(of)), tie: random.Float64()})
		}
		from = to
	}
	slices.SortStableFunc(all,
		func(a, b place) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.tie, b.tie)) })
	list := make([]system.LabeledExample, len(all))
	for i, p := range all {
		list[i] = p.LabeledExample
	}
	return list
}

// count tests all cases with a model that was trained on one random sample. It adds the correct
// cases to right.
func (p *Point) count(predict func(string) string, asked []TestCase, right []int64) {
	n := 0
	for i, c := range asked {
		wrong := func(t TestTurn) bool { return !slices.Contains(t.Expected, predict(t.Text)) }
		if !slices.ContainsFunc(c, wrong) {
			right[i]++
			n++
		}
	}
	share := float64(n) / float64(len(asked))
	if p.LowestAccuracy == nil || share < *p.LowestAccuracy {
		p.LowestAccuracy = &share
	}
	if p.HighestAccuracy == nil || share > *p.HighestAccuracy {
		p.HighestAccuracy = &share
	}
}

// close computes the accuracy of a point and its differences to earlier points, after all random
// samples of its size were tested. at is the index of the point in all.
func (p *Point) close(right [][]int64, at int, all []Point) {
	var by stats.Proportion
	for _, k := range right[at] {
		by.Add(k, int64(p.TrainingSamples))
	}
	p.Accuracy = eval.Estimate{N: by.Cases()}
	if v, ok := by.Value(); ok {
		p.Accuracy.Value = &v
	}
	if lo, hi, ok := by.Interval(level); ok {
		p.Accuracy.Lo, p.Accuracy.Hi = &lo, &hi
	}
	if p.TrainingSamples == 1 {
		p.LowestAccuracy, p.HighestAccuracy = nil, nil
	}
	if at > 0 {
		p.VersusPrevious, p.VersusFirst = paired(right, at-1, at, all), paired(right, 0, at, all)
	}
}

// paired returns the paired accuracy difference between two points, given as indexes.
func paired(right [][]int64, a, b int, all []Point) *eval.Contrast {
	var by stats.PairedAccuracy
	for i := range right[a] {
		by.Add(right[a][i], int64(all[a].TrainingSamples), right[b][i], int64(all[b].TrainingSamples))
	}
	c := eval.Contrast{N: by.N()}
	if v, ok := by.Value(); ok {
		c.Value = &v
	}
	if lo, hi, ok := by.Interval(level); ok {
		c.Lo, c.Hi = &lo, &hi
	}
	return &c
}
