package floor

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"evalctl/agent/system"
	"evalctl/eval/suggest"
)

// ErrTooFewLabels refuses examples of fewer than two labels.
var ErrTooFewLabels = errors.New("there are fewer than two labels to tell apart")

// Train makes a model of the kind. The same examples in any order, on any
// number of cores, make the same model, bit for bit.
func Train(kind Kind, examples []system.Example) (Model, error) {
	if err := suggest.CheckWord("baseline model", kind, Kinds()); err != nil {
		return nil, err
	}
	examples = sampled(examples)
	if err := Check(examples); err != nil {
		return nil, err
	}
	return train(kind, examples)
}

// Check finds examples of which nothing can be learned.
func Check(examples []system.Example) error {
	switch n := len(labelsOf(examples)); {
	case n < 2:
		return ErrTooFewLabels
	case n > MaxLabels:
		return fmt.Errorf("%d labels are more than %d", n, MaxLabels)
	}
	return nil
}

// train learns examples that lie in the order of a sample.
func train(kind Kind, examples []system.Example) (Model, error) {
	labels := labelsOf(examples)
	rows := rowsOf(examples, labels)
	if kind == Majority {
		return mostFrequent(rows, labels), nil
	}
	learn := descend
	if kind == NaiveBayes {
		learn = count
	}
	return calibrated(learn, rows, labels)
}

// labelsOf are the labels of the examples, each once, in order.
func labelsOf(examples []system.Example) []string {
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
