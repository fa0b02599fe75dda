package eval

import "evalctl/agent/trace"

// Graded is what a model made of a turn's answer when the turn was over: which of the
// facts that its case lists it states. It counts to no turn.
type Graded struct {
	Stated []bool        `json:"stated"` // by fact; null: the grader failed
	Error  string        `json:"error,omitempty"`
	Events []trace.Event `json:"events"`
}
