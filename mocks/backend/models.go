package backend

import (
	"cmp"
	"context"
	"slices"
	"time"

	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/mocks/model"
)

// models answer for the parts of one trial: each by its script, by the labels of the
// case or as its system says, the others in believable words.
type models struct {
	parts  map[string]model.Model
	others model.Model
}

func (m models) Answer(r model.Request) model.Answer {
	if part, ok := m.parts[r.Part]; ok {
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
func (b *Backend) models(t eval.Trial, turns *caseTurns, form system.AnswerFormat) models {
	noise := t.TrialSeed()
	seeds := seeds{perEpoch: noise, perCase: t.CaseSeed(), split: t.Case.Split}
	m := models{parts: map[string]model.Model{}, others: &model.Labeled{Seed: noise}}
	for _, p := range b.labels.of.Parts {
		q := b.abilities[p.Name]
		switch answers := b.scripts[p.Name]; {
		case answers != nil:
			m.parts[p.Name] = answers
		case p.Role == system.RoleRouter:
			m.parts[p.Name] = b.decider(turns, form, q, seeds)
			if slices.Contains(t.Case.Tags, eval.NeedsHistory) {
				m.parts[p.Name] = reader{knowing: m.parts[p.Name], turns: turns, guessing: counting(b.labelsWithoutHistory.decider(nothing, form, q.unsure(), seeds), turns)}
			}
		case p.Simulate != nil:
			m.parts[p.Name] = declaredAnswers{part: p, turns: turns, seed: noise}
		case p.Role == system.RoleCritic:
			m.parts[p.Name] = judge(turns.find, turns.try, q.ScoreNoise, seeds)
		}
	}
	return m
}

// decider knows the labels of a trial's turns.
func (b *Backend) decider(turns *caseTurns, form system.AnswerFormat, q ability, seeds seeds) model.Model {
	if b.labels.hasPath() {
		return pathDecider{labels: b.labels, form: form, q: q, seeds: seeds, turns: turns}
	}
	return counting(b.labels.decider(turns.find, form, q, seeds), turns)
}

// placeIn returns what locates the calls of a trial; nil for a conversation that is no case. A
// second judgement belongs to the turn that it judges again.
func placeIn(t eval.Trial) func(context.Context) model.Place {
	if len(t.Case.Turns) == 0 {
		return nil
	}
	return func(ctx context.Context) model.Place {
		p := trace.PlaceOf(ctx)
		return model.Place{Turn: cmp.Or(t.RescoredTurn, p.Turn), Branch: p.Branch, Attempt: p.Attempt}
	}
}

// played are the turns of a trial; of a second judgement the one that it is of.
func played(t eval.Trial) eval.Case {
	if t.RescoredTurn > 0 {
		t.Case.Turns = t.Case.Turns[t.RescoredTurn-1 : t.RescoredTurn]
	}
	return t.Case
}

// counting has the questions to a decider counted.
func counting(m *model.Labeled, turns *caseTurns) *model.Labeled {
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
		if p.Role == system.RoleImage {
			d = max(d, b.suite.Models[p.Name].TaskDuration)
		}
	}
	return d
}
