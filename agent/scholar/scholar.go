// Package scholar is an agent that answers questions about papers. It determines the intent of the
// user's message and collects content of the chosen documents: whole texts, summaries or passages.
// Then it answers from that content.
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

// scholar is the agent. It is safe for concurrent use; turns of the same session must not overlap.
type scholar struct {
	cfg         config
	flow        *graph.Graph[run]
	tools       *recall.SearcherCache
	attachments *attachments
	slots       *sharedSlots
}

var _ agent.Agent = (*scholar)(nil)

// newScholar validates cfg and creates a scholar. Errors name the invalid field.
func newScholar(cfg config) (*scholar, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	tools, err := recall.NewSearcherCache(cfg.Recall, cfg.MaxSearchers)
	if err != nil {
		return nil, err
	}
	flow, err := newFlow()
	return &scholar{
		cfg:         cfg,
		flow:        flow,
		tools:       tools,
		attachments: newAttachments(),
		slots:       &sharedSlots{limit: cfg.MaxTotalCalls},
	}, err
}

// Respond answers one turn. The last event is always a done event. It returns an error only if the
// context ended before the turn was stored; any other failure results in an error reply.
func (s *scholar) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	ctx = trace.WithRecorder(ctx, oneAtATime(ctx, emit))
	slots, end := s.slots.begin(ctx, s.cfg.MaxCalls)
	defer end()
	r := &run{
		config:      &s.cfg,
		tools:       s.tools,
		attachments: s.attachments,
		turn:        t,
		slots:       slots,
	}
	err := clock.CatchPanic("scholar", func() error { return r.begin(ctx) })
	if err == nil && r.reply.ErrorReply == nil {
		err = s.flow.Run(ctx, r)
	}
	switch {
	case ctx.Err() != nil && !r.isSaved: // a canceled turn has no error reply
		err = ctx.Err()
		r.reply.Content = ""
		r.reply.AnsweredBy = ""
		r.reply.ErrorReply = nil
	case err != nil:
		r.failWith(ctx, initNode, unknownError, llm.TraceReason(err))
		err = nil
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindDone, Text: r.reply.Content})
	return r.reply, err
}

// Close frees the cached indexes of attached documents. No turn may be running.
func (s *scholar) Close() error { return s.attachments.close() }

// oneAtATime returns a function that calls emit for one event at a time, even if goroutines call it
// concurrently. In simulated time it returns emit, because the simulation already runs one
// goroutine at a time.
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
