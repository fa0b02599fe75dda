package toolrouter

import (
	"context"

	"evalctl/agent/clock"
)

// handler answers along one route. After an error the next handler of the chain runs, unless over
// returns true.
type handler struct {
	route  string
	answer func(ctx context.Context) error
}

// runChain runs the handlers in order until one answers or over returns true. AnsweredBy is the
// route that produced the content.
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

// cannotFallBack reports whether no fallback is possible: the caller has left, a part of the answer
// was already sent, or the chat model was called, which has no fallback.
func (r *run) cannotFallBack(ctx context.Context) bool {
	return ctx.Err() != nil || r.content.Len() > 0 || r.chatCalled
}
