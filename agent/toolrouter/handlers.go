package toolrouter

import (
	"context"

	"evalctl/agent/toolrouter/intent"
)

// answer chooses the route of the turn and answers it.
func (r *run) answer(ctx context.Context) error {
	images, about := r.images()
	r.aboutImages = about
	r.looksAtImage = about && len(images.urls) > 0 && !r.NoVision
	switch {
	case r.DecisionOnly:
		return r.onlyDecide(ctx, images)
	case about:
		return r.answerAboutImages(ctx, images)
	}
	d, err := r.decide(ctx, r.disabled.openRoutes())
	if err != nil {
		return err
	}
	return r.runChain(ctx, r.chain(d.route))
}

// chain returns the handlers of a route, in the order in which they are tried. Web search or the
// clock is a fallback only if the text also requests it according to the rules. Chat is the last
// fallback.
func (r *run) chain(route string) []handler {
	search := handler{RouteWebSearch,
		func(ctx context.Context) error { return r.search(ctx, r.searchQuery(), userText(r.received)) }}
	clock := handler{RouteTimeQuery, r.answerWithClock}
	chat := handler{RouteChat, func(ctx context.Context) error { return r.chat(ctx, r.system(), userText(r.received)) }}
	switch route {
	case RouteImageGen:
		handlers := []handler{{RouteImageGen, r.generateImage}}
		if _, wanted := intent.DetectWebSearch(r.turn.Text); wanted &&
			r.disabled.openRoutes()&intent.RouteWebSearch != 0 {
			handlers = append(handlers, search)
		}
		return append(r.withClock(handlers, clock), chat)
	case RouteWebSearch:
		return append(r.withClock([]handler{search}, clock), chat)
	case RouteTimeQuery:
		return []handler{clock}
	default:
		return []handler{chat}
	}
}

func (r *run) withClock(handlers []handler, clock handler) []handler {
	if _, wanted := intent.DetectTime(r.turn.Text); wanted {
		return append(handlers, clock)
	}
	return handlers
}
