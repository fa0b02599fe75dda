package companion

import (
	"context"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/system"
	"evalctl/agent/trace"
)

// Times to wait for further messages of the same user before answering.
const (
	quietTime = 5 * time.Second  // after the last message
	maxWait   = 15 * time.Second // after the first message
)

// Limits on a burst. A message beyond them starts a new burst.
const (
	maxBurst = 20
	maxBytes = 16 << 10
)

// debouncer waits until a user has finished typing: it combines the messages of a session that
// arrive in quick succession into one turn for the wrapped agent. Only the caller that sent the
// last message receives the answer. If that caller is canceled, the caller before it receives the
// answer. The wrapped agent stores each message once: with the answer, or as unanswered.
type debouncer struct {
	next agent.Agent

	mu   sync.Mutex        // guards the fields below; never held during a wait
	open map[string]*burst // by session key
}

// debounceTimes returns how the setting debounce combines messages.
func debounceTimes(v system.SettingValues) system.DebounceTimes {
	if v["debounce"] != on {
		return system.DebounceTimes{}
	}
	return system.DebounceTimes{QuietPeriod: quietTime, MaxWait: maxWait, MaxMessages: maxBurst}
}

// newDebouncer wraps an agent with a debouncer.
func newDebouncer(next agent.Agent) agent.Agent {
	return &debouncer{next: next, open: map[string]*burst{}}
}

// burst is a group of messages of one session that are answered as one turn.
type burst struct {
	first      time.Time         // arrival of the first message
	messages   []*pendingMessage // in order of arrival
	size       int               // total size of the messages in bytes
	isClosed   bool              // its messages no longer change
	leader     *pendingMessage   // message whose caller runs the turn; nil: no turn runs
	isAnswered bool              // the turn has been answered
}

// pendingMessage is a message of a burst. Its caller waits unless it has left.
type pendingMessage struct {
	turn    agent.Turn
	at      time.Time
	wake    *clock.Chan[struct{}]
	isWoken bool
	hasLeft bool // the caller was canceled
}

// Respond waits for further messages of the session and answers them all as one turn. A turn that
// has no session, or already contains a batch, is answered at once.
func (g *debouncer) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	if t.Session == "" || len(t.Batch) > 0 {
		return g.next.Respond(ctx, t, emit)
	}
	v, s := g.join(ctx, t)
	lead, err := g.wait(ctx, v, s)
	switch {
	case lead:
		return g.answer(ctx, v, s, emit)
	case err != nil:
		if rest, ok := g.leave(ctx, v, s); ok { // the context has ended, so the session only stores the turn
			return g.next.Respond(ctx, rest, emit)
		}
	}
	trace.Emit(trace.WithRecorder(ctx, emit), trace.Event{Kind: trace.KindDone})
	return agent.Reply{IsDeferred: err == nil}, err
}

// Close closes the wrapped agent if it implements io.Closer.
func (g *debouncer) Close() error {
	if c, ok := g.next.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// join adds a turn to the open burst of its session, or starts a burst.
func (g *debouncer) join(ctx context.Context, t agent.Turn) (*burst, *pendingMessage) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := clock.Now(ctx)
	v := g.open[t.SessionKey()]
	if v != nil && (len(v.messages) >= maxBurst || v.size+len(t.Text) > maxBytes) {
		v.isClosed = true
		v.wakeLast(ctx)
		v = nil
	}
	if v == nil {
		v = &burst{first: now}
		g.open[t.SessionKey()] = v
	}
	s := &pendingMessage{turn: t, at: now, wake: clock.NewChan[struct{}](ctx, "messages to gather", 1)}
	v.messages = append(v.messages, s)
	v.size += len(t.Text)
	return v, s
}

// wait blocks until this caller must answer the burst (lead), or until another caller has answered
// it. If ctx ends first, it returns ctx's error.
func (g *debouncer) wait(ctx context.Context, v *burst, s *pendingMessage) (lead bool, err error) {
	for received := false; ; {
		d, lead, ended := g.status(ctx, v, s, received)
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
			return false, ctx.Err()
		}
	}
}

