package trace

import (
	"context"
	"sync"
)

type attemptKey struct{}

// attempt is a span under way, as what stands between its caller and the outside sees it.
type attempt struct {
	span *Span

	mu   sync.Mutex
	over []func(taken bool)
}

// WithAttempt has s be the attempt under way below the context; over ends it, and says whether
// what came was taken: as an answer, right or wrong.
func WithAttempt(ctx context.Context, s *Span) (_ context.Context, over func(taken bool)) {
	a := &attempt{span: s}
	return context.WithValue(ctx, attemptKey{}, a), a.end
}

func (a *attempt) end(taken bool) {
	a.mu.Lock()
	list := a.over
	a.over = nil
	a.mu.Unlock()
	for _, f := range list {
		f(taken)
	}
}

// MarkCached says that the attempt under way is answered with what was kept of an earlier
// one: its time is nobody's.
func MarkCached(ctx context.Context) {
	if a, ok := ctx.Value(attemptKey{}).(*attempt); ok {
		a.mu.Lock()
		a.span.Cached = true
		a.mu.Unlock()
	}
}

// CountRateLimited counts a request of the attempt under way for which the endpoint had no room.
func CountRateLimited(ctx context.Context) {
	if a, ok := ctx.Value(attemptKey{}).(*attempt); ok {
		a.mu.Lock()
		a.span.RateLimited++
		a.mu.Unlock()
	}
}

// OnAttemptEnd has f called when the attempt under way is over; false: there is none.
func OnAttemptEnd(ctx context.Context, f func(taken bool)) bool {
	a, ok := ctx.Value(attemptKey{}).(*attempt)
	if ok {
		a.mu.Lock()
		a.over = append(a.over, f)
		a.mu.Unlock()
	}
	return ok
}
