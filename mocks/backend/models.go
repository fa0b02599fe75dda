package backend

import (
	"cmp"
	"time"

	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/suite"
	"evalctl/mocks"
)

// models answer for the parts of one trial: each by its script or by the
// labels of the case, those that neither decide nor judge in believable words.
type models struct {
	parts  map[mocks.Component]mocks.Model
	others mocks.Model
}

func (m models) Answer(r mocks.ChatRequest) mocks.Answer {
	if part, ok := m.parts[r.Component]; ok {
		return part.Answer(r)
	}
	return m.others.Answer(r)
}

// Validate asks all of them.
func (m models) Validate() error {
	for _, part := range m.parts {
		if v, ok := part.(interface{ Validate() error }); ok {
			if err := v.Validate(); err != nil {
				return err
			}
		}
	}
	return nil
}

// models are made for each trial: they know the case's labels.
func (b *Backend) models(t eval.Trial, v suite.Variant, noise uint64) models {
	turns := turnsOf(t.Case)
	var form system.Form
	if f := b.labels.of.Form; f != nil {
		form = f(b.suite.Values(v))
	}
	m := models{parts: map[mocks.Component]mocks.Model{}, others: &mocks.Labelled{Seed: noise}}
	for _, p := range b.labels.of.Parts {
		name := mocks.Component(p.Name)
		q := b.suite.Models[p.Name].Simulated
		switch script := b.scripts[name]; {
		case script != nil:
			m.parts[name] = script
		case p.Work == system.Judges:
			m.parts[name] = judge(turns.find, turns.try, q.Spread, noise)
		case p.Work == system.Decides:
			q.Accuracy = cmp.Or(q.Accuracy, 1)
			m.parts[name] = counting(b.labels.decider(turns.find, form, q, noise), turns)
		}
	}
	return m
}

// counting has the questions to a decider counted.
func counting(m *mocks.Labelled, turns *caseTurns) *mocks.Labelled {
	label := m.Label
	m.Label = func(text string) (string, bool) {
		turns.ask(text)
		return label(text)
	}
	return m
}

// taskTime is how long a picture's task runs.
func (b *Backend) taskTime() (d time.Duration) {
	for _, p := range b.labels.of.Parts {
		if p.Work == system.Paints {
			d = max(d, b.suite.Models[p.Name].Task)
		}
	}
	return d
}