// status reports whether the caller must answer the burst now (lead) or the burst has been answered
// (ended). Otherwise wait is the time until the next check; 0: until wakeUp is called. received is
// true if the caller has just been woken.
func (g *debouncer) status(ctx context.Context, v *burst, s *pendingMessage, received bool) (wait time.Duration,
	lead, ended bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	s.isWoken = s.isWoken && !received
	switch {
	case v.isAnswered:
		return 0, false, true
	case v.leader != nil || v.lastWaiting() != s:
		return 0, false, false
	}
	last := v.messages[len(v.messages)-1].at
	wait = min(last.Add(quietTime).Sub(clock.Now(ctx)), v.first.Add(maxWait).Sub(clock.Now(ctx)))
	if wait > 0 && !v.isClosed {
		return wait, false, false
	}
	v.leader, v.isClosed = s, true
	g.close(v, s.turn.SessionKey())
	return 0, true, false
}

// close makes the next message of the session start a new burst.
func (g *debouncer) close(v *burst, key string) {
	if g.open[key] == v {
		delete(g.open, key)
	}
}

// leave ends the wait of a canceled caller. Its message remains in the burst, so that the messages
// are stored in order. If no caller waits any more, leave returns the whole burst, which the caller
// must store. ok is false if another caller receives the answer, or if the caller has already left.
func (g *debouncer) leave(ctx context.Context, v *burst, s *pendingMessage) (unanswered agent.Turn, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if s.hasLeft {
		return agent.Turn{}, false
	}
	s.hasLeft = true
	if v.leader == s {
		v.leader = nil
	}
	if v.lastWaiting() != nil {
		v.wakeLast(clock.WithoutCancel(ctx))
		return agent.Turn{}, false
	}
	v.isClosed = true
	g.close(v, s.turn.SessionKey())
	return v.mergedTurn(), true
}

// answer answers the burst and wakes the other callers, which receive a deferred reply. If the context of this caller ends, another caller
// answers the burst.
func (g *debouncer) answer(ctx context.Context, v *burst, s *pendingMessage, emit func(trace.Event)) (agent.Reply,
	error) {
	g.mu.Lock()
	whole := v.mergedTurn()
	g.mu.Unlock()
	whole.IsHandedOver = func() bool {
		_, isLast := g.leave(ctx, v, s)
		return !isLast
	}
	gaveUp := true // stays true if the agent panics
	defer func() {
		if gaveUp {
			g.leave(ctx, v, s)
		} else {
			g.finish(ctx, v)
		}
	}()
	reply, err := g.next.Respond(ctx, whole, shiftedEvents(emit, clock.Since(ctx, s.at)))
	gaveUp = err != nil && ctx.Err() != nil
	return reply, err
}

// finish wakes all waiting callers after the burst has been answered.
func (g *debouncer) finish(ctx context.Context, v *burst) {
	g.mu.Lock()
	defer g.mu.Unlock()
	v.isAnswered = true
	for _, s := range v.messages {
		s.wakeUp(clock.WithoutCancel(ctx))
	}
}

// lastWaiting returns the last message whose caller waits; nil: all callers have left.
func (v *burst) lastWaiting() *pendingMessage {
	for _, s := range slices.Backward(v.messages) {
		if !s.hasLeft {
			return s
		}
	}
	return nil
}

func (v *burst) wakeLast(ctx context.Context) { v.lastWaiting().wakeUp(ctx) }

// wakeUp makes a waiting caller check the burst again. Send never blocks here, because the channel
// has room for one value.
func (s *pendingMessage) wakeUp(ctx context.Context) {
	if !s.isWoken {
		s.isWoken = true
		_ = s.wake.Send(ctx, struct{}{})
	}
}

// mergedTurn combines all messages of the burst into one turn.
func (v *burst) mergedTurn() agent.Turn {
	t := v.messages[0].turn
	for _, s := range v.messages {
		if strings.TrimSpace(s.turn.Text) != "" {
			t.Batch = append(t.Batch, s.turn.Text)
		}
	}
	for _, s := range v.messages[1:] {
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

// merged returns the union of two maps; b takes precedence.
func merged[V any](a, b map[string]V) map[string]V {
	if len(a) == 0 {
		return b
	}
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// shiftedEvents emits an event with the time d that the message has waited. The returned function
// adds d to the offset of each event, so that offsets count from the arrival of the message.
func shiftedEvents(emit func(trace.Event), d time.Duration) func(trace.Event) {
	if emit == nil {
		return nil
	}
	emit(trace.Event{
		Offset: d,
		Kind:   trace.KindQueue,
		Node:   debounceNode,
		Reason: "debouncing",
		Text:   d.Round(time.Millisecond).String(),
	})
	return trace.ShiftEvents(emit, d)
}
