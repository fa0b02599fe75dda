package eval

import (
	"evalctl/agent/trace"
)

// FactGrading is what a model made of a turn's answer when the turn was over: which of the
// facts that its case lists it states. It counts to no turn.
type FactGrading struct {
	Stated []bool        `json:"stated"` // by fact; null: the grader failed
	Error  string        `json:"error,omitempty"`
	Events []trace.Event `json:"events"`
}

// GradingCost is what the grading of a trial's answers took, which counts to no turn.
type GradingCost struct {
	Turns  int64    `json:"turns"`
	Failed int64    `json:"failed,omitempty"` // of Turns: of whose facts nobody knows
	Calls  int64    `json:"calls"`
	Tokens Tokens   `json:"tokens"`
	Cost   *float64 `json:"cost"` // USD; null: something has no price
}
