package main

import (
	"evalctl/datasets"
	"evalctl/eval"
	"evalctl/mocks/model"
)

// labels say what a dataset's cases are labelled with.
type labels struct {
	field string   // of the expectation
	all   []string // the residual one last
	slots bool     // the subject and the style are labelled too
	guess guess    // of texts that no case holds; nil: they are unknown
}

func labelsOf(s datasets.Schema) labels {
	_, slots := s.Aspects["slots"]
	return labels{field: s.Label, all: s.Labels, slots: slots}
}

// router is a model that decides by the labels, right with the chance accuracy,
// and names the subject and the style, each with the chance slots.
func (l labels) router(find finder, accuracy, slots float64, seed uint64) *model.Labelled {
	m := &model.Labelled{Field: l.field, Labels: l.all, Accuracy: accuracy, Seed: seed,
		Label: func(text string) (string, bool) {
			label, _, ok := l.knows(find, text)
			return label, ok
		}}
	if !l.slots {
		return m
	}
	m.SlotAccuracy = slots
	m.Slots = func(text string) map[string]string {
		if _, values, ok := l.knows(find, text); ok {
			return values
		}
		return slotsOf(eval.Step{})
	}
	return m
}

// knows tells what is known of a text: by its label, else by guessing.
func (l labels) knows(find finder, text string) (label string, slots map[string]string, ok bool) {
	if s, said := find(text); said {
		want, err := s.Labels(l.field)
		return want.Primary(), slotsOf(s), err == nil && want != nil
	}
	if l.guess == nil {
		return "", nil, false
	}
	label, slots = l.guess(text)
	return label, slots, true
}

// slotsOf are the right values of a step, "" where it names none.
func slotsOf(s eval.Step) map[string]string {
	values := map[string]string{"subject": "", "style": ""}
	slots, err := s.Slots()
	if err != nil {
		return values // the scorer tells of it
	}
	for name, accepted := range slots {
		values[name] = accepted.Primary()
	}
	return values
}
