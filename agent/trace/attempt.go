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

// Trying has s be the attempt under way below the context; over ends it, and says whether
// what came was taken: as an answer, right or wrong.
func Trying(ctx context.Context, s *Span) (_ context.Context, over func(taken bool)) {
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

// Cached says that the attempt under way is answered with what was kept of an earlier
// one: its time is nobody's.
func Cached(ctx context.Context) {
	if a, ok := ctx.Value(attemptKey{}).(*attempt); ok {
		a.mu.Lock()
		a.span.Cached = true
		a.mu.Unlock()
	}
}

// Refused counts a request of the attempt under way for which the endpoint had no room.
func Refused(ctx context.Context) {
	if a, ok := ctx.Value(attemptKey{}).(*attempt); ok {
		a.mu.Lock()
		a.span.Refused++
		a.mu.Unlock()
	}
}

// WhenOver has f called when the attempt under way is over; false: there is none.
func WhenOver(ctx context.Context, f func(taken bool)) bool {
	a, ok := ctx.Value(attemptKey{}).(*attempt)
	if ok {
		a.mu.Lock()
		a.over = append(a.over, f)
		a.mu.Unlock()
	}
	return ok
}
