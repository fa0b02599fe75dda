package backend

import (
	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/mocks/model"
	"evalctl/mocks/random"
)

// pathDecider is the simulated router of a system that makes a sequence of decisions in each turn.
type pathDecider struct {
	labels  labels
	form    system.AnswerFormat
	ability ability
	seeds   seeds
	turns   *caseTurns
}

var _ model.Model = pathDecider{}

// Answer returns the next decision of the turn's expected sequence.
func (f pathDecider) Answer(r model.Request) model.Answer {
	step, _, ok := f.turns.countCall(r, callKey{text: r.Text})
	seeds := f.seeds
	seeds.perCase = random.Mix(seeds.perCase, uint64(r.Position.CallNumber)) // each decision has its own difficulty
	return f.labels.decider(func(string) (eval.LabeledTurn, bool) { return step, ok }, f.form, f.ability, seeds).
		Answer(r)
}
