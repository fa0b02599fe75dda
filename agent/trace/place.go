package trace

import (
	"context"
	"strconv"
)

// CallPosition is the position of an external call within its trial. It does not depend on the
// content of the call or on scheduling, so repeated runs can match the same call.
type CallPosition struct {
	Turn    int    // number of the turn, from 1; 0: unknown
	Branch  string // path of parallel branches such as /1/2, see WithBranch; "": not in a parallel branch
	Attempt int    // number of the attempt, from 1; retries increase it
}

type positionKey struct{}

// WithTurn returns a context for turn n of the conversation, from 1. PositionOf returns n for calls
// with this context.
func WithTurn(ctx context.Context, n int) context.Context {
	return context.WithValue(ctx, positionKey{}, CallPosition{Turn: n})
}

// WithBranch returns a context for the nth of several tasks that run in parallel. It makes the
// CallPosition of their calls unique. Otherwise parallel calls of one component are numbered in
// order of arrival, which varies.
func WithBranch(ctx context.Context, n int) context.Context {
	p, _ := ctx.Value(positionKey{}).(CallPosition)
	p.Branch += "/" + strconv.Itoa(n)
	return context.WithValue(ctx, positionKey{}, p)
}

// PositionOf returns the position of a call that uses this context.
func PositionOf(ctx context.Context) CallPosition {
	p, _ := ctx.Value(positionKey{}).(CallPosition)
	p.Attempt = 1
	if a, ok := ctx.Value(attemptKey{}).(*attempt); ok {
		p.Attempt = a.span.Attempt
	}
	return p
}
