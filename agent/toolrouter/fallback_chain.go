package toolrouter

import (
	"context"

	"evalctl/agent/clock"
)

// handler answers a turn by one route. A fallback chain consists of handlers: if one returns an
// error, the next one answers.
type handler struct {
	route  string
	answer func(ctx context.Context) error
}

// runChain calls the handlers in order until one succeeds or no fallback is possible. It sets
// AnsweredBy to the route that produced the content.
func (r *run) runChain(ctx context.Context, handlers []handler) error {
	var err error
	for i, l := range handlers {
		if i > 0 {
			r.fallback(ctx, handlers[i-1].route, l.route, reason(err))
		}
		err = clock.CatchPanic(l.route, func() error { return l.answer(ctx) })
		if err == nil || r.content.Len() > 0 {
			r.reply.AnsweredBy = l.route
		}
		if err == nil || r.cannotFallBack(ctx) {
			return err
		}
	}
	return err
}

// cannotFallBack reports whether no other handler may answer. It returns true if the context has
// ended or a part of the answer was sent. It also returns true if the chat model, the last
// fallback, was called.
func (r *run) cannotFallBack(ctx context.Context) bool {
	return ctx.Err() != nil || r.content.Len() > 0 || r.chatCalled
}
