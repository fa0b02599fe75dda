package companion

import (
	"context"
	"io"
	"maps"
	"strings"
	"sync"
	"time"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/trace"
)

// How long messages are waited for.
const (
	pause   = 5 * time.Second  // after the last message
	longest = 15 * time.Second // after the first
)

// Bounds on what is gathered: a message beyond them begins a batch of its own.
const (
	maxGathered = 20
	maxBytes    = 16 << 10
)

// debouncer makes one turn of the messages that a session sends in a row. All callers
// wait for the answer: the last one gets it, and where that one gives up, the last of
// those that are left.
type debouncer struct {
	next agent.Agent

	mu   sync.Mutex // guards the rest; never held over a wait
	open map[string]*volley
}

// gather stands before an agent and has it answer batches.
func gather(next agent.Agent) agent.Agent {
	return &debouncer{next: next, open: map[string]*volley{}}
}

// volley is messages of a session that are answered as one.
type volley struct {
	first  time.Time // when its first message came
	sent   []*sent   // by those that still wait, in order
	size   int       // bytes
	full   bool      // it takes no more
	leader *sent     // whose turn is being answered; nil: none is yet
	ended  bool      // it has been answered
}

// sent is a turn that waits in a volley.
type sent struct {
	turn  agent.Turn
	at    time.Time
	wake  *clock.Chan[struct{}]
	woken bool
}

// Respond answers a turn by itself, or as a part of a batch: a turn that comes with a
// batch is whole, and one without a session is nobody's to add to.
func (g *debouncer) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	if t.Session == "" || len(t.Batch) > 0 {
		return g.next.Respond(ctx, t, emit)
	}
	v, s := g.join(ctx, t)
	lead, err := g.wait(ctx, v, s)
	if lead {
		return g.answer(ctx, v, s, emit)
	}
	trace.Emit(trace.WithRecorder(ctx, emit), trace.Event{Kind: trace.KindDone})
	return agent.Reply{Batched: err == nil}, err
}

// Close closes the agent behind, if that can be.
func (g *debouncer) Close() error {
	if c, ok := g.next.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// join adds a turn to its session's volley, or begins one.
func (g *debouncer) join(ctx context.Context, t agent.Turn) (*volley, *sent) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := clock.Now(ctx)
	v := g.open[t.Session]
	if v != nil && (len(v.sent) >= maxGathered || v.size+len(t.Text) > maxBytes) {
		v.full = true
		v.wakeLast(ctx)
		v = nil
	}
	if v == nil {
		v = &volley{first: now}
		g.open[t.Session] = v
	}
	s := &sent{turn: t, at: now, wake: clock.NewChan[struct{}](ctx, "messages to gather", 1)}
	v.sent = append(v.sent, s)
	v.size += len(t.Text)
	return v, s
}

// wait tells whether the caller is the one to have the volley answered; it returns when
// that is so, when it has been answered, or with the error of ctx.
func (g *debouncer) wait(ctx context.Context, v *volley, s *sent) (lead bool, err error) {
	for received := false; ; {
		d, lead, ended := g.due(ctx, v, s, received)
		if lead || ended {
			return lead, nil
		}
		within, cancel := ctx, func() {}
		if d > 0 {
			within, cancel = clock.WithTimeout(ctx, d)
		}
		_, _, err := s.wake.Recv(within)
		cancel()
		received = err == nil
		if err != nil && ctx.Err() != nil {
			g.leave(ctx, v, s)
			return false, ctx.Err()
		}
	}
}

// due tells whether the caller leads now, or else how long it waits; 0: until it is
// woken. A call that woke it has been received, or lies in the channel still.
func (g *debouncer) due(ctx context.Context, v *volley, s *sent, received bool) (wait time.Duration, lead, ended bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	s.woken = s.woken && !received
	switch {
	case v.ended:
		return 0, false, true
	case v.leader != nil || v.sent[len(v.sent)-1] != s:
		return 0, false, false
	}
	wait = min(s.at.Add(pause).Sub(clock.Now(ctx)), v.first.Add(longest).Sub(clock.Now(ctx)))
	if wait > 0 && !v.full {
		return wait, false, false
	}
	v.leader = s
	g.close(v, s.turn.Session)
	return 0, true, false
}

