package eval

import (
	"context"
	"errors"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
)

// ErrorKind is the cause of an error that left a trial without an answer. Such a trial does not
// count as a wrong answer.
type ErrorKind string

const (
	ProviderError ErrorKind = "provider" // a remote service returned an error, also after retries
	TimeoutError  ErrorKind = "timeout"  // a call or the whole trial took too long
	AgentError    ErrorKind = "agent"    // the evaluated agent panicked or returned an unexpected error
	ScorerError   ErrorKind = "scorer"   // a scorer returned an error or panicked
	HarnessError  ErrorKind = "harness"  // evalctl itself failed
	CanceledError ErrorKind = "canceled" // the run was canceled
)

// ErrorKinds lists all kinds of errors.
func ErrorKinds() []ErrorKind {
	return []ErrorKind{ProviderError, TimeoutError, AgentError, ScorerError, HarnessError, CanceledError}
}

// Error describes why a trial has no answer.
type Error struct {
	Kind    ErrorKind `json:"kind"`
	Message string    `json:"message"`
}

func (e *Error) Error() string { return string(e.Kind) + ": " + e.Message }

// isTargetError reports whether the error came from the evaluated target, not from evalctl
// (HarnessError) or a scorer. A decision that was made before such an error remains valid.
func (e *Error) isTargetError() bool { return e.Kind != ScorerError && e.Kind != HarnessError }

// ClassifyError converts the error that a target returned to an [Error] with its kind.
func ClassifyError(err error) *Error {
	return &Error{Kind: kindOf(err), Message: err.Error()}
}

// kindOf returns the kind of an error. The error of the failed call has priority over the state of
// the context, because a deadline also cancels calls in progress.
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
