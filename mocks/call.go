package mocks

import (
	"context"
	"net/http"
	"time"

	"evalctl/agent/clock"
)

// neverAnswer is how long a server that hangs keeps the connection.
const neverAnswer = 10 * time.Minute

// call is one request while it is answered.
type call struct {
	Call
	s    *state
	w    http.ResponseWriter
	ctx  context.Context
	seed uint64 // seeds latency and faults: server, component and nth call
	ex   Exchange

	fault Fault // the zero Fault: none
	slow  Fault
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
func (c *call) refuse(why reason, message string) { c.send(*c.refusalOf(why, message)) }

// send answers with an error.
func (c *call) send(r Refusal) {
	if r.RetryAfter > 0 {
		c.w.Header().Set("Retry-After", seconds(r.RetryAfter))
	}
	c.answer(r.Status, c.appendError(nil, r))
}

// begin sends the headers.
func (c *call) begin(status int, contentType string) {
	h := c.w.Header()
	h.Set("Content-Type", contentType)
	c.providerHeaders(h)
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
