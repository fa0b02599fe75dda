package service

import (
	"context"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/trace"
)

// backlog is how many events may wait for a slow client before the agent does.
const backlog = 16

// answer runs the agent and streams what it does. It returns when the agent
// has, which is told to stop when the client goes or the service stops.
func (s *Service) answer(ctx context.Context, name string, t agent.Turn, out *stream) {
	client, hangUp := context.WithCancel(ctx)
	defer hangUp()
	run, release := s.stoppable(client)
	defer release()
	limited, cancel := clock.WithTimeout(run, s.cfg.Timeout)
	defer cancel()
	var reply agent.Reply
	events := clock.NewChan[trace.Event](client, "an event of "+name, backlog)
	g, _ := clock.NewGroup(limited, 0)
	g.Go("agent", func(ctx context.Context) (err error) {
		defer events.Close()
		reply, err = s.cfg.Agents[name].Respond(ctx, t, func(e trace.Event) {
			if shown(e.Kind) {
				// Past its time limit, or stopped, an agent is still heard; once the client
				// has gone nobody listens, which is no error of the agent's.
				_ = events.Send(client, e)
			}
		})
		return err
	})
	broken := s.relay(client, events, out)
	if broken != nil {
		hangUp()
	}
	err := g.Wait()
	gone := ctx.Err() != nil || out.lost != nil
	if broken != nil && !gone {
		err = broken
	}
	if err != nil {
		s.note(ctx, name, t.Session, err, gone || stopping(limited))
	}
	if !gone {
		out.finish(reply, failureOf(limited, err))
	}
}

// relay hands events on until the agent has answered. Its error is of the
// client, which has gone, or of an event that cannot be written down.
func (s *Service) relay(client context.Context, events *clock.Chan[trace.Event], out *stream) error {
	for {
		e, more, err := s.next(client, events)
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
func (s *Service) next(client context.Context, events *clock.Chan[trace.Event]) (trace.Event, bool, error) {
	ctx, cancel := clock.WithTimeout(client, s.cfg.Heartbeat)
	defer cancel()
	return events.Recv(ctx)
}
