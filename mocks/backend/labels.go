package backend

import (
	"cmp"
	"slices"

	"evalctl/agent"
	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/mocks/model"
)

// labels provides simulated deciders with the correct decisions for the texts of a system's cases.
type labels struct {
	system system.System
	all    []string // all labels of the system, the fallback label last
	oos    string   // out-of-scope label; "": none
	// decides texts that occur in no case, by word rules; nil: such texts get the fallback label
	guess   func(text string) system.Decision
	wording *wording // finds texts whose words suggest a wrong label; nil: unknown
}

// seeds are the random seeds of a simulated model: perEpoch differs between epochs, perCase is the
// same in all epochs of a case.
type seeds struct {
	perEpoch, perCase uint64
	split             string // the case's split, such as train or test
}

// decider returns a simulated router that decides by the labels, with the given quality and answer
// format.
func (l labels) decider(find finder, form system.AnswerFormat, q ability, seeds seeds) *model.SimulatedRouter {
	m := &model.SimulatedRouter{
		LabelField:         cmp.Or(form.Field, l.system.Contract.LabelField),
		LabelOnly:          form.PlainLabel,
		AnswerWithToolCall: form.ToolCall,
		Labels:             l.all,
		LabelName:          form.LabelName,
		Accuracy:           q.accuracy,
		Confusion:          q.Confusion,
		Calibration:        q.calibration,
		Consistency:        q.consistency,
		Seed:               seeds.perEpoch,
		CaseSeed:           seeds.perCase,
		CorrectLabel: func(text string) (string, bool) {
			a, ok := l.decisionFor(find, form, text)
			return a.Label, ok
		},
		Difficulty: model.Difficulty{
			Correlation:  q.difficulty,
			IsMisleading: func(text string) (bool, float64, bool) { return l.misled(find, text, seeds.split) },
		},
		AcceptedLabels: func(text string) []string {
			s, _ := find(text)
			accepted, _ := l.accepted(s, text) // Label has already reported the error
			return accepted
		},
	}
	slots := func(text string) map[string]string {
		if a, ok := l.decisionFor(find, form, text); ok {
			return a.Slots
		}
		return l.slots(nil, form)
	}
	if l.system.Contract.AllowTools {
		m.LabelChoices = func(text string) []string { return l.choices(find, text) }
	}
	if l.system.Contract.Slots != nil {
		m.SlotAccuracy = q.slotAccuracy
		m.Slots = slots
		m.SlotsInExtra = form.SlotsInExtra
	}
	if form.ExtraFields != nil {
		m.ExtraFields = func(text, _ string, given map[string]string) map[string]any {
			if form.SlotsInExtra {
				return form.ExtraFields(text, given)
			}
			return form.ExtraFields(text, slots(text))
		}
	}
	return m
}

// choices returns the labels that a model chooses from for a text whose turn has tools of its own:
// the tools and the out-of-scope label, which is last. nil: the turn has no tools.
func (l labels) choices(find finder, text string) []string {
	s, _ := find(text)
	if s.Tools == nil {
		return nil
	}
	names := agent.ToolNames(s.Tools)
	if l.oos != "" && !slices.Contains(names, l.oos) {
		names = append(names, l.oos)
	}
	return names
}

// misled reports whether the words of a labeled text suggest a wrong label. share is the share of
// such texts among those with the same label. ok is false if this is unknown.
func (l labels) misled(find finder, text, split string) (misled bool, share float64, ok bool) {
	s, labeled := find(text)
	if l.wording == nil || !labeled {
		return false, 0, false
	}
	want, err := l.accepted(s, text)
	if err != nil || want == nil {
		return false, 0, false
	}
	misled, share = l.wording.misled(s.Text, want, split)
	return misled, share, true
}

// decisionFor returns the correct decision for a text: from its label, or else from the heuristic.
// ok is false if neither exists.
func (l labels) decisionFor(find finder, form system.AnswerFormat, text string) (system.Decision, bool) {
	if s, labeled := find(text); labeled {
		want, err := l.accepted(s, text)
		named, _ := s.Slots() // the scorer reports an error in the expectations
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

// accepted returns the correct labels for a text. If a turn expects a sequence of decisions, they
// are the labels of the next decision in it.
func (l labels) accepted(s eval.LabeledTurn, text string) (eval.OneOf, error) {
	if !l.hasPath() {
		return s.Labels(l.system.Contract.LabelField)
	}
	path, err := pathOf(s, l.system.Contract.DecisionPathField)
	if err != nil || len(path) == 0 {
		return s.Labels(l.system.Contract.LabelField)
	}
	return acceptedNext(path, func(path [][]string) string { return l.system.SimulateNextDecision(text, path) }), nil
}

// hasPath reports whether the system makes a sequence of decisions in a turn, so that its cases
// have a list of labels.
func (l labels) hasPath() bool {
	return l.system.SimulateNextDecision != nil && l.system.Contract.DecisionPathField != ""
}

// slots returns the correct values of all slots that the system extracts; "" for a slot without a
// value.
func (l labels) slots(named map[string]eval.OneOf, form system.AnswerFormat) map[string]string {
	values := map[string]string{}
	for _, name := range l.system.Contract.Slots {
		switch accepted := named[name]; {
		case len(accepted) == 0:
			values[name] = ""
		case form.SlotValue != nil:
			values[name] = form.SlotValue(name, accepted)
		default:
			values[name] = accepted.Primary()
		}
	}
	return values
}
