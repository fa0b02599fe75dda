// Package floor has what every router must beat: classifiers that learn labelled
// texts in a moment, in the process, and decide in microseconds. They know no
// language and no context; a model that is no better than they are is not worth
// its price.
package floor

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"evalctl/agent/system"
	"evalctl/eval/suggest"
)

// Kind names a way to learn.
type Kind string

// The kinds, strongest first.
const (
	Learned    Kind = "learned"     // multinomial logistic regression
	NaiveBayes Kind = "naive-bayes" // multinomial
	Majority   Kind = "majority"    // the most frequent label, whatever is said
)

// Kinds lists them.
func Kinds() []Kind { return []Kind{Learned, NaiveBayes, Majority} }

// Describe says in a few words what a model of the kind is.
func (k Kind) Describe() string {
	switch k {
	case Learned:
		return "a linear model over words and character n-grams"
	case NaiveBayes:
		return "multinomial naive Bayes over words and character n-grams"
	}
	return "the most frequent label"
}

// Model has learned to label texts. It is safe for concurrent use.
type Model interface {
	// Predict gives the likeliest label of a text, and how likely it is to be
	// right, 0..1. Of equals the first by name is taken.
	Predict(text string) (label string, confidence float64)
	Size() Size
}

// Size is what a model holds.
type Size struct {
	Rows     int // it was trained on
	Labels   int
	Features int
	Bytes    int
}

// Bounds of what is learned. Of more examples a sample is kept, the same
// whatever their order.
const (
	MaxExamples = 20_000
	MaxLabels   = 1_000
	maxText     = 1_000   // characters of a text that are looked at
	maxWeights  = 1 << 25 // features times labels: the rarest features go
	maxWork     = 1 << 30 // features of all texts, times labels
)

// ErrNothing refuses examples of fewer than two labels.
var ErrNothing = errors.New("there is nothing to learn: the examples have fewer than two labels")

// Train makes a model of the kind. The same examples in any order, on any
// number of cores, make the same model, bit for bit.
func Train(kind Kind, examples []system.Example) (Model, error) {
	if err := suggest.Known("floor", kind, Kinds()); err != nil {
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
		return ErrNothing
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
