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
	all   []string                          // the residual one last
	guess func(text string) system.Decision // at texts that no case holds; nil: they are unknown
	words *wording                          // nil: not known
}

// seeds seeds a model's answers: those of an epoch, and what is the same in all epochs of the case.
type seeds struct {
	perEpoch, perCase uint64
	split             string // of the case
}

// decider is a model that decides by the labels, with a stated quality, as the
// form wants it.
func (l labels) decider(find finder, form system.AnswerFormat, q ability, seeds seeds) *model.Labeled {
	m := &model.Labeled{Field: cmp.Or(form.Field, l.of.Contract.LabelField), Plain: form.Plain, ToolCall: form.ToolCall, Labels: l.all, Name: form.LabelName,
		Accuracy: q.accuracy, Confusion: q.Confusion, Calibration: q.calibration, Consistency: q.consistency, Seed: seeds.perEpoch, CaseSeed: seeds.perCase,
		Label: func(text string) (string, bool) {
			a, ok := l.knows(find, form, text)
			return a.Label, ok
		},
		Difficulty: model.Difficulty{
			Correlation: q.difficulty,
			Misled:      func(text string) (bool, float64, bool) { return l.misled(find, text, seeds.split) },
		},
		AcceptedLabels: func(text string) []string {
			s, _ := find(text)
			accepted, _ := l.right(s, text) // Label has told that they can be read
			return accepted
		}}
	slots := func(text string) map[string]string {
		if a, ok := l.knows(find, form, text); ok {
			return a.Slots
		}
		return l.slots(nil, form)
	}
	if l.of.Contract.Slots != nil {
		m.SlotAccuracy, m.Slots, m.Nested = q.slots, slots, form.SlotsInExtra
	}
	if form.ExtraFields != nil {
		m.Extra = func(text, _ string, given map[string]string) map[string]any {
			if form.SlotsInExtra {
				return form.ExtraFields(text, given)
			}
			return form.ExtraFields(text, slots(text))
		}
	}
	return m
}

// misled reports whether the words of a labelled text mislead, and the share of such texts.
func (l labels) misled(find finder, text, split string) (misled bool, share float64, ok bool) {
	s, labeled := find(text)
	if l.words == nil || !labeled {
		return false, 0, false
	}
	want, err := l.right(s, text)
	if err != nil || want == nil {
		return false, 0, false
	}
	misled, share = l.words.misled(s.Text, want, split)
	return misled, share, true
}

// knows tells what is known of a text, in the words of the form: by its label,
// else by guessing.
func (l labels) knows(find finder, form system.AnswerFormat, text string) (system.Decision, bool) {
	if s, labeled := find(text); labeled {
		want, err := l.right(s, text)
		named, _ := s.Slots() // the scorer tells of what is wrong with them
		return system.Decision{Label: want.Primary(), Slots: l.slots(named, form)}, err == nil && want != nil
	}
	if l.guess == nil {
		return system.Decision{}, false
	}
	a, named := l.guess(text), map[string]eval.OneOf{}
	for name, value := range a.Slots {
		named[name] = eval.OneOf{value}
	}
	a.Slots = l.slots(named, form)
	return a, true
}

// right is what a decider may say to a text of a turn: its label, or, of the labels
// that it comes by, the next.
func (l labels) right(s eval.LabeledTurn, text string) (eval.OneOf, error) {
	if !l.hasPath() {
		return s.Labels(l.of.Contract.LabelField)
	}
	path, err := pathOf(s, l.of.Contract.PathField)
	if err != nil || len(path) == 0 {
		return s.Labels(l.of.Contract.LabelField)
	}
	return nextOn(path, func(path [][]string) string { return l.of.NextDecision(text, path) }), nil
}

// hasPath tells whether the system's turns come by several labels.
func (l labels) hasPath() bool { return l.of.NextDecision != nil && l.of.Contract.PathField != "" }

// slots are right values, "" where none is named.
func (l labels) slots(named map[string]eval.OneOf, form system.AnswerFormat) map[string]string {
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
