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

// eventBufferSize is the number of events that are buffered for a slow client. If the buffer is
// full, the agent waits.
const eventBufferSize = 16

// answerRun is the agent and the limits of one answer.
type answerRun struct {
	name      string // name of the agent
	agent     agent.Agent
	timeout   time.Duration
	heartbeat time.Duration
	log       *slog.Logger
	runs      *activeAnswers
}

// answer runs the agent for one turn and sends its events to the client. If the client disconnects
// or the service stops, it cancels the agent. It returns after the agent has returned.
func (r answerRun) answer(ctx context.Context, t agent.Turn, out *stream) {
	client, cancelClient := context.WithCancel(ctx)
	defer cancelClient()
	stoppable, release := r.runs.stoppable(client)
	defer release()
	limited, cancel := clock.WithTimeout(stoppable, r.timeout)
	defer cancel()
	var reply agent.Reply
	events := clock.NewChan[trace.Event](client, "an event of "+r.name, eventBufferSize)
	g, _ := clock.NewGroup(limited, 0)
	g.Go("agent", func(ctx context.Context) (err error) {
		defer events.Close()
		reply, err = r.agent.Respond(ctx, t, func(e trace.Event) {
			if isSentToClients(e.Kind) {
				// Events after the timeout or Stop are still sent. After the client has
				// disconnected, they are dropped; this is not an error of the agent.
				_ = events.Send(client, e)
			}
		})
		return err
	})
	broken := r.sendEvents(client, events, out)
	if broken != nil {
		cancelClient()
	}
	err := g.Wait()
	gone := ctx.Err() != nil || out.writeErr != nil
	if broken != nil && !gone {
		err = broken
	}
	if err != nil {
		r.logFailure(ctx, t.Session, err, gone || isStopped(limited))
	}
	if !gone {
		out.finish(reply, failureOf(limited, err))
	}
}

// sendEvents sends the events of the agent until the agent has answered. An error means that the
// client has disconnected or an event cannot be encoded.
func (r answerRun) sendEvents(client context.Context, events *clock.Chan[trace.Event], out *stream) error {
	for {
		e, more, err := r.next(client, events)
		switch {
		case client.Err() != nil:
			return client.Err()
		case err != nil: // the heartbeat interval passed without an event
			err = out.sendHeartbeat()
		case !more:
			return nil
		default:
			err = out.sendEvent(e)
		}
		if err != nil {
			return err
		}
	}
}

// next returns the next event, or an error if none arrives within the heartbeat interval.
func (r answerRun) next(client context.Context, events *clock.Chan[trace.Event]) (trace.Event, bool, error) {
	ctx, cancel := clock.WithTimeout(client, r.heartbeat)
	defer cancel()
	return events.Recv(ctx)
}

// logFailure logs an error of an agent. isExcused is true if the client has disconnected or the
// service stops: then only a panic is logged.
func (r answerRun) logFailure(ctx context.Context, session string, err error, isExcused bool) {
	log := r.log.With("agent", r.name, "session", session, "error", err)
	var panicked *clock.PanicError
	switch {
	case errors.As(err, &panicked):
		log.ErrorContext(ctx, "agent panicked", "stack", string(panicked.Stack))
	case !isExcused:
		log.WarnContext(ctx, "agent failed")
	}
}
