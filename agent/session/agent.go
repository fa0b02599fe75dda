package session

import (
	"context"
	"errors"
	"slices"
	"time"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/trace"
)

// Agent gives an agent a memory. Turns with a Session are answered one at a
// time, with the session's history before them; a new session begins with the
// turn's own history, which is ignored later on. Turns without a Session pass
// straight through.
type Agent struct {
	Agent     agent.Agent
	Store     *Store
	BusyAgent agent.Agent // answers a turn that the store refuses; nil: errBusy is returned
}

var _ agent.Agent = (*Agent)(nil)

// Respond answers one turn and remembers it, unless it fails or ends in an
// apology. A turn that does not get its turn has an empty done as its only event.
func (a *Agent) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (reply agent.Reply, err error) {
	if t.Session == "" {
		return a.Agent.Respond(ctx, t, emit)
	}
	begun := false
	came := clock.Now(ctx)
	err = a.Store.WithSession(ctx, t.Session, func(ctx context.Context, s *Session) (err error) {
		begun = true
		reply, err = a.answer(ctx, s, t, queued(emit, clock.Since(ctx, came)))
		return err
	})
	if begun {
		return reply, err
	}
	if a.BusyAgent != nil && errors.Is(err, errBusy) {
		return a.BusyAgent.Respond(ctx, t, emit)
	}
	trace.Emit(trace.WithRecorder(ctx, emit), trace.Event{Kind: trace.KindDone})
	return reply, err
}

// Close closes the agent, if that can be.
func (a *Agent) Close() error { return agent.Close(a.Agent) }

// noticeable is a wait worth telling of: taking a free lock is none.
const noticeable = time.Millisecond

// queued tells how long a turn has waited, and has its events count from when
// it came: that is how its user sees them.
func queued(emit func(trace.Event), waited time.Duration) func(trace.Event) {
	if waited < noticeable || emit == nil {
		return emit
	}
	emit(trace.Event{Offset: waited, Kind: trace.KindQueue, Node: "session", Reason: "busy", Text: waited.Round(time.Millisecond).String()})
	return trace.ShiftEvents(emit, waited)
}

func (a *Agent) answer(ctx context.Context, s *Session, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	if len(s.History) == 0 {
		said := slices.DeleteFunc(slices.Clone(t.History), agent.Message.IsEmpty)
		s.History = a.Store.newest(said) // whole: this turn may need its pictures
	}
	t.History = slices.Clone(s.History) // the agent may do with it as it likes
	reply, err := a.Agent.Respond(ctx, t, emit)
	if err == nil {
		s.History = append(s.History, agent.TurnMessages(t, reply)...)
	}
	return reply, err
}
