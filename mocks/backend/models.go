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

// models is the simulated model of all components in one trial. A component answers from its
// script, from the labels of the case, or as its system defines. Other components answer with
// plausible text.
type models struct {
	parts  map[string]model.Model
	others model.Model
}

func (m models) Answer(r model.Request) model.Answer {
	if part, ok := m.parts[r.ComponentName]; ok {
		return part.Answer(r)
	}
	return m.others.Answer(r)
}

// Validate returns the first error of the components' models.
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

// models returns the simulated models for a trial. They answer from the labels of its case.
func (b *Backend) models(t eval.Trial, turns *caseTurns, form system.AnswerFormat) models {
	noise := t.TrialSeed()
	seeds := seeds{perEpoch: noise, perCase: t.CaseSeed(), split: t.Case.Split}
	m := models{parts: map[string]model.Model{}, others: &model.SimulatedRouter{Seed: noise}}
	for _, p := range b.labels.system.Components {
		q := b.abilities[p.Name]
		switch answers := b.scripts[p.Name]; {
		case answers != nil:
			m.parts[p.Name] = answers
		case p.Role == system.RoleRouter:
			m.parts[p.Name] = b.decider(turns, form, q, seeds)
			if slices.Contains(t.Case.Tags, eval.NeedsHistoryTag) {
				m.parts[p.Name] = historyDecider{labeled: m.parts[p.Name], turns: turns,
					heuristic: countDecisions(b.labelsWithoutHistory.decider(findNone, form, q.heuristic(), seeds),
						turns)}
			}
		case p.Simulate != nil:
			m.parts[p.Name] = declaredAnswers{part: p, turns: turns, seed: noise}
		case p.Role == system.RoleCritic:
			m.parts[p.Name] = newCritic(turns.find, turns.attemptNumber, q.ScoreNoise, seeds)
		}
	}
	return m
}

// decider returns the simulated router for a trial. It decides by the labels of the trial's turns.
func (b *Backend) decider(turns *caseTurns, form system.AnswerFormat, q ability, seeds seeds) model.Model {
	if b.labels.hasPath() {
		return pathDecider{
			labels:  b.labels,
			form:    form,
			ability: q,
			seeds:   seeds,
			turns:   turns,
		}
	}
	return countDecisions(b.labels.decider(turns.find, form, q, seeds), turns)
}

// positionsIn returns a function that returns the position of a call within its trial, for the
// seeds of random draws. It is nil for a conversation without a case. A turn that is scored again
// has its original number.
func positionsIn(t eval.Trial) func(context.Context) model.CallPosition {
	if len(t.Case.Turns) == 0 {
		return nil
	}
	return func(ctx context.Context) model.CallPosition {
		p := trace.PositionOf(ctx)
		return model.CallPosition{Turn: cmp.Or(t.RescoredTurn, p.Turn), Branch: p.Branch, Attempt: p.Attempt}
	}
}

// executedTurns returns the case with the turns that run: all, or only the turn that is scored
// again.
func executedTurns(t eval.Trial) eval.Case {
	if t.RescoredTurn > 0 {
		t.Case.Turns = t.Case.Turns[t.RescoredTurn-1 : t.RescoredTurn]
	}
	return t.Case
}

// countDecisions wraps m so that its decisions are counted, to find the turn of each call.
func countDecisions(m *model.SimulatedRouter, turns *caseTurns) *model.SimulatedRouter {
	label := m.CorrectLabel
	m.CorrectLabel = func(text string) (string, bool) {
		turns.countDecision(text)
		return label(text)
	}
	return m
}

// taskTime returns how long simulated image tasks take: the longest duration that the suite
// configures.
func (b *Backend) taskTime() (d time.Duration) {
	for _, p := range b.labels.system.Components {
		if p.Role == system.RoleImage {
			d = max(d, b.suite.Models[p.Name].TaskDuration)
		}
	}
	return d
}
