package llm

import (
	"context"
	"fmt"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/secret"
	"evalctl/agent/trace"
)

// Defaults and limits for the timeout and the retries of a call.
const (
	DefaultTimeout = 60 * time.Second // time limit of one attempt
	DefaultRetries = 2                // retries after the first attempt
	NoRetries      = -1               // value of Policy.Retries that disables retries
	MaxRetries     = 10               // highest valid value of Policy.Retries
)

// CallPolicy defines how an external call is made: the timeout of each attempt, retries where they
// can help, and a trace span for each attempt. It is used for all external calls, not only for
// models.
type CallPolicy struct {
	Node, Provider, Model string        // names of component, service and model in the spans
	Timeout               time.Duration // time limit of each attempt; 0: DefaultTimeout
	Retries               int           // retries after the first attempt; 0: DefaultRetries; NoRetries: none
	Seed                  uint64        // seed of the random part of back-off waits
	Secrets               *secret.Set   // values that are redacted in error messages
}

// Check validates the policy. config is the caller's configuration type, for error messages.
func (p CallPolicy) Check(config string) error {
	if p.Timeout < 0 {
		return fmt.Errorf("%s.Timeout: %v is negative", config, p.Timeout)
	}
	if p.Retries < NoRetries || p.Retries > MaxRetries {
		return fmt.Errorf("%s.Retries: %d is not in %d..%d", config, p.Retries, NoRetries, MaxRetries)
	}
	return nil
}

// Do calls f until it succeeds, fails permanently, or the retries are used up. It returns the
// number of attempts; the error is an *Error. f must use the given context. It may set Tokens and
// TTFT of the span and return an *Error; any other error counts as a transport error.
//
// The wait before a retry is 0.5 s, doubled each time, ±25 %. A Retry-After delay of up to
// MaxRetryAfter replaces it; with a longer one Do returns without a retry.
func (p CallPolicy) Do(ctx context.Context, f func(context.Context, *trace.Span) error) (attempts int, err error) {
	var waited time.Duration
	for n := 1; ; n++ {
		failed := p.attempt(ctx, n, waited, f)
		if failed == nil {
			return n, nil
		}
		wait, again := p.next(failed, n)
		if !again {
			return n, failed
		}
		trace.Emit(ctx, trace.Event{
			Kind:   trace.KindRetry,
			Node:   p.Node,
			Reason: string(failed.Kind),
			Text:   wait.String(),
		})
		waited = wait
		if err := clock.Sleep(ctx, wait); err != nil {
			return n, p.interrupted(ctx, n, fmt.Errorf("%w, while waiting after: %s", err, failed.Error()))
		}
	}
}

// Sleep waits for d. If ctx ends first, it returns an *Error.
func (p CallPolicy) Sleep(ctx context.Context, d time.Duration) error {
	if err := clock.Sleep(ctx, d); err != nil {
		return p.interrupted(ctx, 0, err)
	}
	return nil
}

// attempt calls f once and emits its span, which contains waited, the back-off before the attempt.
func (p CallPolicy) attempt(parent context.Context, n int, waited time.Duration,
	f func(context.Context, *trace.Span) error) *Error {
	if parent.Err() != nil {
		return p.interrupted(parent, n-1, parent.Err())
	}
	timeout := p.Timeout
	if timeout == 0 {
		timeout = DefaultTimeout
	}
	ctx, cancel := clock.WithTimeout(parent, timeout)
	defer cancel()
	s := &trace.Span{
		Provider: p.Provider,
		Model:    p.Model,
		Start:    trace.Elapsed(parent),
		Attempt:  n,
		Backoff:  waited,
	}
	begin, end := clock.Now(parent), trace.BeginCall(parent)
	trying, over := trace.WithAttempt(ctx, s)
	err := f(trying, s)
	s.Duration = clock.Since(parent, begin)
	end()
	if s.QueueTime = clock.PausedDuration(ctx); s.QueueTime > 0 {
		s.Duration = max(s.Duration-s.QueueTime, 0)
		s.Start = max(s.Start, trace.Elapsed(parent)-s.Duration)
	}
	var failed *Error
	if err != nil {
		failed = p.explain(parent, ctx, err)
		failed.Attempt = n
		s.Error, s.Message = string(failed.Kind), failed.text()
	}
	over(failed == nil || failed.Kind.IsInvalidAnswer())
	trace.Emit(parent, trace.Event{Kind: trace.KindSpan, Node: p.Node, Span: s})
	if failed != nil && failed.Kind == KindTimeout {
		p.timedOut(parent)
	}
	return failed
}

// interrupted returns the error for a call that stopped because the caller's context ended.
func (p CallPolicy) interrupted(ctx context.Context, n int, err error) *Error {
	e := &Error{
		Kind:     contextKind(ctx.Err()),
		Provider: p.Provider,
		Attempt:  n,
		Err:      err,
	}
	if e.Kind == KindTimeout {
		p.timedOut(ctx)
	}
	return e
}

// timedOut emits a timeout event. Its reason is "deadline" if the caller's deadline passed, and
// "timeout" if only this attempt took too long.
func (p CallPolicy) timedOut(parent context.Context) {
	reason := "timeout"
	if parent.Err() != nil {
		reason = "deadline"
	}
	trace.Emit(parent, trace.Event{Kind: trace.KindTimeout, Node: p.Node, Reason: reason})
}
