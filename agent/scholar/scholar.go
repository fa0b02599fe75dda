// Package scholar answers questions about papers: it finds out what a message wants,
// gathers what the chosen documents say of it, whole, summarised or in passages, and
// answers from that.
package scholar

import (
	"context"
	"sync"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/graph"
	"evalctl/agent/llm"
	"evalctl/agent/recall"
	"evalctl/agent/trace"
)

// scholar is the agent. It is safe for concurrent use; a session's turns are to come
// one after the other.
type scholar struct {
	cfg         config
	flow        *graph.Graph[run]
	tools       *recall.SearcherCache
	attachments *attachments
}

var _ agent.Agent = (*scholar)(nil)

// newScholar checks cfg; errors name the field.
func newScholar(cfg config) (*scholar, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	tools, err := recall.NewTools(cfg.Recall, cfg.Tools)
	if err != nil {
		return nil, err
	}
	flow, err := newFlow()
	return &scholar{cfg: cfg, flow: flow, tools: tools, attachments: newAttachments()}, err
}

// Respond answers one turn. The last event is the one done, on every path. The error
// is of a context that has ended: all else that goes wrong is a reply with a Failure.
func (s *scholar) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	ctx = trace.WithRecorder(ctx, oneAtATime(ctx, emit))
	r := &run{config: &s.cfg, tools: s.tools, attachments: s.attachments, turn: t, slots: clock.NewSemaphore(ctx, "model calls", s.cfg.Calls)}
	err := clock.CatchPanic("scholar", func() error { return r.begin(ctx) })
	if err == nil && r.reply.ErrorReply == nil {
		err = s.flow.Run(ctx, r)
	}
	switch {
	case ctx.Err() != nil: // nobody waits for an apology
		err = ctx.Err()
		r.reply.Content, r.reply.AnsweredBy, r.reply.ErrorReply = "", "", nil
	case err != nil:
		r.apologise(ctx, initNode, unknownError, llm.Reason(err))
		err = nil
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindDone, Text: r.reply.Content})
	return r.reply, err
}

// Close frees what it keeps, when no turn is being answered.
func (s *scholar) Close() error { return s.attachments.close() }

// oneAtATime has events that come of calls side by side handed on one after the other. In
// a simulation they are.
func oneAtATime(ctx context.Context, emit func(trace.Event)) func(trace.Event) {
	if emit == nil || clock.IsSimulated(ctx) {
		return emit
	}
	var mu sync.Mutex
	return func(e trace.Event) {
		mu.Lock()
		defer mu.Unlock()
		emit(e)
	}
}
