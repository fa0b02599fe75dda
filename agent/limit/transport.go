package limit

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// transport is an http.RoundTripper that respects the rate limits of one endpoint.
type transport struct {
	next     http.RoundTripper
	provider llm.Provider
	endpoint *endpoint
	budget   *budget
	notices  bool
}

var _ http.RoundTripper = transport{}

// minNoticeWait is the shortest wait for which a notice is emitted.
const minNoticeWait = 100 * time.Millisecond

// RoundTrip sends the request as soon as the limits allow it. A request that is refused by a rate
// limit is sent again after a wait.
func (t transport) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, tokens := req.Context(), 0
	if t.endpoint.tokens != nil {
		tokens = estimate(req)
	}
	t.endpoint.begin(ctx)
	defer t.endpoint.end(ctx)
	var first time.Time // time of the first refusal
	for n := 1; ; n++ {
		ticket, resp, err := t.send(ctx, req, tokens)
		if err != nil {
			return nil, err
		}
		refusal := t.refusal(ctx, resp)
		t.endpoint.recordResult(ctx, ticket, refusal == nil && resp.StatusCode < 500, refusal != nil,
			retryAfterOf(refusal))
		if refusal == nil {
			resp.Body = &body{
				ReadCloser: resp.Body,
				ctx:        ctx,
				ticket:     ticket,
				endpoint:   t.endpoint,
			}
			return resp, nil
		}
		trace.CountRateLimited(ctx)
		t.endpoint.leave(ctx, ticket, 0)
		now, wait := clock.WallNow(ctx), refusal.RetryAfter
		if n == 1 {
			first = now
		}
		if wait == 0 {
			wait = t.endpoint.backoff(n)
		}
		if now.Add(wait).Sub(first) > MaxWait || req.Body != nil && req.GetBody == nil {
			return resp, nil
		}
		_ = resp.Body.Close() // the body is in memory
		left, state := t.endpoint.remainingWait(now)
		if t.notices && wait >= minNoticeWait && state.Since != (time.Time{}) {
			trace.Emit(ctx, trace.Event{Kind: trace.KindNotice, Reason: string(llm.KindRateLimited),
				Text: state.String()})
		}
		if left > 0 {
			if err := t.sleep(ctx, min(wait, left)); err != nil {
				return nil, err
			}
		}
		if err := t.endpoint.refusedError(clock.WallNow(ctx)); err != nil {
			return nil, err
		}
		if wait > left { // another request was answered in the meantime
			if err := t.sleep(ctx, wait-left); err != nil {
				return nil, err
			}
		}
		if req, err = cloneRequest(req); err != nil {
			return nil, err
		}
	}
}

// send waits until the request may be sent, and sends it. It always closes the request's body, as a
// RoundTripper must.
func (t transport) send(ctx context.Context, req *http.Request, tokens int) (ticket, *http.Response, error) {
	ticket, err := t.endpoint.enter(ctx, tokens)
	if err != nil {
		closeBody(req)
		return ticket, nil, err
	}
	if err := t.budget.spend(); err != nil {
		closeBody(req)
		t.endpoint.leave(ctx, ticket, 0)
		return ticket, nil, err
	}
	resp, err := t.next.RoundTrip(req)
	if err != nil {
		t.endpoint.leave(ctx, ticket, -1)
	}
	return ticket, resp, err
}

func (t transport) sleep(ctx context.Context, wait time.Duration) error {
	defer trace.BeginQueueWait(ctx)()
	return clock.Sleep(ctx, wait)
}

// refusal returns the error of a response that is rate-limited or overloaded, so that a wait can
// help; otherwise nil. The body of the response remains readable.
func (t transport) refusal(ctx context.Context, resp *http.Response) *llm.Error {
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode != http.StatusServiceUnavailable &&
		resp.StatusCode != overloaded {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxRefusalBytes))
	if err != nil || len(text) == maxRefusalBytes {
		resp.Body = restoredBody{Reader: io.MultiReader(bytes.NewReader(text), errorReader{err}, resp.Body),
			Closer: resp.Body}
		return nil
	}
	_ = resp.Body.Close() // read to its end
	resp.Body = io.NopCloser(bytes.NewReader(text))
	copied := *resp
	copied.Body = io.NopCloser(bytes.NewReader(text))
	e := llm.ReadResponseError(ctx, t.provider, &copied)
	switch {
	case e.Kind == llm.KindRateLimited:
		return e
	case e.Kind == llm.KindServerError && (e.RetryAfter > 0 || resp.StatusCode == overloaded || saysOverload(e.Code)):
		return e
	}
	return nil
}

// overloaded is the HTTP status with which some gateways report overload.
const overloaded = 529

func saysOverload(code string) bool {
	code = strings.ToLower(code)
	for _, word := range []string{"overload", "slow_down", "busy", "too_many", "rate_limit"} {
		if strings.Contains(code, word) {
			return true
		}
	}
	return false
}

func retryAfterOf(e *llm.Error) time.Duration {
	if e == nil {
		return 0
	}
	return e.RetryAfter
}

// cloneRequest returns a copy of the request for another attempt.
func cloneRequest(req *http.Request) (*http.Request, error) {
	if req.Body == nil {
		return req, nil
	}
	next := *req
	var err error
	next.Body, err = req.GetBody()
	return &next, err
}

func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close() // as a RoundTripper must
	}
}

// restoredBody is a response body whose beginning was read and put back.
type restoredBody struct {
	io.Reader
	io.Closer
}

// errorReader is a reader that returns the error with which a body broke off, or io.EOF.
type errorReader struct{ err error }

func (f errorReader) Read([]byte) (int, error) {
	if f.err == nil {
		return 0, io.EOF
	}
	return 0, f.err
}
