package llm

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"evalctl/agent/clock"
)

// ErrorKind says why a call failed. It is an error itself, so that
// errors.Is(err, KindTimeout) asks for it.
type ErrorKind string

// The kinds of failure.
const (
	KindTimeout           ErrorKind = "timeout"            // an attempt, or the caller's deadline, ran out of time
	KindCanceled          ErrorKind = "canceled"           // the caller gave up, or could not take a chunk
	KindRateLimited       ErrorKind = "rate_limited"       // too many requests; later ones will be served
	KindServerError       ErrorKind = "server_error"       // 5xx, overload, an answer broken off for want of resources
	KindReset             ErrorKind = "reset"              // the connection broke before anything was handed on
	KindTransport         ErrorKind = "transport"          // no answer for a reason that lasts: name, certificate, no recording
	KindAuth              ErrorKind = "auth"               // 401, 403
	KindNoBalance         ErrorKind = "no_balance"         // no money or quota left
	KindBadRequest        ErrorKind = "bad_request"        // the service, or this package, refuses the request
	KindNotFound          ErrorKind = "not_found"          // 404, 405, 410: the service has no such model, path or task
	KindContentBlocked    ErrorKind = "content_blocked"    // a content filter refused the question or the answer
	KindTruncated         ErrorKind = "truncated"          // an answer broke off: a stream without its finish_reason, JSON at the limit of tokens
	KindMalformedResponse ErrorKind = "malformed_response" // an answer that does not speak the wire format
	KindEmptyContent      ErrorKind = "empty_content"      // no text where text is needed
	KindMalformedJSON     ErrorKind = "malformed_json"     // a whole answer without the JSON that was asked for
	KindSchema            ErrorKind = "wrong_schema"       // JSON that lacks a field, or has one of a wrong type or out of range
	KindLabel             ErrorKind = "unknown_label"      // JSON that names none of the values to choose from
	KindNoContent         ErrorKind = "no_content"         // a whole answer of thoughts alone, or of a call of a tool in place of a text
	KindRefusal           ErrorKind = "model_refusal"      // a whole answer in which the model refuses to answer
	KindTask              ErrorKind = "task_failed"        // an asynchronous task ended without a result
)

func (k ErrorKind) Error() string { return string(k) }

// IsInvalidAnswer tells a whole answer that cannot be used, which is the model's doing,
// from a call that failed or whose answer is empty or broke off.
func (k ErrorKind) IsInvalidAnswer() bool {
	switch k {
	case KindMalformedJSON, KindSchema, KindLabel, KindNoContent, KindRefusal:
		return true
	}
	return false
}

// Error is a call that failed, after its retries.
type Error struct {
	Kind       ErrorKind
	Provider   string
	Status     int    // HTTP status, 0 without an answer
	Code       string // the provider's, as it spells it
	Message    string
	RetryAfter time.Duration // as the provider asked, 0 when it did not
	Attempt    int           // the attempt that failed last, from 1; 0 before the first
	Err        error         // the cause, may be nil

	final   bool // a retry would repeat what was handed on, or is known to be refused
	instead bool // the service told it in place of an answer, under a status of success
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

// Unanswered is the error of a call to an endpoint that has refused all calls for so long that
// no retry is worth waiting for.
func Unanswered(provider, message string) *Error {
	return &Error{Kind: KindRateLimited, Provider: provider, Message: message, final: true}
}

// Is reports whether target is the error's Kind.
func (e *Error) Is(target error) bool {
	k, ok := target.(ErrorKind)
	return ok && k == e.Kind
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Retryable tells whether another attempt can help.
func (e *Error) Retryable() bool {
	switch e.Kind {
	case KindRateLimited, KindServerError, KindReset:
		return !e.final
	default:
		return false
	}
}

// Reason is an error as a trace names it: its kind, panic or error.
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

// KindOf is the kind of err, empty when err is nil or not of this package.
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

// tooMuch is the error of an answer that has more of something than any has.
func tooMuch(format string, most int) *Error {
	return &Error{Kind: KindMalformedResponse, Status: 200, Message: "the answer has more than " + fmt.Sprintf(format, most)}
}
