package backend

import (
	"evalctl/eval"
	"evalctl/mocks/model"
)

// Quality is what a picture of a turn is worth that is shown.
func Quality(find func(string) (eval.Step, bool), text string, nth int) float64 {
	return quality(find, model.Request{Text: text, Images: 1}, nth)
}

// Promise is what the words of a request are worth.
var Promise = promise

// Turns are exported for tests.
type Turns struct{ *caseTurns }

// TurnsOf finds a case's turns.
func TurnsOf(c eval.Case) Turns { return Turns{turnsOf(c)} }

// Find finds the turn that has a text.
func (t Turns) Find(text string) (eval.Step, bool) { return t.find(text) }

// Ask counts a question.
func (t Turns) Ask(text string) { t.ask(text) }

// Try makes an answer that of a turn.
func (t Turns) Try(text string, nth int) int { return t.try(text, nth) }

// Counted is how much is remembered.
func (t Turns) Counted() int { return len(t.asked) + len(t.first) }

// Worth is what a critic makes of an attempt.
var Worth = quality
