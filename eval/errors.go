package eval

import (
	"context"
	"errors"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
)

// ErrorKind says whose fault it is that a trial has no answer. None of them
// is a wrong answer.
type ErrorKind string

const (
	ProviderError ErrorKind = "provider" // the far side, after retries
	TimeoutError  ErrorKind = "timeout"  // of a call or of the whole trial
	AgentError    ErrorKind = "agent"    // a panic or a bug
	ScorerError   ErrorKind = "scorer"
	HarnessError  ErrorKind = "harness"
	CanceledError ErrorKind = "canceled"
)

// ErrorKinds lists all of them.
func ErrorKinds() []ErrorKind {
	return []ErrorKind{ProviderError, TimeoutError, AgentError, ScorerError, HarnessError, CanceledError}
}

// Error is why a trial has no answer.
type Error struct {
	Kind    ErrorKind `json:"kind"`
	Message string    `json:"message"`
}

func (e *Error) Error() string { return string(e.Kind) + ": " + e.Message }

// decides tells an error beside which a decision may stand: one of what was
// evaluated, and not of who evaluates.
func (e *Error) decides() bool { return e.Kind != ScorerError && e.Kind != HarnessError }

// Classify finds the kind of a target's error.
func Classify(err error) *Error {
	return &Error{Kind: kindOf(err), Message: err.Error()}
}

// kindOf believes a call to the outside before the context that it ran under:
// a deadline cancels what it ends.
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
