package llm

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"syscall"

	"evalctl/agent/outbound"
	"evalctl/agent/secret"
)

// NewResponseError creates the error for a provider's error response. Its kind follows from the
// code and the HTTP status. A status below 400 means that a successful response contained the
// error. code and typ may be empty.
func NewResponseError(p Provider, status int, code, typ, message string) *Error {
	e := &Error{
		Provider: p.Name,
		Status:   status,
		Code:     shorten(cmp.Or(code, typ)),
		Message:  shorten(message),
	}
	switch {
	case p.IsPermanentError(code, typ):
		e.Kind = KindNoBalance
	case containsAny(strings.ToLower(code+" "+typ), "inspection", "sensitivecontent", "content_filter",
		"content_policy"):
		e.Kind = KindContentBlocked
	case status >= 400:
		e.Kind = statusKind(status)
	default:
		e.Kind = codeKind(p, code, typ)
	}
	return e
}

func statusKind(status int) ErrorKind {
	switch {
	case status == 401, status == 403:
		return KindAuth
	case status == 402, status == 432, status == 433: // 432 and 433 are Tavily's codes
		return KindNoBalance
	case status == 404, status == 405, status == 410:
		return KindNotFound
	case status == 408:
		return KindTimeout
	case status == 429:
		return KindRateLimited
	case status >= 500:
		return KindServerError
	default:
		return KindBadRequest
	}
}

// codeKind classifies an error that arrived with a successful HTTP status by its code. DeepSeek's
// code invalid_request_error is ignored, because DeepSeek uses it for every error.
func codeKind(p Provider, code, typ string) ErrorKind {
	if p.Name == "deepseek" && code == "invalid_request_error" {
		code = ""
	}
	if n, err := strconv.Atoi(code); err == nil && n >= 400 && n < 600 {
		return statusKind(n)
	}
	words := strings.ToLower(code + " " + typ)
	switch {
	case containsAny(words, "rate_limit", "ratelimit", "ratequota", "throttling", "limit_requests", "too_many",
		"toomany", "slow_down"):
		return KindRateLimited
	case containsAny(words, "api_key", "apikey", "authentication", "accessdenied", "unauthorized"):
		return KindAuth
	case containsAny(words, "notfound", "not_found"):
		return KindNotFound
	case containsAny(words, "invalid", "badrequest", "bad_request"):
		return KindBadRequest
	default:
		return KindServerError
	}
}

// explain converts the error of an attempt to an *Error with kind and provider, without secrets.
func (p CallPolicy) explain(parent, ctx context.Context, err error) *Error {
	var e Error
	if known := (*Error)(nil); errors.As(err, &known) {
		e = *known
	} else {
		e.Err = err
	}
	if e.Provider == "" {
		e.Provider = p.Provider
	}
	if e.Kind == "" {
		e.Kind = transportKind(parent, ctx, e.Err)
	}
	if e.Kind == KindConnectionReset && e.permanent {
		e.Kind = KindTruncated
	}
	e.redact(p.Secrets)
	return &e
}

// redact removes secrets from the error. If the text of the cause contains a secret, a redacted
// message hides the cause.
func (e *Error) redact(secrets *secret.Set) {
	e.Code, e.Message = secrets.Redact(e.Code), secrets.Redact(e.Message)
	if e.Message != "" || e.Err == nil {
		return
	}
	var at *url.Error
	if errors.As(e.Err, &at) {
		at.URL = secret.RedactURL(at.URL)
	}
	if text := e.Err.Error(); secrets.Redact(text) != text {
		e.Message = shorten(secrets.Redact(text))
	}
}

func transportKind(parent, ctx context.Context, err error) ErrorKind {
	var timeout interface{ Timeout() bool }
	var long *outbound.ResponseTooLargeError
	switch {
	case errors.As(err, &long):
		return KindMalformedResponse
	case parent.Err() != nil:
		return contextKind(parent.Err())
	case ctx.Err() != nil:
		return contextKind(ctx.Err())
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded),
		errors.As(err, &timeout) && timeout.Timeout():
		return KindTimeout
	case errors.Is(err, context.Canceled):
		return KindCanceled
	case isReset(err):
		return KindConnectionReset
	default:
		return KindTransport
	}
}

func contextKind(err error) ErrorKind {
	if errors.Is(err, context.DeadlineExceeded) {
		return KindTimeout
	}
	return KindCanceled
}

// isReset reports whether a connection broke or was refused, so that a retry can help. Permanent
// problems do not count: unknown host names, bad certificates, a missing recording.
func isReset(err error) bool {
	for _, broken := range append([]error{
		syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED, syscall.ECONNREFUSED,
		io.EOF, io.ErrUnexpectedEOF, net.ErrClosed,
	}, platformResets...) {
		if errors.Is(err, broken) {
			return true
		}
	}
	// net/http exports no error values for these cases.
	return containsAny(err.Error(), "server closed idle connection", "http2: client connection lost",
		"GOAWAY", "http2: stream error", "stream error: stream ID", "connection reset by peer")
}

func containsAny(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// text returns the error message for the trace, without kind and provider.
func (e *Error) text() string {
	if e.Message == "" && e.Err != nil {
		return shorten(e.Err.Error())
	}
	return e.Message
}

// shorten limits an error message to 500 bytes, because some providers return a whole web page.
func shorten(s string) string {
	const most = 500
	s = strings.TrimSpace(s)
	if len(s) <= most {
		return strings.Clone(strings.ToValidUTF8(s, "\uFFFD")) // a copy, so that the whole page is not kept in memory
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
