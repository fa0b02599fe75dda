// Package target lets evalctl evaluate agents that are written in Go. Agent turns such an agent
// into the target of an evaluation.
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

// FromAgent returns a Target that runs an agent; [agent.Func] turns a function into an agent. The
// agent may use any labels. Its Reply must contain the label in Predicted and the deciding
// component in DecidedBy. An error reply without DecidedBy is not a decision. The trace contains
// the calls that the agent makes through package llm or reports with trace.Emit. Calls that are not
// reported are missing in the metrics.
func FromAgent(a agent.Agent) eval.Target { return ConversationTarget{Agent: a} }

// ConversationTarget runs the turns of a case as a conversation with an agent. Each turn gets the
// earlier turns as its history, with the agent's own replies. A turn with a session gets no
// history, because the agent stores the session. If the agent is an io.Closer, it is closed after
// the conversation.
type ConversationTarget struct{ Agent agent.Agent }

var _ eval.Target = ConversationTarget{}

// Run sends each turn when the previous one is answered. A turn with a delay is sent that long
// after the previous one was sent, answered or not. Run stops at the first turn that fails and
// cancels turns in progress. The outcome includes failed and canceled turns.
func (s ConversationTarget) Run(ctx context.Context, turns []agent.Turn) (eval.Outcome, error) {
	p := conversation{agent: s.Agent, results: make([]eval.TurnResult, len(turns)), sent: make([]bool, len(turns))}
	err := p.run(ctx, turns)
	if c, ok := s.Agent.(io.Closer); ok {
		err = cmp.Or(err, c.Close())
	}
	var o eval.Outcome
	for i := 0; i < len(turns) && p.sent[i]; i++ {
		o.Turns = p.results[:i+1]
		if result := &p.results[i]; !result.Reply.IsDeferred {
			o.Duration += result.Duration
		}
	}
	return o, err
}

// conversation is a conversation in progress.
type conversation struct {
	agent   agent.Agent
	results []eval.TurnResult // results and sent are indexed by turn; each element is written by one goroutine
	sent    []bool

	mu      sync.Mutex // guards history; not held while waiting
	history []agent.Message
}

// run sends the turns in bursts. A burst is a turn and the following turns that do not wait for its
// answer.
func (p *conversation) run(ctx context.Context, turns []agent.Turn) error {
	for from := 0; from < len(turns); {
		to := from + 1
		for to < len(turns) && turns[to].Delay > 0 {
			to++
		}
		if err := p.burst(ctx, from, turns[from:to]); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// burst sends several turns at their times without waiting for answers. Usually it is only one
// turn.
func (p *conversation) burst(ctx context.Context, first int, turns []agent.Turn) error {
	if len(turns) == 1 {
		return p.runTurn(ctx, first, turns[0])
	}
	g, _ := clock.NewGroup(ctx, 0)
	at := time.Duration(0)
	for i, t := range turns {
		if i > 0 {
			at += time.Duration(t.Delay)
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

// runTurn sends one turn with the history so far, and records its result.
func (p *conversation) runTurn(ctx context.Context, i int, t agent.Turn) error {
	hasHistory := t.Session == ""
	if hasHistory {
		t.History = p.appendHistory(t.History...)
	}
	result := &p.results[i]
	result.Input, p.sent[i] = t, true
	t.History = slices.Clone(t.History) // a copy, because the agent may modify it
	ctx, waits := trace.WithQueueTimer(trace.WithTurn(ctx, i+1))
	began := clock.Now(ctx)
	err := clock.CatchPanic("agent", func() (err error) {
		result.Reply, err = p.agent.Respond(ctx, t, func(e trace.Event) { result.Events = append(result.Events, e) })
		return err
	})
	result.Duration, result.HasError = clock.Since(ctx, began)-waits.TotalQueued(ctx), err != nil
	if err == nil && hasHistory {
		p.appendHistory(agent.TurnMessages(t, result.Reply)...)
	}
	return err
}

// appendHistory adds messages to the history of the conversation and returns the whole history.
func (p *conversation) appendHistory(more ...agent.Message) []agent.Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.history = append(p.history, more...)
	return slices.Clip(p.history)
}
