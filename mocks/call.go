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

// neverAnswer is how long a server that hangs keeps the connection.
const neverAnswer = 10 * time.Minute

// call is one request while it is answered.
type call struct {
	wire.Call
	s     *state
	w     http.ResponseWriter
	ctx   context.Context
	part  *part       // whose call it is; nil: nobody's, or not known yet
	place model.Place // in a trial
	seed  uint64      // seeds what is drawn for the call: by its place in the trial, or its part and number
	ex    LogEntry

	fault fault.Fault // the zero Fault: none
	slow  fault.Fault
}

// record notes the exchange; it comes before the client can see an answer.
func (c *call) record(status int) {
	c.ex.Status, c.ex.Model = status, c.Model
	c.s.log.add(c.ex)
}

// write sends b. It says false when the client has gone.
func (c *call) write(b []byte) bool {
	_, err := c.w.Write(b)
	return err == nil
}

// answer sends a whole JSON body.
func (c *call) answer(status int, b []byte) {
	c.record(status)
	c.begin(status, "application/json")
	c.write(b) // nobody is left to tell when the client has gone
}

// refuse answers with the dialect's error for a reason; an empty message is
// the provider's usual one.
func (c *call) refuse(why wire.Reason, message string) { c.send(*c.RefusalWithMessage(why, message)) }

// send answers with an error.
func (c *call) send(r model.Refusal) {
	if r.RetryAfter > 0 {
		c.w.Header().Set("Retry-After", wire.RetryAfter(r.RetryAfter))
	}
	c.answer(r.Status, c.AppendError(nil, r))
}

// begin sends the headers.
func (c *call) begin(status int, contentType string) {
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

// sleep waits; it says false when the client has gone meanwhile.
func (c *call) sleep(d time.Duration) bool { return c.pause(d) == nil }

// pause waits; its error tells how the caller's context ended.
func (c *call) pause(d time.Duration) error {
	if d <= 0 {
		return c.ctx.Err()
	}
	return clock.Sleep(c.ctx, d)
}

// hang is silence until the client goes or the server loses patience.
func (c *call) hang() {
	if c.sleep(neverAnswer) {
		panic(http.ErrAbortHandler) // closes the connection
	}
}
