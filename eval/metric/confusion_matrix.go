package metric

import (
	"evalctl/eval"
	"evalctl/eval/stats"
)

// Limits of a confusion matrix, whose size grows with their square. maxClasses limits the expected
// labels, maxExtraLabels the other predicted labels.
const (
	maxClasses     = 500
	maxExtraLabels = 100
)

// confusionMatrix returns the confusion matrix of a condition: the expected classes first, then the
// other predicted labels. It returns nil if a limit is exceeded. invalid is the label of an invalid
// answer.
func confusionMatrix(f1 *stats.F1, classes []stats.ClassMetrics, invalid string) *eval.Confusion {
	if len(classes) > maxClasses {
		return nil
	}
	c := &eval.Confusion{ExpectedLabels: len(classes), InvalidLabel: invalid}
	known := map[string]struct{}{}
	for _, class := range classes {
		known[class.Label] = struct{}{}
		c.Labels = append(c.Labels, class.Label)
	}
	for _, label := range f1.PredictedLabels() {
		if _, class := known[label]; !class {
			c.Labels = append(c.Labels, label)
		}
	}
	if len(c.Labels) > len(classes)+maxExtraLabels {
		return nil
	}
	for _, expected := range c.Labels {
		var row []int64
		for _, predicted := range c.Labels {
			row = append(row, f1.ConfusionCount(expected, predicted))
		}
		c.Counts = append(c.Counts, row)
	}
	return c
}
