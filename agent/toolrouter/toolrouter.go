// Package toolrouter is an agent that sends each message down one of four
// routes: drawing a picture, searching the web, telling the time, or plain
// conversation. A model decides first, keyword rules stand behind it, and a
// route that fails gives way to the next.
package toolrouter

import (
	"context"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/trace"
)

// Agent is the tool router. It holds no state of a conversation: that comes
// with each turn.
type Agent struct{ cfg Config }

var _ agent.Agent = (*Agent)(nil)

// New checks cfg; errors name the field.
func New(cfg Config) (*Agent, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	return &Agent{cfg: cfg}, nil
}

// Respond answers one turn. Chunks reach emit as they come; the last event is
// the one done, on every path.
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
