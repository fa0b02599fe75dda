package llm

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"evalctl/agent/clock"
)

// ErrorKind is the reason why a call failed. It is an error, so errors.Is(err, KindTimeout) works.
type ErrorKind string

// The reasons why a call fails.
const (
	KindTimeout     ErrorKind = "timeout"      // an attempt or the caller's context exceeded its time limit
	KindCanceled    ErrorKind = "canceled"     // the caller canceled, or its callback returned an error
	KindRateLimited ErrorKind = "rate_limited" // too many requests; a retry can succeed
	KindServerError ErrorKind = "server_error" // 5xx, overload, or an answer aborted for lack of resources
	// the connection broke before any output was emitted; a retry can succeed
	KindConnectionReset ErrorKind = "reset"
	// a permanent connection error: host name, certificate, missing recording
	KindTransport  ErrorKind = "transport"
	KindAuth       ErrorKind = "auth"        // HTTP status 401 or 403: wrong key or no permission
	KindNoBalance  ErrorKind = "no_balance"  // no balance or quota left
	KindBadRequest ErrorKind = "bad_request" // the service or this package rejects the request
	// HTTP status 404, 405 or 410: the service has no such model, path or task
	KindNotFound       ErrorKind = "not_found"
	KindContentBlocked ErrorKind = "content_blocked" // a content filter blocked the request or the answer
	// an incomplete answer: a stream without a finish_reason, ChatJSON cut at the token limit
	KindTruncated         ErrorKind = "truncated"
	KindMalformedResponse ErrorKind = "malformed_response" // an answer that violates the wire format
	KindEmptyContent      ErrorKind = "empty_content"      // an answer without text although text is required
	KindMalformedJSON     ErrorKind = "malformed_json"     // a complete answer that does not contain the required ChatJSON
	// ChatJSON in which a field is missing, of the wrong type or out of range
	KindWrongSchema  ErrorKind = "wrong_schema"
	KindUnknownLabel ErrorKind = "unknown_label" // ChatJSON with a label that is not in the list of valid labels
	// a complete answer with only reasoning, or with a tool call instead of a text
	KindNonTextAnswer ErrorKind = "no_content"
	KindRefusal       ErrorKind = "model_refusal" // a complete answer in which the model refuses
	KindTaskFailed    ErrorKind = "task_failed"   // an asynchronous task, such as image generation, ended without a result
)

func (k ErrorKind) Error() string { return string(k) }

// IsInvalidAnswer reports whether the model returned a complete answer that cannot be used, which
// is the model's mistake. Failed calls and empty or truncated answers do not count.
func (k ErrorKind) IsInvalidAnswer() bool {
	switch k {
	case KindMalformedJSON, KindWrongSchema, KindUnknownLabel, KindNonTextAnswer, KindRefusal:
		return true
	}
	return false
}

// Error describes a failed call to an external service, after all retries.
type Error struct {
	Kind       ErrorKind     // why the call failed
	Provider   string        // name of the service that was called
	Status     int           // HTTP status; 0: no response was received
	Code       string        // the provider's error code, unchanged
	Message    string        // the provider's explanation, without secrets
	RetryAfter time.Duration // delay before the next attempt that the provider requests; 0: none
	Attempt    int           // number of the last failed attempt, from 1; 0: the call failed before the first
	Err        error         // the cause; may be nil

	permanent bool // rules out a retry: output was already emitted, or the service would refuse it
	inAnswer  bool // a response with a successful HTTP status contained the error
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

// NewCircuitOpenError returns the error for a call that the circuit breaker stopped: the endpoint
// has refused all calls for so long that waiting is pointless.
func NewCircuitOpenError(provider, message string) *Error {
	return &Error{
		Kind:      KindRateLimited,
		Provider:  provider,
		Message:   message,
		permanent: true,
	}
}

// Is reports whether target is the kind of e, for errors.Is.
func (e *Error) Is(target error) bool {
	k, ok := target.(ErrorKind)
	return ok && k == e.Kind
}

func (e *Error) Unwrap() error { return e.Err }

// IsRetryable reports whether another attempt could succeed.
func (e *Error) IsRetryable() bool {
	switch e.Kind {
	case KindRateLimited, KindServerError, KindConnectionReset:
		return !e.permanent
	default:
		return false
	}
}

// TraceReason returns a short name of an error for the trace: its ErrorKind, "panic" or "error".
func TraceReason(err error) string {
	var panicked *clock.PanicError
	switch kind := KindOf(err); {
	case errors.As(err, &panicked):
		return "panic"
	case kind != "":
		return string(kind)
	}
	return "error"
}

// KindOf returns the ErrorKind of err; "" if err is nil or not from this package.
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

// limitError returns the error for an answer that exceeds a limit. format has a %d for the limit.
func limitError(format string, most int) *Error {
	return &Error{Kind: KindMalformedResponse, Status: 200,
		Message: "the answer has more than " + fmt.Sprintf(format, most)}
}
