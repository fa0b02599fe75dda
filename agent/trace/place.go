package trace

import (
	"context"
	"strconv"
)

// Place identifies an external call by its position in a conversation, never by its content. It is
// the same in every run of the same program, independent of the scheduler.
type Place struct {
	Turn    int    // from 1; 0: unknown
	Branch  string // of work that runs in parallel within the turn; "": it runs in sequence
	Attempt int    // of the call, from 1
}

type placeKey struct{}

// InTurn returns a context whose calls belong to turn n of the conversation, from 1.
func InTurn(ctx context.Context, n int) context.Context {
	return context.WithValue(ctx, placeKey{}, Place{Turn: n})
}

// InBranch returns a context for the nth of several pieces of work that run in parallel. Without
// it, the calls of one part that run in parallel are identified by the order in which they arrive.
func InBranch(ctx context.Context, n int) context.Context {
	p, _ := ctx.Value(placeKey{}).(Place)
	p.Branch += "/" + strconv.Itoa(n)
	return context.WithValue(ctx, placeKey{}, p)
}

// PlaceOf returns the place of a call with this context.
func PlaceOf(ctx context.Context) Place {
	p, _ := ctx.Value(placeKey{}).(Place)
	p.Attempt = 1
	if a, ok := ctx.Value(attemptKey{}).(*attempt); ok {
		p.Attempt = a.span.Attempt
	}
	return p
}
