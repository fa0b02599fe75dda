package backend

import "evalctl/eval"

// Quality is exported for tests.
var Quality = quality

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
