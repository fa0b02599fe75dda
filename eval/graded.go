package eval

import (
	"evalctl/agent/trace"
)

// FactGrading is the result of a model that checks which of the expected facts an answer states.
// The check runs after the turn, and its calls, tokens and time do not count toward the turn.
type FactGrading struct {
	// whether the answer states each fact, in the order of the case; null: the grading model failed
	Stated []bool        `json:"stated"`
	Error  string        `json:"error,omitempty"` // why grading failed; "": it did not
	Events []trace.Event `json:"events"`
}

// GradingCost sums the cost of the model that checks a trial's answers for facts. It is separate
// from the cost of the trial.
type GradingCost struct {
	Turns  int64    `json:"turns"`            // number of turns that were graded
	Failed int64    `json:"failed,omitempty"` // number of turns whose check failed
	Calls  int64    `json:"calls"`
	Tokens Tokens   `json:"tokens"`
	Cost   *float64 `json:"cost"` // cost in USD; null: a call has no price
}
