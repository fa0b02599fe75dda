package trace

import (
	"context"
	"sync"
)

type attemptKey struct{}

// attempt is an external call in progress. The context carries it, so that HTTP transports can add
// data to its span.
type attempt struct {
	span *Span

	mu    sync.Mutex
	onEnd []func(taken bool)
}

// WithAttempt returns a context in which s is the current attempt. The caller must call over at the
// end of the attempt. taken is true if a complete answer arrived, even a wrong one.
func WithAttempt(ctx context.Context, s *Span) (_ context.Context, over func(taken bool)) {
	a := &attempt{span: s}
	return context.WithValue(ctx, attemptKey{}, a), a.end
}

func (a *attempt) end(accepted bool) {
	a.mu.Lock()
	list := a.onEnd
	a.onEnd = nil
	a.mu.Unlock()
	for _, f := range list {
		f(accepted)
	}
}

// MarkCached records that a cache answered the current attempt, so reports exclude its latency.
func MarkCached(ctx context.Context) {
	if a, ok := ctx.Value(attemptKey{}).(*attempt); ok {
		a.mu.Lock()
		a.span.FromCache = true
		a.mu.Unlock()
	}
}

// CountRateLimited adds one to the rate-limited requests of the current attempt.
func CountRateLimited(ctx context.Context) {
	if a, ok := ctx.Value(attemptKey{}).(*attempt); ok {
		a.mu.Lock()
		a.span.RateLimitedRequests++
		a.mu.Unlock()
	}
}

// OnAttemptEnd registers f to be called when the current attempt ends. It returns false if the
// context has no attempt.
func OnAttemptEnd(ctx context.Context, f func(taken bool)) bool {
	a, ok := ctx.Value(attemptKey{}).(*attempt)
	if ok {
		a.mu.Lock()
		a.onEnd = append(a.onEnd, f)
		a.mu.Unlock()
	}
	return ok
}
