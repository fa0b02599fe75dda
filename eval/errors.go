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

// Classify finds the kind of a target's error.
func Classify(err error) *Error {
	return &Error{Kind: kindOf(err), Message: err.Error()}
}

// kindOf takes the innermost word first: a far side's error says what it was.
func kindOf(err error) ErrorKind {
	var own *Error
	var panicked *clock.PanicError
	switch {
	case errors.As(err, &own):
		return own.Kind
	case errors.As(err, &panicked):
		return AgentError
	case errors.Is(err, context.Canceled), errors.Is(err, llm.KindCanceled):
		return CanceledError
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, llm.KindTimeout):
		return TimeoutError
	case llm.KindOf(err) != "":
		return ProviderError
	default:
		return AgentError
	}
}
