package mocks

import (
	"context"
	"net/http"
	"time"

	"evalctl/agent/clock"
	"evalctl/mocks/fault"
	"evalctl/mocks/model"
	"evalctl/mocks/wire"
)

// hangTimeout is how long a connection stays open when an injected timeout fault leaves the request
// unanswered.
const hangTimeout = 10 * time.Minute

// call is the state of one HTTP request, or one call of Server.SimulateLocalCall, while the server
// answers it.
type call struct {
	wire.Call
	state     *state
	w         http.ResponseWriter
	ctx       context.Context
	component *componentState    // the agent component that the request belongs to; nil: not known yet, or none
	position  model.CallPosition // the call's turn, branch and number within its trial; zero: there is no trial
	seed      uint64             // seed of all random draws of this call
	entry     LogEntry

	fault fault.Fault // the injected fault, except a delay; zero: none
	slow  fault.Fault
}

// record adds the exchange to the server's log. It must run before the client can see the answer. A
// client that has its answer then also finds the log entry.
func (c *call) record(status int) {
	c.entry.Status, c.entry.Model = status, c.Model
	c.state.log.add(c.entry)
}

// write sends b to the client and reports whether the client is still connected.
func (c *call) write(b []byte) bool {
	_, err := c.w.Write(b)
	return err == nil
}

// sendJSON logs the call and sends a complete JSON body.
func (c *call) sendJSON(status int, b []byte) {
	c.record(status)
	c.writeHeader(status, "application/json")
	c.write(b) // a failed write only means that the client has disconnected
}

// refuse sends an error response in the format of the simulated provider. An empty message selects
// the provider's usual text for the reason.
func (c *call) refuse(reason wire.ErrorReason, message string) {
	c.sendRefusal(*c.ErrorResponseWithMessage(reason, message))
}

// sendRefusal sends an error response, with a Retry-After header if the refusal has a delay.
func (c *call) sendRefusal(r model.ErrorResponse) {
	if r.RetryAfter > 0 {
		c.w.Header().Set("Retry-After", wire.FormatRetryAfter(r.RetryAfter))
	}
	c.sendJSON(r.Status, c.AppendError(nil, r))
}

func (c *call) writeHeader(status int, contentType string) {
	h := c.w.Header()
	h.Set("Content-Type", contentType)
	c.SetHeaders(h)
	c.w.WriteHeader(status)
}

func (c *call) flush() {
	if f, ok := c.w.(http.Flusher); ok {
		f.Flush()
	}
}

// sleep waits for d and reports whether the client is still connected afterwards.
func (c *call) sleep(d time.Duration) bool { return c.pause(d) == nil }

// pause waits for d. If the context ends first, pause returns the context's error.
func (c *call) pause(d time.Duration) error {
	if d <= 0 {
		return c.ctx.Err()
	}
	return clock.Sleep(c.ctx, d)
}

// hang sends nothing until the client disconnects, or until hangTimeout has passed and the
// connection is closed.
func (c *call) hang() {
	if c.sleep(hangTimeout) {
		panic(http.ErrAbortHandler) // makes net/http close the connection
	}
}
