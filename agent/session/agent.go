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

// Agent adds a memory to an agent. Turns with a Session are answered one at a time with the history
// of the session. A new session begins with the history of its first turn; later turns' own
// histories are ignored. Turns without a Session are passed through.
type Agent struct {
	Agent     agent.Agent
	Store     *Store
	BusyAgent agent.Agent // answers a rejected turn; nil: errBusy is returned
}

var _ agent.Agent = (*Agent)(nil)

// Respond answers one turn and stores it, unless it fails or ends with an error reply. A turn that
// is rejected or canceled in the queue emits only an empty done.
func (a *Agent) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (reply agent.Reply, err error) {
	if t.Session == "" {
		return a.Agent.Respond(ctx, t, emit)
	}
	isStarted := false
	arrival := clock.Now(ctx)
	err = a.Store.WithSession(ctx, t.Session, func(ctx context.Context, s *Session) (err error) {
		isStarted = true
		reply, err = a.answer(ctx, s, t, emitQueued(emit, clock.Since(ctx, arrival)))
		return err
	})
	if isStarted {
		return reply, err
	}
	if a.BusyAgent != nil && errors.Is(err, errBusy) {
		return a.BusyAgent.Respond(ctx, t, emit)
	}
	trace.Emit(trace.WithRecorder(ctx, emit), trace.Event{Kind: trace.KindDone})
	return reply, err
}

// Close closes the agent if it supports that.
func (a *Agent) Close() error { return agent.Close(a.Agent) }

// minReportedWait is the shortest wait that is reported.
const minReportedWait = time.Millisecond

// emitQueued emits how long a turn waited, and shifts its events so that they count from its
// arrival.
func emitQueued(emit func(trace.Event), waited time.Duration) func(trace.Event) {
	if waited < minReportedWait || emit == nil {
		return emit
	}
	emit(trace.Event{
		Offset: waited,
		Kind:   trace.KindQueue,
		Node:   "session",
		Reason: "busy",
		Text:   waited.Round(time.Millisecond).String(),
	})
	return trace.ShiftEvents(emit, waited)
}

func (a *Agent) answer(ctx context.Context, s *Session, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	if len(s.History) == 0 {
		history := slices.DeleteFunc(slices.Clone(t.History), agent.Message.IsEmpty)
		s.History = a.Store.newest(history) // not truncated: this turn may need its pictures
	}
	t.History = slices.Clone(s.History) // the agent may modify it
	reply, err := a.Agent.Respond(ctx, t, emit)
	if err == nil {
		s.History = append(s.History, agent.TurnMessages(t, reply)...)
	}
	return reply, err
}
