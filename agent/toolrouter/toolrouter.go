// Package toolrouter is a chat agent that routes each message to image generation, web search, the
// local clock or plain chat. A model chooses the route. If the model fails, keyword rules choose
// it. If a route fails, another one answers.
package toolrouter

import (
	"context"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/trace"
)

// Routing is the tool router. It stores no conversation: each turn contains its history.
type Agent struct{ cfg Config }

var _ agent.Agent = (*Agent)(nil)

// New returns a tool router. Its errors name the invalid field of cfg.
func New(cfg Config) (*Agent, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	return &Agent{cfg: cfg}, nil
}

// Respond routes and answers one turn. Parts of the answer are emitted as they arrive. The last
// event is always KindDone.
func (a *Agent) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	ctx = trace.WithRecorder(ctx, emit)
	r := &run{Config: &a.cfg, received: t, turn: repeatedRequest(t)}
	err := clock.CatchPanic("toolrouter", func() (err error) {
		if r.disabled, err = a.cfg.Disabled.withOptions(t.Options); err != nil {
			return err
		}
		if r.zone, err = readZone(t.State, a.cfg.Zone); err != nil {
			return err
		}
		return r.answer(ctx)
	})
	r.reply.Content = r.content.String()
	trace.Emit(ctx, trace.Event{Kind: trace.KindDone, Text: r.reply.Content})
	return r.reply, err
}
