package floor

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"evalctl/agent/system"
	"evalctl/eval/suggest"
)

// ErrTooFewLabels means that the examples have fewer than two different labels.
var ErrTooFewLabels = errors.New("there are fewer than two labels")

// Train trains a baseline model of the given kind. The result is bit-identical for any order of the
// examples and any number of cores.
func Train(kind Kind, examples []system.LabeledExample) (Model, error) {
	if err := suggest.CheckKnown("baseline model", kind, Kinds()); err != nil {
		return nil, err
	}
	examples = sampled(examples)
	if err := CheckExamples(examples); err != nil {
		return nil, err
	}
	return train(kind, examples)
}

// CheckExamples returns an error if the examples cannot train a model: they have fewer than two
// labels or more than MaxLabels.
func CheckExamples(examples []system.LabeledExample) error {
	switch n := len(labelsOf(examples)); {
	case n < 2:
		return ErrTooFewLabels
	case n > MaxLabels:
		return fmt.Errorf("%d labels are more than %d", n, MaxLabels)
	}
	return nil
}

// train trains a model on examples that are already sampled and sorted.
func train(kind Kind, examples []system.LabeledExample) (Model, error) {
	labels := labelsOf(examples)
	rows := rowsOf(examples, labels)
	if kind == Majority {
		return mostFrequent(rows, labels), nil
	}
	learn := logisticRegression
	if kind == NaiveBayes {
		learn = naiveBayes
	}
	return calibrated(learn, rows, labels)
}

// labelsOf returns the labels of the examples, each once, in alphabetical order.
func labelsOf(examples []system.LabeledExample) []string {
	seen := map[string]bool{}
	var labels []string
	for _, e := range examples {
		if !seen[e.Label] {
			seen[e.Label] = true
			labels = append(labels, strings.Clone(e.Label))
		}
	}
	slices.Sort(labels)
	return labels
}
