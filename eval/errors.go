package eval

import (
	"context"
	"errors"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
)

// ErrorKind is the origin of the error that left a trial without an answer. A trial with an error
// is not a wrong answer.
type ErrorKind string

const (
	ProviderError ErrorKind = "provider" // error of a remote service, after retries
	TimeoutError  ErrorKind = "timeout"  // timeout of a call or of the whole trial
	AgentError    ErrorKind = "agent"    // a panic or a bug
	ScorerError   ErrorKind = "scorer"
	HarnessError  ErrorKind = "harness"
	CanceledError ErrorKind = "canceled"
)

// ErrorKinds lists all kinds.
func ErrorKinds() []ErrorKind {
	return []ErrorKind{ProviderError, TimeoutError, AgentError, ScorerError, HarnessError, CanceledError}
}

// Error is the reason why a trial has no answer.
type Error struct {
	Kind    ErrorKind `json:"kind"`
	Message string    `json:"message"`
}

func (e *Error) Error() string { return string(e.Kind) + ": " + e.Message }

// isTargetError reports whether a decision remains valid despite the error: the error came from the
// evaluated target, not from the harness or a scorer.
func (e *Error) isTargetError() bool { return e.Kind != ScorerError && e.Kind != HarnessError }

// Classify returns a target's error with its kind.
func Classify(err error) *Error {
	return &Error{Kind: kindOf(err), Message: err.Error()}
}

// kindOf checks the error of a call before the context, because a deadline also cancels the calls
// that it ends.
func kindOf(err error) ErrorKind {
	var own *Error
	var panicked *clock.PanicError
	switch kind := llm.KindOf(err); {
	case errors.As(err, &own):
		return own.Kind
	case errors.As(err, &panicked):
		return AgentError
	case kind == llm.KindTimeout, kind == "" && errors.Is(err, context.DeadlineExceeded):
		return TimeoutError
	case kind == llm.KindCanceled, kind == "" && errors.Is(err, context.Canceled):
		return CanceledError
	case kind != "":
		return ProviderError
	default:
		return AgentError
	}
}