// close lets nobody join any more.
func (g *debouncer) close(v *volley, session string) {
	if g.open[session] == v {
		delete(g.open, session)
	}
}

// leave takes back the turn of a caller who has given up; the others' stay.
func (g *debouncer) leave(ctx context.Context, v *volley, s *sent) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, other := range v.sent {
		if other == s {
			v.sent = append(v.sent[:i:i], v.sent[i+1:]...)
			v.size -= len(s.turn.Text)
			break
		}
	}
	if v.leader == s {
		v.leader, v.full = nil, true // what is left has waited long enough
	}
	if len(v.sent) == 0 {
		g.close(v, s.turn.Session)
		return
	}
	v.wakeLast(clock.Detached(ctx))
}

// answer has the volley answered for all who wait. Where the caller gives up meanwhile,
// the next of them has it answered without the caller's own message.
func (g *debouncer) answer(ctx context.Context, v *volley, s *sent, emit func(trace.Event)) (agent.Reply, error) {
	whole := g.whole(v)
	gaveUp := true // also where the agent panics
	defer func() {
		if gaveUp {
			g.leave(ctx, v, s)
		} else {
			g.end(ctx, v)
		}
	}()
	reply, err := g.next.Respond(ctx, whole, waited(emit, clock.Since(ctx, s.at)))
	gaveUp = err != nil && ctx.Err() != nil
	return reply, err
}

// end wakes all who wait: the volley has been answered.
func (g *debouncer) end(ctx context.Context, v *volley) {
	g.mu.Lock()
	defer g.mu.Unlock()
	v.ended = true
	for _, s := range v.sent {
		s.wakeUp(clock.Detached(ctx))
	}
}

func (v *volley) wakeLast(ctx context.Context) { v.sent[len(v.sent)-1].wakeUp(ctx) }

// wakeUp wakes a caller, who finds out why. The message fits the channel: it never waits.
func (s *sent) wakeUp(ctx context.Context) {
	if !s.woken {
		s.woken = true
		_ = s.wake.Send(ctx, struct{}{})
	}
}

// whole is the volley as one turn.
func (g *debouncer) whole(v *volley) agent.Turn {
	g.mu.Lock()
	defer g.mu.Unlock()
	t := v.sent[0].turn
	for _, s := range v.sent {
		if strings.TrimSpace(s.turn.Text) != "" {
			t.Batch = append(t.Batch, s.turn.Text)
		}
	}
	for _, s := range v.sent[1:] {
		t.Images = append(t.Images[:len(t.Images):len(t.Images)], s.turn.Images...)
		t.Documents = append(t.Documents[:len(t.Documents):len(t.Documents)], s.turn.Documents...)
		t.State, t.Options = merged(t.State, s.turn.State), merged(t.Options, s.turn.Options)
	}
	t.Text = strings.Join(t.Batch, " ")
	if len(t.Batch) == 1 {
		t.Batch = nil
	}
	return t
}

// merged are the values of both, the later winning.
func merged[V any](a, b map[string]V) map[string]V {
	if len(a) == 0 {
		return b
	}
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// waited tells how long a turn has waited for more messages, and has its events count
// from when its last message came.
func waited(emit func(trace.Event), d time.Duration) func(trace.Event) {
	if emit == nil {
		return nil
	}
	emit(trace.Event{Offset: d, Kind: trace.KindQueue, Node: gatherNode, Reason: "debouncing", Text: d.Round(time.Millisecond).String()})
	return trace.ShiftEvents(emit, d)
}
