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

// Waiting times for further messages.
const (
	pause   = 5 * time.Second  // after the last message
	longest = 15 * time.Second // after the first message
)

// Limits of a batch: a further message starts a new batch.
const (
	maxGathered = 20
	maxBytes    = 16 << 10
)

// debouncer merges consecutive messages of a session into one turn. All callers wait for the
// answer. The last one gets it; if that caller is canceled, the last of the remaining ones does.
type debouncer struct {
	next agent.Agent

	mu   sync.Mutex // guards the fields below; not held while waiting
	open map[string]*volley
}

// gather wraps an agent with a debouncer.
func gather(next agent.Agent) agent.Agent {
	return &debouncer{next: next, open: map[string]*volley{}}
}

// volley is a burst of messages of a session that are answered as one turn.
type volley struct {
	first  time.Time // arrival of the first message
	sent   []*sent   // messages whose callers still wait, in order
	size   int       // bytes
	full   bool      // accepts no more messages
	leader *sent     // caller whose turn is running; nil: none yet
	ended  bool      // the answer is complete
}

// sent is a message that waits in a burst.
type sent struct {
	turn  agent.Turn
	at    time.Time
	wake  *clock.Chan[struct{}]
	woken bool
}

// Respond answers a turn alone or as part of a batch. A turn that already has a batch, or has no
// session, is answered alone.
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

// Close closes the wrapped agent if it implements io.Closer.
func (g *debouncer) Close() error {
	if c, ok := g.next.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// join adds a turn to the open burst of its session, or starts one.
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

// wait blocks until the caller must answer the burst (lead) or the burst has been answered. It
// returns the error of ctx if that ends first.
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

// due reports whether the caller leads now, or the time to wait; 0: until it is woken. received is
// true if the last wake-up message has been read from the channel.
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

// close closes the burst to further messages.
func (g *debouncer) close(v *volley, session string) {
	if g.open[session] == v {
		delete(g.open, session)
	}
}

// leave removes the turn of a canceled caller.
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
		v.leader, v.full = nil, true // the other messages have waited long enough
	}
	if len(v.sent) == 0 {
		g.close(v, s.turn.Session)
		return
	}
	v.wakeLast(clock.Detached(ctx))
}

// answer answers the burst for all waiting callers. If the caller is canceled, the next one answers
// it without the caller's message.
func (g *debouncer) answer(ctx context.Context, v *volley, s *sent, emit func(trace.Event)) (agent.Reply, error) {
	whole := g.whole(v)
	gaveUp := true // also after a panic of the agent
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

// end wakes all waiting callers after the burst has been answered.
func (g *debouncer) end(ctx context.Context, v *volley) {
	g.mu.Lock()
	defer g.mu.Unlock()
	v.ended = true
	for _, s := range v.sent {
		s.wakeUp(clock.Detached(ctx))
	}
}

func (v *volley) wakeLast(ctx context.Context) { v.sent[len(v.sent)-1].wakeUp(ctx) }

// wakeUp wakes a caller, which checks the state again. The channel has room for the message, so
// that Send never blocks.
func (s *sent) wakeUp(ctx context.Context) {
	if !s.woken {
		s.woken = true
		_ = s.wake.Send(ctx, struct{}{})
	}
}

// whole merges the burst into one turn.
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

// merged merges two maps; b takes precedence.
func merged[V any](a, b map[string]V) map[string]V {
	if len(a) == 0 {
		return b
	}
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// waited traces how long a turn waited for further messages. Offsets of the other events are
// counted from the arrival of its last message.
func waited(emit func(trace.Event), d time.Duration) func(trace.Event) {
	if emit == nil {
		return nil
	}
	emit(trace.Event{Offset: d, Kind: trace.KindQueue, Node: gatherNode, Reason: "debouncing", Text: d.Round(time.Millisecond).String()})
	return trace.ShiftEvents(emit, d)
}
