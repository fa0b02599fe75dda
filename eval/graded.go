package eval

import (
	"evalctl/agent/trace"
)

// FactGrading is a model's check whether a turn's answer states the listed facts. It runs after the
// turn. Its calls, tokens and time do not count toward the turn.
type FactGrading struct {
	Stated []bool        `json:"stated"` // one per fact; null: the grader failed
	Error  string        `json:"error,omitempty"`
	Events []trace.Event `json:"events"`
}

// GradingCost sums the cost of grading a trial's answers. It is not part of the cost of any turn.
type GradingCost struct {
	Turns  int64    `json:"turns"`
	Failed int64    `json:"failed,omitempty"` // turns whose grading failed
	Calls  int64    `json:"calls"`
	Tokens Tokens   `json:"tokens"`
	Cost   *float64 `json:"cost"` // USD; null: a call has no price
}
