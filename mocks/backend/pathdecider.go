package backend

import (
	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/mocks/model"
)

// pathDecider decides again and again in a turn: by the labels that it comes by, as far
// as it has come.
type pathDecider struct {
	labels labels
	form   system.Form
	q      ability
	seeds  luck
	turns  *caseTurns
}

var _ model.Model = pathDecider{}

// Answer has dice of its own for each question, also for one that is asked again.
func (f pathDecider) Answer(r model.Request) model.Answer {
	step, nth, ok := f.turns.countQuestion(r, question{text: r.Text})
	m := f.labels.decider(func(string) (eval.Step, bool) { return step, ok }, f.form, f.q, f.seeds)
	m.Nth = func(string) int { return nth }
	return m.Answer(r)
}
