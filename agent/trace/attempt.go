package trace

import (
	"context"
	"sync"
)

type attemptKey struct{}

// attempt is a span in progress, visible to transports between the caller and the service.
type attempt struct {
	span *Span

	mu   sync.Mutex
	over []func(taken bool)
}

// WithAttempt makes s the current attempt of the context. over ends it; taken reports whether a
// complete answer was received, right or wrong.
func WithAttempt(ctx context.Context, s *Span) (_ context.Context, over func(taken bool)) {
	a := &attempt{span: s}
	return context.WithValue(ctx, attemptKey{}, a), a.end
}

func (a *attempt) end(accepted bool) {
	a.mu.Lock()
	list := a.over
	a.over = nil
	a.mu.Unlock()
	for _, f := range list {
		f(accepted)
	}
}

// MarkCached marks the current attempt as answered from a cache, so its latency is not meaningful.
func MarkCached(ctx context.Context) {
	if a, ok := ctx.Value(attemptKey{}).(*attempt); ok {
		a.mu.Lock()
		a.span.Cached = true
		a.mu.Unlock()
	}
}

// CountRateLimited counts a rate-limited request of the current attempt.
func CountRateLimited(ctx context.Context) {
	if a, ok := ctx.Value(attemptKey{}).(*attempt); ok {
		a.mu.Lock()
		a.span.RateLimited++
		a.mu.Unlock()
	}
}

// OnAttemptEnd calls f at the end of the current attempt. It returns false if there is none.
func OnAttemptEnd(ctx context.Context, f func(taken bool)) bool {
	a, ok := ctx.Value(attemptKey{}).(*attempt)
	if ok {
		a.mu.Lock()
		a.over = append(a.over, f)
		a.mu.Unlock()
	}
	return ok
}
