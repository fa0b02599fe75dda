package mocks

import (
	"context"
	"fmt"
	"net/http"

	"evalctl/agent/clock"
	"evalctl/mocks/fault"
	"evalctl/mocks/wire"
)

// CallLocal is a call of a part that is in the process and has no wire, such as a
// store. It counts, takes its latency and is struck by faults as on the
// wire, where what is refused is refused at once. Its error is ctx's own when
// ctx ends first, as under Timeout it always does, or a *fault.Error.
func (s *Server) CallLocal(ctx context.Context, part string) error {
	if err := s.parts.Check(part); err != nil {
		return fmt.Errorf("mocks: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	c := &call{s: &s.state, ctx: ctx}
	c.of(part)
	c.count()
	status, err := c.local()
	c.record(status)
	return err
}

// local waits, then fails or not. Its status is 0 where there is no answer.
func (c *call) local() (status int, err error) {
	kind := c.fault.Kind
	_, refused := wire.ReasonFor(kind)
	first, each := c.wait()
	wait := first + each
	switch {
	case kind == fault.Timeout:
		return 0, c.never()
	case kind == fault.TaskEndless:
		wait = SyncTimeout
	case kind == fault.Reset, refused && c.slow.Kind == "":
		wait = 0
	}
	if err := c.pause(wait); err != nil {
		return 0, err
	}
	if kind == "" {
		return http.StatusOK, nil
	}
	struck := &fault.Error{Part: c.part.name, Kind: kind, Status: kind.Status()}
	return struck.Status, struck
}

// never waits until ctx ends: nobody else breaks off a call without a wire.
func (c *call) never() error {
	for {
		if err := clock.Sleep(c.ctx, neverAnswer); err != nil {
			return err
		}
	}
}
