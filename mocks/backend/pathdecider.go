package backend

import (
	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/mocks/model"
	"evalctl/mocks/random"
)

// pathDecider decides again and again in a turn: by the labels that it comes by, as far
// as it has come.
type pathDecider struct {
	labels labels
	form   system.AnswerFormat
	q      ability
	seeds  seeds
	turns  *caseTurns
}

var _ model.Model = pathDecider{}

// Answer finds the label that is right next.
func (f pathDecider) Answer(r model.Request) model.Answer {
	step, _, ok := f.turns.countQuestion(r, question{text: r.Text})
	seeds := f.seeds
	seeds.perCase = random.Mix(seeds.perCase, uint64(r.Place.Loop)) // each decision has a difficulty
	return f.labels.decider(func(string) (eval.LabeledTurn, bool) { return step, ok }, f.form, f.q, seeds).Answer(r)
}
