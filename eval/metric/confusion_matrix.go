package metric

import (
	"evalctl/eval"
	"evalctl/eval/stats"
)

// A matrix has at most so many classes, as many as a system takes of a suite's own
// labels, and so many labels that were predicted besides: it grows with their square.
const (
	maxClasses = 500
	maxBesides = 100
)

// matrix has the classes first, then what was predicted besides; nil where either
// are too many. None is what stands for an answer that is no label.
func matrix(f1 *stats.F1, classes []stats.Class, none string) *eval.Confusion {
	if len(classes) > maxClasses {
		return nil
	}
	c := &eval.Confusion{ExpectedLabels: len(classes), InvalidLabel: none}
	known := map[string]struct{}{}
	for _, class := range classes {
		known[class.Label] = struct{}{}
		c.Labels = append(c.Labels, class.Label)
	}
	for _, label := range f1.Predicted() {
		if _, class := known[label]; !class {
			c.Labels = append(c.Labels, label)
		}
	}
	if len(c.Labels) > len(classes)+maxBesides {
		return nil
	}
	for _, expected := range c.Labels {
		var row []int64
		for _, predicted := range c.Labels {
			row = append(row, f1.Count(expected, predicted))
		}
		c.Counts = append(c.Counts, row)
	}
	return c
}
