// Package toolrouter is an agent that routes each message to image generation, web search, the
// local time or plain chat. A model decides first. Keyword rules and other routes are the
// fallbacks.
package toolrouter

import (
	"context"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/trace"
)

// Agent is the tool router. It stores no conversation state; each turn brings its history.
type Agent struct{ cfg Config }

var _ agent.Agent = (*Agent)(nil)

// New validates cfg. Errors name the field.
func New(cfg Config) (*Agent, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	return &Agent{cfg: cfg}, nil
}

// Respond answers one turn. Chunks are emitted as they arrive. The last event is always KindDone.
func (a *Agent) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	ctx = trace.WithRecorder(ctx, emit)
	r := &run{Config: &a.cfg, turn: t}
	err := clock.CatchPanic("toolrouter", func() (err error) {
		if r.gates, err = a.cfg.Disabled.with(t.Options); err != nil {
			return err
		}
		return r.answer(ctx)
	})
	r.reply.Content = r.content.String()
	trace.Emit(ctx, trace.Event{Kind: trace.KindDone, Text: r.reply.Content})
	return r.reply, err
}
