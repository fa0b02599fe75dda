package backend

import (
	"cmp"

	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/mocks/model"
)

// labels are what a system's cases are labelled with.
type labels struct {
	of    system.System
	all   []string                        // the residual one last
	guess func(text string) system.Answer // at texts that no case holds; nil: they are unknown
}

// luck seeds a decider's answers: those of an epoch, and those that a case keeps in all.
type luck struct{ epoch, always uint64 }

// decider is a model that decides by the labels, with a stated quality, as the
// form wants it.
func (l labels) decider(find finder, form system.Form, q ability, seeds luck) *model.Labelled {
	m := &model.Labelled{Field: cmp.Or(form.Field, l.of.Contract.Field), Plain: form.Plain, Labels: l.all, Name: form.Name,
		Accuracy: q.accuracy, Confusion: q.Confusion, Calibration: q.calibration, Consistency: q.consistency, Seed: seeds.epoch, CaseSeed: seeds.always,
		Label: func(text string) (string, bool) {
			a, ok := l.knows(find, form, text)
			return a.Label, ok
		},
		Accepts: func(text string) []string {
			s, _ := find(text)
			accepted, _ := s.Labels(l.of.Contract.Field) // Label has told that they can be read
			return accepted
		}}
	slots := func(text string) map[string]string {
		if a, ok := l.knows(find, form, text); ok {
			return a.Slots
		}
		return l.slots(nil, form)
	}
	if form.Extra != nil {
		m.Extra = func(text, _ string) map[string]any { return form.Extra(text, slots(text)) }
	}
	if l.of.Contract.Slots != nil {
		m.SlotAccuracy, m.Slots = q.slots, slots
	}
	return m
}

// knows tells what is known of a text, in the words of the form: by its label,
// else by guessing.
func (l labels) knows(find finder, form system.Form, text string) (system.Answer, bool) {
	if s, labelled := find(text); labelled {
		want, err := s.Labels(l.of.Contract.Field)
		named, _ := s.Slots() // the scorer tells of what is wrong with them
		return system.Answer{Label: want.Primary(), Slots: l.slots(named, form)}, err == nil && want != nil
	}
	if l.guess == nil {
		return system.Answer{}, false
	}
	a, named := l.guess(text), map[string]eval.OneOf{}
	for name, value := range a.Slots {
		named[name] = eval.OneOf{value}
	}
	a.Slots = l.slots(named, form)
	return a, true
}

// slots are right values, "" where none is named.
func (l labels) slots(named map[string]eval.OneOf, form system.Form) map[string]string {
	values := map[string]string{}
	for _, name := range l.of.Contract.Slots {
		switch accepted := named[name]; {
		case len(accepted) == 0:
			values[name] = ""
		case form.Slot != nil:
			values[name] = form.Slot(name, accepted)
		default:
			values[name] = accepted.Primary()
		}
	}
	return values
}
