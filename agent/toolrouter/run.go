package toolrouter

import (
	"context"
	"errors"
	"strings"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/search"
	"evalctl/agent/toolrouter/intent"
	"evalctl/agent/trace"
)

// run is one turn being answered.
type run struct {
	*Agent
	turn     agent.Turn
	gates    Gates
	reply    agent.Reply
	content  strings.Builder // what was streamed, banners apart
	pictured bool            // the turn is about pictures: its route is web_search or chat
	talked   bool            // the chat model was asked, behind which nothing stands
}

// leg answers along one route. An error means that the next leg has a try,
// unless all is over.
type leg struct {
	route  string
	answer func(ctx context.Context) error
}

// answer takes the turn to its reply.
func (r *run) answer(ctx context.Context) error {
	pictures, about := r.pictures()
	r.pictured = about
	switch {
	case r.DecisionOnly:
		return r.onlyDecide(ctx, pictures)
	case about:
		return r.see(ctx, pictures)
	}
	d, err := r.decide(ctx, r.gates.open())
	if err != nil {
		return err
	}
	return r.degrade(ctx, r.chain(d.route))
}

// chain lists the legs of a route in the order in which they stand in for one
// another. Those behind the first are taken only where the text asks for them.
func (r *run) chain(route string) []leg {
	search := leg{WebSearch, func(ctx context.Context) error { return r.search(ctx, r.userText(), r.userText()) }}
	clock := leg{TimeQuery, r.tellTime}
	chat := leg{Chat, func(ctx context.Context) error { return r.chat(ctx, r.system(), r.userText()) }}
	switch route {
	case ImageGen:
		legs := []leg{{ImageGen, r.draw}}
		if _, wants := intent.Search(r.turn.Text); wants && r.gates.open()&intent.WebSearch != 0 {
			legs = append(legs, search)
		}
		return append(r.timed(legs, clock), chat)
	case WebSearch:
		return append(r.timed([]leg{search}, clock), chat)
	case TimeQuery:
		return []leg{clock}
	default:
		return []leg{chat}
	}
}

func (r *run) timed(legs []leg, clock leg) []leg {
	if _, wants := intent.Time(r.turn.Text); wants {
		return append(legs, clock)
	}
	return legs
}

// degrade walks down the chain until a leg answers or all is over. The route
// served is the one that the content came by.
func (r *run) degrade(ctx context.Context, legs []leg) error {
	var err error
	for i, l := range legs {
		if i > 0 {
			r.fallback(ctx, legs[i-1].route, l.route, reason(err))
		}
		err = clock.Protect(l.route, func() error { return l.answer(ctx) })
		if err == nil || r.content.Len() > 0 {
			r.reply.Served = l.route
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

// say hands a piece of the answer on.
func (r *run) say(ctx context.Context, chunk string) {
	r.content.WriteString(chunk)
	trace.Emit(ctx, trace.Event{Kind: trace.KindChunk, Text: chunk})
}

// announce hands on a banner, which is no part of the answer.
func (r *run) announce(ctx context.Context, banner string) {
	trace.Emit(ctx, trace.Event{Kind: trace.KindBanner, Text: banner})
}

func (r *run) fallback(ctx context.Context, from, to, reason string) {
	trace.Emit(ctx, trace.Event{Kind: trace.KindFallback, Node: from, From: from, To: to, Reason: reason})
}

// node runs one call to the outside; its panic is an error like any other.
func node[T any](name string, f func() (T, error)) (v T, err error) {
	err = clock.Protect(name, func() (err error) {
		v, err = f()
		return err
	})
	return v, err
}

// reason is an error as a trace names it.
func reason(err error) string {
	var panicked *clock.PanicError
	switch kind := llm.KindOf(err); {
	case errors.As(err, &panicked):
		return "panic"
	case kind != "":
		return string(kind)
	case errors.Is(err, search.ErrEmpty):
		return string(llm.KindEmpty)
	default:
		return "error"
	}
}
