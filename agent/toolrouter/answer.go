package toolrouter

import (
	"context"

	"evalctl/agent/toolrouter/intent"
)

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
	clock := leg{TimeQuery, r.askClock}
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
