package mocks

import (
	"context"
	"fmt"
	"net/http"

	"evalctl/agent/clock"
	"evalctl/mocks/fault"
	"evalctl/mocks/wire"
)

// SimulateLocalCall simulates a call of a component that runs inside the process, such as a store.
// As over HTTP, the call is counted, takes its latency and is subject to faults. An injected fault
// is returned as a *fault.Error. If ctx ends first, SimulateLocalCall returns the error of ctx; a
// timeout fault always waits for that.
func (s *Server) SimulateLocalCall(ctx context.Context, part string) error {
	if err := s.components.CheckName(part); err != nil {
		return fmt.Errorf("mocks: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	c := &call{state: &s.state, ctx: ctx}
	c.setComponent(part)
	c.countAndSelectFaults()
	status, err := c.waitLocal()
	c.record(status)
	return err
}

// waitLocal waits for the latency and returns the result of the call. The status is the equivalent
// HTTP status; 0: no answer.
func (c *call) waitLocal() (status int, err error) {
	kind := c.fault.Kind
	_, refused := wire.ReasonForFault(kind)
	first, chunkDelay := c.sampleLatency()
	wait := first + chunkDelay
	switch {
	case kind == fault.Timeout:
		return 0, c.hangLocal()
	case kind == fault.TaskNeverEnds:
		wait = SyncImageTimeout
	case kind == fault.Reset, refused && c.slow.Kind == "":
		wait = 0
	}
	if err := c.pause(wait); err != nil {
		return 0, err
	}
	if kind == "" {
		return http.StatusOK, nil
	}
	faultErr := &fault.Error{Component: c.component.name, Kind: kind, Status: kind.Status()}
	return faultErr.Status, faultErr
}

// hangLocal waits until ctx ends, because nothing else ends a call inside the process that has a
// timeout fault.
func (c *call) hangLocal() error {
	for {
		if err := clock.Sleep(c.ctx, hangTimeout); err != nil {
			return err
		}
	}
}
