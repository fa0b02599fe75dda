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

// backlog is the number of buffered events for a slow client. A full buffer blocks the agent.
const backlog = 16

// run is one answer in progress.
type run struct {
	name      string // of the agent
	agent     agent.Agent
	timeout   time.Duration
	heartbeat time.Duration
	log       *slog.Logger
	runs      *runs
}

// answer runs the agent and streams its events. It returns after the agent, which is canceled if
// the client disconnects or the service stops.
func (r run) answer(ctx context.Context, t agent.Turn, out *stream) {
	client, cancelClient := context.WithCancel(ctx)
	defer cancelClient()
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
				// Events after the timeout or Stop are still sent. After the client has
				// disconnected they are dropped, which is not an error of the agent.
				_ = events.Send(client, e)
			}
		})
		return err
	})
	broken := r.relay(client, events, out)
	if broken != nil {
		cancelClient()
	}
	err := g.Wait()
	gone := ctx.Err() != nil || out.writeErr != nil
	if broken != nil && !gone {
		err = broken
	}
	if err != nil {
		r.logFailure(ctx, t.Session, err, gone || stopping(limited))
	}
	if !gone {
		out.finish(reply, failureOf(limited, err))
	}
}

// relay sends events until the agent has answered. Its error means that the client has disconnected
// or an event cannot be encoded.
func (r run) relay(client context.Context, events *clock.Chan[trace.Event], out *stream) error {
	for {
		e, more, err := r.next(client, events)
		switch {
		case client.Err() != nil:
			return client.Err()
		case err != nil: // no event within the heartbeat
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

// next waits for an event, at most for the heartbeat.
func (r run) next(client context.Context, events *clock.Chan[trace.Event]) (trace.Event, bool, error) {
	ctx, cancel := clock.WithTimeout(client, r.heartbeat)
	defer cancel()
	return events.Recv(ctx)
}

// logFailure logs an agent's error. An error after the client has disconnected or the service stops
// is excused; a panic never is.
func (r run) logFailure(ctx context.Context, session string, err error, isExcused bool) {
	log := r.log.With("agent", r.name, "session", session, "error", err)
	var panicked *clock.PanicError
	switch {
	case errors.As(err, &panicked):
		log.ErrorContext(ctx, "agent panicked", "stack", string(panicked.Stack))
	case !isExcused:
		log.WarnContext(ctx, "agent failed")
	}
}
