// Package target makes things that can be evaluated out of agent systems.
package target

import (
	"context"
	"slices"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/trace"
	"evalctl/eval"
)

// System plays a conversation on an agent system: every turn gets the turns
// before it, with the agent's own replies, as its history.
type System struct{ Agent agent.Agent }

var _ eval.Target = System{}

// Play stops at the first turn that fails; that turn's part counts too.
func (s System) Play(ctx context.Context, turns []agent.Turn) (eval.Outcome, error) {
	var o eval.Outcome
	var history []agent.Message
	for _, t := range turns {
		history = append(history, t.History...)
		t.History = history[:len(history):len(history)]
		p, err := s.turn(ctx, t)
		o.Turns = append(o.Turns, p)
		o.Took += p.Took
		if err != nil {
			return o, err
		}
		history = append(history,
			agent.Message{Role: "user", Content: t.Text, Images: t.Images},
			agent.Message{Role: "assistant", Content: p.Reply.Content, GeneratedImageURL: p.Reply.GeneratedImageURL})
	}
	return o, nil
}

func (s System) turn(ctx context.Context, t agent.Turn) (eval.Played, error) {
	p := eval.Played{Input: t}
	t.History = slices.Clone(t.History) // the system may do with it as it likes
	began := clock.Now(ctx)
	err := clock.Protect("agent", func() (err error) {
		p.Reply, err = s.Agent.Respond(ctx, t, func(e trace.Event) { p.Events = append(p.Events, e) })
		return err
	})
	p.Took = clock.Since(ctx, began)
	return p, err
}
