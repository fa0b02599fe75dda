package service

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/trace"
)

// backlog is how many events may wait for a slow client before the agent does.
const backlog = 16

// run is one answer under way.
type run struct {
	name      string // of the agent
	agent     agent.Agent
	timeout   time.Duration
	heartbeat time.Duration
	log       *slog.Logger
	runs      *runs
}

// answer runs the agent and streams what it does. It returns when the agent
// has, which is told to stop when the client goes or the service stops.
func (r run) answer(ctx context.Context, t agent.Turn, out *stream) {
	client, hangUp := context.WithCancel(ctx)
	defer hangUp()
	stoppable, release := r.runs.stoppable(client)
	defer release()
	limited, cancel := clock.WithTimeout(stoppable, r.timeout)
	defer cancel()
	var reply agent.Reply
	events := clock.NewChan[trace.Event](client, "an event of "+r.name, backlog)
	g, _ := clock.NewGroup(limited, 0)
	g.Go("agent", func(ctx context.Context) (err error) {
		defer events.Close()
		reply, err = r.agent.Respond(ctx, t, func(e trace.Event) {
			if shown(e.Kind) {
				// Past its time limit, or stopped, an agent is still heard; once the client
				// has gone nobody listens, which is no error of the agent's.
				_ = events.Send(client, e)
			}
		})
		return err
	})
	broken := r.relay(client, events, out)
	if broken != nil {
		hangUp()
	}
	err := g.Wait()
	gone := ctx.Err() != nil || out.lost != nil
	if broken != nil && !gone {
		err = broken
	}
	if err != nil {
		r.note(ctx, t.Session, err, gone || stopping(limited))
	}
	if !gone {
		out.finish(reply, failureOf(limited, err))
	}
}

// relay hands events on until the agent has answered. Its error is of the
// client, which has gone, or of an event that cannot be written down.
func (r run) relay(client context.Context, events *clock.Chan[trace.Event], out *stream) error {
	for {
		e, more, err := r.next(client, events)
		switch {
		case client.Err() != nil:
			return client.Err()
		case err != nil: // it was silent for too long
			err = out.comment()
		case !more:
			return nil
		default:
			err = out.event(e)
		}
		if err != nil {
			return err
		}
	}
}

// next waits for an event, but not for longer than the service may be silent.
func (r run) next(client context.Context, events *clock.Chan[trace.Event]) (trace.Event, bool, error) {
	ctx, cancel := clock.WithTimeout(client, r.heartbeat)
	defer cancel()
	return events.Recv(ctx)
}

// note logs an agent's error, which nobody else hears of. That an agent stops
// once its client has gone, or the service stops, is none; a panic is one even
// then.
func (r run) note(ctx context.Context, session string, err error, excused bool) {
	log := r.log.With("agent", r.name, "session", session, "error", err)
	var panicked *clock.PanicError
	switch {
	case errors.As(err, &panicked):
		log.ErrorContext(ctx, "agent panicked", "stack", string(panicked.Stack))
	case !excused:
		log.WarnContext(ctx, "agent failed")
	}
}
