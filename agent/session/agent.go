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

// Agent adds a memory of past turns to another agent. Turns with a session id are answered one at a
// time, with the stored history of that session. Turns without an id are passed to Next unchanged.
//
// A new session begins with the history that its first turn contains. The histories of later turns
// are ignored.
type Agent struct {
	Next  agent.Agent // answers the turns
	Store *Store      // stores the sessions
	// answers turns that the store rejects because their session is busy; nil: Respond returns an
	// error
	BusyAgent agent.Agent
}

var _ agent.Agent = (*Agent)(nil)

// Respond answers a turn and stores it in its session, unless the agent rejects its message. A turn
// that fails or is canceled is stored with the error reply, or with the part of the answer that the
// user has seen, marked as incomplete. A canceled turn is not stored if another call answers its
// messages. If a turn is rejected, or canceled while it waits, Respond emits only an empty done
// event.
func (a *Agent) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (reply agent.Reply, err error) {
	if t.Session == "" {
		return a.Next.Respond(ctx, t, emit)
	}
	isStarted := false
	arrival := clock.Now(ctx)
	err = a.Store.WithSession(ctx, t.SessionKey(), func(ctx context.Context, s *Session) (err error) {
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
	if ctx.Err() != nil && !isHandedOver(t) { // canceled before it started
		err = errors.Join(err, a.Store.amend(clock.WithoutCancel(ctx), t.SessionKey(), func(s *Session) {
			t := a.withHistory(s, t)
			a.rememberUnanswered(ctx, s, t, agent.IncompleteTurnMessages(t, agent.Reply{}), nil)
		}))
	}
	trace.Emit(trace.WithRecorder(ctx, emit), trace.Event{Kind: trace.KindDone})
	return reply, err
}

// Close closes the agent Next if it has a Close method.
func (a *Agent) Close() error { return agent.Close(a.Next) }

func isHandedOver(t agent.Turn) bool { return t.IsHandedOver != nil && t.IsHandedOver() }

// minReportedWait is the shortest wait of a turn that is recorded in the trace.
const minReportedWait = time.Millisecond

// emitQueued emits an event with the time that a turn waited for its session. It returns an emit
// function for the events of the turn. This function adds the waiting time to their offsets, so
// that offsets count from the arrival of the turn.
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

// withHistory returns a turn with the history of its session. A new session begins with the history
// of the turn.
func (a *Agent) withHistory(s *Session, t agent.Turn) agent.Turn {
	if len(s.History) == 0 {
		history := slices.DeleteFunc(slices.Clone(t.History), agent.Message.IsEmpty)
		s.History = a.Store.newest(history) // not shortened by size, because this turn may need the images
	}
	t.History = slices.Clone(s.History) // a copy, because the agent may modify it
	t.FailedMessage = s.FailedMessage
	return t
}

func (a *Agent) answer(ctx context.Context, s *Session, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	t = a.withHistory(s, t)
	var seen seenAnswer
	reply, err := a.Next.Respond(ctx, t, seen.record(emit))
	switch {
	case err != nil && ctx.Err() != nil && isHandedOver(t): // the call that answers it stores it
	case err != nil || seen.isCutOff(reply):
		a.rememberUnanswered(ctx, s, t, agent.IncompleteTurnMessages(t, seen.of(reply)), reply.ErrorReply)
	case reply.ErrorReply != nil:
		a.rememberUnanswered(ctx, s, t, agent.TurnMessages(t, reply), reply.ErrorReply)
	default:
		s.History = append(s.History, agent.TurnMessages(t, reply)...)
		s.FailedMessage = nil
	}
	return reply, err
}
