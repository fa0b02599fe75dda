// Package companion is an agent for daily conversation that remembers earlier days. It decides
// whether a message refers to earlier days and searches its diary for them. It answers in one or
// several messages and stores the conversation.
package companion

import (
	"context"
	"sync/atomic"

	"evalctl/agent"
	"evalctl/agent/cache"
	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// companion is the agent. It is safe for concurrent use.
type companion struct {
	cfg     config
	intents *cache.Cache[routerAnswer]
	count   atomic.Int64 // number of stored batches; makes the ids of batches unique
}

var _ agent.Agent = (*companion)(nil)

// newCompanion creates the agent. Its errors name the invalid field of cfg.
func newCompanion(cfg config) (*companion, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	intents, err := cache.New[routerAnswer](cache.Config{TTL: intentTTL})
	return &companion{cfg: cfg, intents: intents}, err
}

// Respond answers one turn. The last emitted event is always KindDone. It returns an error only if
// the context ended; all other failures are replies with an ErrorReply.
func (c *companion) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	ctx = trace.WithRecorder(ctx, emit)
	r := c.begin(ctx, t)
	err := clock.CatchPanic("companion", func() error { return r.answer(ctx) })
	if err != nil && ctx.Err() == nil {
		err = r.failWith(ctx, unknownError, llm.TraceReason(err), chatNode)
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindDone, Text: r.reply.Content})
	return r.reply, err
}

// Close closes the diary. No turn may be running.
func (c *companion) Close() error { return c.cfg.Diary.Close() }

func (c *companion) begin(ctx context.Context, t agent.Turn) *run {
	r := &run{
		config:  c.cfg,
		intents: c.intents,
		count:   &c.count,
		turn:    t,
		text:    t.Text,
		batch:   t.Batch,
	}
	if len(r.batch) == 0 {
		r.batch = []string{t.Text}
	}
	r.state = readState(ctx, t.State, c.cfg)
	r.now = r.state.now(ctx)
	return r
}
