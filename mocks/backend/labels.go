package backend

import (
	"cmp"
	"slices"

	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/suite"
	"evalctl/mocks/model"
)

// labels are what a system's cases are labelled with.
type labels struct {
	of    system.System
	all   []string                        // the residual one last
	guess func(text string) system.Answer // at texts that no case holds; nil: they are unknown
}

// decider is a model that decides by the labels, with a stated quality, as the
// form wants it.
func (l labels) decider(find finder, form system.Form, q suite.Simulated, seed uint64) *model.Labelled {
	name := form.Name
	if name == nil {
		name = func(label string) string { return label }
	}
	m := &model.Labelled{Field: cmp.Or(form.Field, l.of.Contract.Field), Plain: form.Plain, Accuracy: q.Accuracy, Seed: seed,
		Label: func(text string) (string, bool) {
			a, ok := l.knows(find, text)
			return name(a.Label), ok
		}}
	if form.Name == nil {
		m.Labels, m.Confusion = l.all, q.Confusion
	} else {
		m.Labels = l.called(form.Name)
	}
	if c := q.Confidence; c != nil {
		m.Confidence = model.Calibration{
			Right: model.Spread{Mean: c.Right, Spread: c.Spread}, Wrong: model.Spread{Mean: c.Wrong, Spread: c.Spread}}
	}
	if form.Extra != nil {
		m.Extra = func(text, _ string) map[string]any { return form.Extra(text) }
	}
	if l.of.Contract.Slots != nil {
		m.SlotAccuracy = cmp.Or(q.Slots, 1)
		m.Slots = func(text string) map[string]string {
			if a, ok := l.knows(find, text); ok {
				return a.Slots
			}
			return l.slots(eval.Step{})
		}
	}
	return m
}

// called are the names by which a decider calls the labels, each once.
func (l labels) called(name func(string) string) (names []string) {
	for _, label := range l.all {
		if called := name(label); !slices.Contains(names, called) {
			names = append(names, called)
		}
	}
	return names
}

// knows tells what is known of a text: by its label, else by guessing.
func (l labels) knows(find finder, text string) (a system.Answer, ok bool) {
	if s, labelled := find(text); labelled {
		want, err := s.Labels(l.of.Contract.Field)
		return system.Answer{Label: want.Primary(), Slots: l.slots(s)}, err == nil && want != nil
	}
	if l.guess == nil {
		return system.Answer{}, false
	}
	return l.guess(text), true
}

// slots are the right values of a step, "" where it names none.
func (l labels) slots(s eval.Step) map[string]string {
	values := map[string]string{}
	for _, name := range l.of.Contract.Slots {
		values[name] = ""
	}
	named, err := s.Slots()
	if err != nil {
		return values // the scorer tells of it
	}
	for name, accepted := range named {
		values[name] = accepted.Primary()
	}
	return values
}
