package floor

import (
	"slices"
	"sync"

	"evalctl/agent/system"
)

// CrossFit trains a model that is never asked about what it has learned: a text
// that is among the examples is labelled by a model that has learned a part of
// them in which it is not.
func CrossFit(kind Kind, examples []system.Example) (Model, error) {
	examples = sampled(examples)
	whole, err := Train(kind, examples)
	if err != nil {
		return nil, err
	}
	m := &crossFitted{Model: whole, known: map[string]int{}}
	for _, e := range examples {
		plain := normal(e.Text)
		m.known[string(plain)] = foldOf(plain)
	}
	for f := range m.without {
		m.without[f] = sync.OnceValue(func() Model {
			rest := slices.DeleteFunc(slices.Clone(examples), func(e system.Example) bool { return foldOf(normal(e.Text)) == f })
			if len(rest) == 0 { // the examples are one text
				kind, rest = Majority, examples
			}
			m, err := train(kind, rest)
			if err != nil { // nothing but a panic, which is told of the whole
				return whole
			}
			return m
		})
	}
	return m, nil
}

// crossFitted has a model for texts that are new, and one for each fold of those
// that are not, which is trained when it is first asked.
type crossFitted struct {
	Model
	known   map[string]int // folds, by text
	without [folds]func() Model
}

// Predict is part of Model.
func (m *crossFitted) Predict(text string) (string, float64) {
	if f, ok := m.known[string(normal(text))]; ok {
		return m.without[f]().Predict(text)
	}
	return m.Model.Predict(text)
}
