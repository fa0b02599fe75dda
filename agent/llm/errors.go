package llm

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"evalctl/agent/clock"
)

// ErrorKind is the reason why a call failed. It is an error itself, for use with errors.Is(err,
// KindTimeout).
type ErrorKind string

// The kinds of failure.
const (
	KindTimeout     ErrorKind = "timeout"      // an attempt or the caller's deadline timed out
	KindCanceled    ErrorKind = "canceled"     // the caller canceled, or its callback returned an error
	KindRateLimited ErrorKind = "rate_limited" // too many requests; later ones can succeed
	KindServerError ErrorKind = "server_error" // 5xx, overload, or an answer aborted for lack of resources
	KindReset       ErrorKind = "reset"        // the connection broke before any output was emitted
	// a permanent connection error: host name, certificate, missing recording
	KindTransport      ErrorKind = "transport"
	KindAuth           ErrorKind = "auth"            // 401, 403
	KindNoBalance      ErrorKind = "no_balance"      // no balance or quota left
	KindBadRequest     ErrorKind = "bad_request"     // the service or this package rejects the request
	KindNotFound       ErrorKind = "not_found"       // 404, 405, 410: the service has no such model, path or task
	KindContentBlocked ErrorKind = "content_blocked" // a content filter blocked the request or the answer
	// an incomplete answer: a stream without a finish_reason, JSON cut at the token limit
	KindTruncated         ErrorKind = "truncated"
	KindMalformedResponse ErrorKind = "malformed_response" // an answer that violates the wire format
	KindEmptyContent      ErrorKind = "empty_content"      // no text where text is required
	KindMalformedJSON     ErrorKind = "malformed_json"     // a complete answer without the required JSON
	// JSON with a missing field, or one of the wrong type or out of range
	KindSchema ErrorKind = "wrong_schema"
	KindLabel  ErrorKind = "unknown_label" // JSON with a label that is not in the list
	// a complete answer with only reasoning, or with a tool call in place of a text
	KindNoContent ErrorKind = "no_content"
	KindRefusal   ErrorKind = "model_refusal" // a complete answer in which the model refuses
	KindTask      ErrorKind = "task_failed"   // an asynchronous task ended without a result
)

func (k ErrorKind) Error() string { return string(k) }

// IsInvalidAnswer reports whether the model returned a complete answer that cannot be used. Failed
// calls and empty or truncated answers do not count.
func (k ErrorKind) IsInvalidAnswer() bool {
	switch k {
	case KindMalformedJSON, KindSchema, KindLabel, KindNoContent, KindRefusal:
		return true
	}
	return false
}

// Error is a failed call, after its retries.
type Error struct {
	Kind       ErrorKind
	Provider   string
	Status     int    // HTTP status; 0: no answer
	Code       string // the provider's code, unchanged
	Message    string
	RetryAfter time.Duration // requested by the provider; 0: none
	Attempt    int           // the last failed attempt, from 1; 0: before the first
	Err        error         // the cause; may be nil

	permanent bool // no retry: output was already emitted, or a retry would be refused
	inAnswer  bool // the service returned the error with a status of success
}

var (
	_ error = (*Error)(nil)
	_ error = ErrorKind("")
)

func (e *Error) Error() string {
	var b strings.Builder
	if e.Provider != "" {
		b.WriteString(e.Provider + ": ")
	}
	b.WriteString(string(e.Kind))
	switch {
	case e.Status != 0 && e.Code != "":
		fmt.Fprintf(&b, " (%d %s)", e.Status, e.Code)
	case e.Status != 0:
		fmt.Fprintf(&b, " (%d)", e.Status)
	case e.Code != "":
		fmt.Fprintf(&b, " (%s)", e.Code)
	}
	if e.Message != "" {
		b.WriteString(": " + e.Message)
	} else if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

// NewCircuitOpenError returns the error of an endpoint that has refused all calls for so long that
// a retry is not worth the wait.
func NewCircuitOpenError(provider, message string) *Error {
	return &Error{
		Kind:      KindRateLimited,
		Provider:  provider,
		Message:   message,
		permanent: true,
	}
}

// Is reports whether target is the error's Kind.
func (e *Error) Is(target error) bool {
	k, ok := target.(ErrorKind)
	return ok && k == e.Kind
}

func (e *Error) Unwrap() error { return e.Err }

// Retryable reports whether another attempt can help.
func (e *Error) Retryable() bool {
	switch e.Kind {
	case KindRateLimited, KindServerError, KindReset:
		return !e.permanent
	default:
		return false
	}
}

// Reason returns the name of an error in a trace: its kind, "panic" or "error".
func Reason(err error) string {
	var panicked *clock.PanicError
	switch kind := KindOf(err); {
	case errors.As(err, &panicked):
		return "panic"
	case kind != "":
		return string(kind)
	}
	return "error"
}

// KindOf returns the kind of err; "" if err is nil or not from this package.
func KindOf(err error) ErrorKind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	var k ErrorKind
	if errors.As(err, &k) {
		return k
	}
	return ""
}

// limitError returns the error of an answer that exceeds a limit.
func limitError(format string, most int) *Error {
	return &Error{Kind: KindMalformedResponse, Status: 200,
		Message: "the answer has more than " + fmt.Sprintf(format, most)}
}
