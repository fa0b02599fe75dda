package service

import (
	"context"
	"errors"
)

// errStopping is why Stop ends the context of an agent.
var errStopping = errors.New("the service stops")

// Stop refuses all further turns, as Drain does, and cancels the agents at work.
// It does not wait: once an agent has returned, its client gets an error event
// with the code SHUTTING_DOWN, and done.
func (s *Service) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.draining, s.stopped = true, true
	for _, stop := range s.stops {
		stop(errStopping)
	}
}

// stoppable is a context for an agent that Stop cancels until release is called.
func (s *Service) stoppable(client context.Context) (ctx context.Context, release func()) {
	ctx, stop := context.WithCancelCause(client)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped { // while the request was being read
		stop(errStopping)
	}
	s.stops[ctx] = stop
	return ctx, func() {
		stop(nil)
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.stops, ctx)
	}
}

// stopping tells whether it was Stop that ended an agent's context.
func stopping(ctx context.Context) bool { return errors.Is(context.Cause(ctx), errStopping) }
