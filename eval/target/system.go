// Package target makes things that can be evaluated out of agents: Agent of any that is
// written in Go.
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

// Agent is an agent as a Target: of a function, [agent.Func] makes one. Whatever labels
// it decides on, a turn's Reply names the label in Predicted, and in Source who decided;
// without a Source an apology is no decision. Calls to the outside that the agent makes
// through package llm, or tells of by trace.Emit, are in the trace with their time and
// tokens; what it does not tell is missing, and not zero.
func Agent(a agent.Agent) eval.Target { return ConversationTarget{Agent: a} }

// ConversationTarget plays a conversation on an agent system. A turn gets the turns before
// it, with the agent's own replies, as its history; a turn of a session gets and
// leaves none, for its system remembers. An agent that is an io.Closer is closed
// behind the conversation.
type ConversationTarget struct{ Agent agent.Agent }

var _ eval.Target = ConversationTarget{}

// Play sends each turn once the one before is answered, or so long after that
// was sent as it says. It stops at the first turn that fails, and cancels what
// runs beside it; their parts count too.
func (s ConversationTarget) Run(ctx context.Context, turns []agent.Turn) (eval.Outcome, error) {
	p := play{agent: s.Agent, played: make([]eval.TurnResult, len(turns)), sent: make([]bool, len(turns))}
	err := p.all(ctx, turns)
	if c, ok := s.Agent.(io.Closer); ok {
		err = cmp.Or(err, c.Close())
	}
	var o eval.Outcome
	for i := 0; i < len(turns) && p.sent[i]; i++ {
		o.Turns = p.played[:i+1]
		if played := &p.played[i]; !played.Reply.Batched {
			o.Duration += played.Duration
		}
	}
	return o, err
}

// play is a conversation under way.
type play struct {
	agent  agent.Agent
	played []eval.TurnResult // by turn, as the next; each is written by one goroutine
	sent   []bool

	mu      sync.Mutex // never held over a wait
	history []agent.Message
}

// all plays one volley after another.
func (p *play) all(ctx context.Context, turns []agent.Turn) error {
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

// burst sends turns at their times, without waiting for answers; most volleys
// are of one.
func (p *play) burst(ctx context.Context, first int, turns []agent.Turn) error {
	if len(turns) == 1 {
		return p.turn(ctx, first, turns[0])
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
			return p.turn(ctx, first+i, t)
		})
	}
	return g.Wait()
}

// turn sends one turn, with what was said until now.
func (p *play) turn(ctx context.Context, i int, t agent.Turn) error {
	ours := t.Session == ""
	if ours {
		t.History = p.remember(t.History...)
	}
	played := &p.played[i]
	played.Input, p.sent[i] = t, true
	t.History = slices.Clone(t.History) // the system may do with it as it likes
	ctx, waits := trace.WithQueueTimer(trace.InTurn(ctx, i+1))
	began := clock.Now(ctx)
	err := clock.CatchPanic("agent", func() (err error) {
		played.Reply, err = p.agent.Respond(ctx, t, func(e trace.Event) { played.Events = append(played.Events, e) })
		return err
	})
	played.Duration, played.Error = clock.Since(ctx, began)-waits.Total(ctx), err != nil
	if err == nil && ours {
		p.remember(agent.TurnMessages(t, played.Reply)...)
	}
	return err
}

// remember adds to the conversation, and gives all of it.
func (p *play) remember(more ...agent.Message) []agent.Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.history = append(p.history, more...)
	return slices.Clip(p.history)
}
