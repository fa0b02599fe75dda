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

// hangTimeout is how long a hanging server holds the connection open.
const hangTimeout = 10 * time.Minute

// call is the state of one request while it is answered.
type call struct {
	wire.Call
	state *state
	w     http.ResponseWriter
	ctx   context.Context
	part  *part       // nil: not known yet, or the request belongs to no part
	place model.Place // in a trial
	seed  uint64      // for all random draws of this call
	entry LogEntry

	fault fault.Fault // zero: none
	slow  fault.Fault
}

// record logs the exchange. It must run before the client can see the answer.
func (c *call) record(status int) {
	c.entry.Status, c.entry.Model = status, c.Model
	c.state.log.add(c.entry)
}

// write sends b and reports whether the client is still connected.
func (c *call) write(b []byte) bool {
	_, err := c.w.Write(b)
	return err == nil
}

// sendJSON sends a complete JSON body.
func (c *call) sendJSON(status int, b []byte) {
	c.record(status)
	c.writeHeader(status, "application/json")
	c.write(b) // a failed write means that the client has disconnected
}

// refuse sends the error of the dialect for a reason. An empty message selects the provider's usual
// text.
func (c *call) refuse(reason wire.Reason, message string) {
	c.sendRefusal(*c.RefusalWithMessage(reason, message))
}

// sendRefusal sends an error answer.
func (c *call) sendRefusal(r model.Refusal) {
	if r.RetryAfter > 0 {
		c.w.Header().Set("Retry-After", wire.RetryAfter(r.RetryAfter))
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

// sleep waits for d and reports whether the client is still connected.
func (c *call) sleep(d time.Duration) bool { return c.pause(d) == nil }

// pause waits for d. It returns the context's error if the context ends first.
func (c *call) pause(d time.Duration) error {
	if d <= 0 {
		return c.ctx.Err()
	}
	return clock.Sleep(c.ctx, d)
}

// hang sends nothing until the client disconnects or hangTimeout has passed.
func (c *call) hang() {
	if c.sleep(hangTimeout) {
		panic(http.ErrAbortHandler) // closes the connection
	}
}
