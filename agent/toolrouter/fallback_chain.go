package toolrouter

import (
	"context"

	"evalctl/agent/clock"
)

// handler answers along one route. An error means that the next leg has a try,
// unless all is over.
type handler struct {
	route  string
	answer func(ctx context.Context) error
}

// degrade walks down the chain until a leg answers or all is over. The route
// served is the one that the content came by.
func (r *run) degrade(ctx context.Context, legs []handler) error {
	var err error
	for i, l := range legs {
		if i > 0 {
			r.fallback(ctx, legs[i-1].route, l.route, reason(err))
		}
		err = clock.CatchPanic(l.route, func() error { return l.answer(ctx) })
		if err == nil || r.content.Len() > 0 {
			r.reply.AnsweredBy = l.route
		}
		if err == nil || r.over(ctx) {
			return err
		}
	}
	return err
}

// over tells that there is no other way to take: the caller has gone, a piece
// of the answer is out, or the chat model has failed, to which every way leads.
func (r *run) over(ctx context.Context) bool {
	return ctx.Err() != nil || r.content.Len() > 0 || r.talked
}
