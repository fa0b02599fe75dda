// Package target turns agents into evaluation targets. Agent does this for any agent written in Go.
package target

import (
	"cmp"
	"context"
	"io"
	"slices"
	"sync"
	"time"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/trace"
	"evalctl/eval"
)

// Agent returns a Target for an agent; [agent.Func] makes an agent of a function. The agent may use
// any labels. A turn's Reply contains the label in Predicted and the deciding component in
// DecidedBy; an error reply without DecidedBy is not a decision. The trace contains the calls that
// the agent makes through package llm or reports with trace.Emit, with their durations and tokens.
// Calls that are not reported count as missing, not as zero.
func Agent(a agent.Agent) eval.Target { return ConversationTarget{Agent: a} }

// ConversationTarget runs a conversation on an agent system. A turn receives the turns before it,
// with the agent's own replies, as its history. A turn with a session receives no history and adds
// none, because its system stores it. An agent that is an io.Closer is closed after the
// conversation.
type ConversationTarget struct{ Agent agent.Agent }

var _ eval.Target = ConversationTarget{}

// Run sends each turn when the one before is answered. A turn with a delay is sent that long after
// the one before was sent. Run stops at the first turn that fails and cancels concurrent turns. The
// results of failed and canceled turns are included.
func (s ConversationTarget) Run(ctx context.Context, turns []agent.Turn) (eval.Outcome, error) {
	p := conversation{agent: s.Agent, results: make([]eval.TurnResult, len(turns)), sent: make([]bool, len(turns))}
	err := p.run(ctx, turns)
	if c, ok := s.Agent.(io.Closer); ok {
		err = cmp.Or(err, c.Close())
	}
	var o eval.Outcome
	for i := 0; i < len(turns) && p.sent[i]; i++ {
		o.Turns = p.results[:i+1]
		if result := &p.results[i]; !result.Reply.Batched {
			o.Duration += result.Duration
		}
	}
	return o, err
}

// conversation is a conversation in progress.
type conversation struct {
	agent   agent.Agent
	results []eval.TurnResult // played and sent are indexed by turn; each element is written by one goroutine
	sent    []bool

	mu      sync.Mutex // never held during a wait
	history []agent.Message
}

// run runs one burst after another.
func (p *conversation) run(ctx context.Context, turns []agent.Turn) error {
	for from := 0; from < len(turns); {
		to := from + 1
		for to < len(turns) && turns[to].After > 0 {
			to++
		}
		if err := p.burst(ctx, from, turns[from:to]); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// burst sends turns at their times without waiting for answers. Most bursts have one turn.
func (p *conversation) burst(ctx context.Context, first int, turns []agent.Turn) error {
	if len(turns) == 1 {
		return p.runTurn(ctx, first, turns[0])
	}
	g, _ := clock.NewGroup(ctx, 0)
	at := time.Duration(0)
	for i, t := range turns {
		if i > 0 {
			at += time.Duration(t.After)
		}
		wait := at
		g.Go("turn", func(ctx context.Context) error {
			if err := clock.Sleep(ctx, wait); err != nil {
				return err
			}
			return p.runTurn(ctx, first+i, t)
		})
	}
	return g.Wait()
}

// runTurn sends one turn with the history so far.
func (p *conversation) runTurn(ctx context.Context, i int, t agent.Turn) error {
	hasHistory := t.Session == ""
	if hasHistory {
		t.History = p.appendHistory(t.History...)
	}
	result := &p.results[i]
	result.Input, p.sent[i] = t, true
	t.History = slices.Clone(t.History) // the system may modify its copy
	ctx, waits := trace.WithQueueTimer(trace.InTurn(ctx, i+1))
	began := clock.Now(ctx)
	err := clock.CatchPanic("agent", func() (err error) {
		result.Reply, err = p.agent.Respond(ctx, t, func(e trace.Event) { result.Events = append(result.Events, e) })
		return err
	})
	result.Duration, result.Error = clock.Since(ctx, began)-waits.Total(ctx), err != nil
	if err == nil && hasHistory {
		p.appendHistory(agent.TurnMessages(t, result.Reply)...)
	}
	return err
}

// appendHistory appends to the conversation and returns all of it.
func (p *conversation) appendHistory(more ...agent.Message) []agent.Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.history = append(p.history, more...)
	return slices.Clip(p.history)
}
