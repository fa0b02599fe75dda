package floor

import (
	"slices"
	"sync"

	"evalctl/agent/system"
)

// CrossFit trains a model that can also be tested on its training texts. It never labels a text
// with a model that was trained on that text. For a training text it uses a model that was trained
// on the other folds.
func CrossFit(kind Kind, examples []system.LabeledExample) (Model, error) {
	examples = sampled(examples)
	whole, err := Train(kind, examples)
	if err != nil {
		return nil, err
	}
	m := &crossFitted{Model: whole, known: map[string]int{}}
	for _, e := range examples {
		plain := normalized(e.Text)
		m.known[string(plain)] = foldOf(plain)
	}
	for f := range m.heldOutModels {
		m.heldOutModels[f] = sync.OnceValue(func() Model {
			rest := slices.DeleteFunc(slices.Clone(examples),
				func(e system.LabeledExample) bool { return foldOf(normalized(e.Text)) == f })
			if len(rest) == 0 { // all examples have the same text
				kind, rest = Majority, examples
			}
			m, err := train(kind, rest)
			if err != nil { // only after a panic, which training on all examples also reports
				return whole
			}
			return m
		})
	}
	return m, nil
}

// crossFitted contains a model for new texts, and for each fold a model that was trained without
// it. The fold models are trained on first use.
type crossFitted struct {
	Model
	known         map[string]int // fold of each training text, by normalized text
	heldOutModels [folds]func() Model
}

// Predict returns the most likely label, from a model that was not trained on this text.
func (m *crossFitted) Predict(text string) (string, float64) {
	if f, ok := m.known[string(normalized(text))]; ok {
		return m.heldOutModels[f]().Predict(text)
	}
	return m.Model.Predict(text)
}
