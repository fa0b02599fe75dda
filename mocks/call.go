package mocks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"evalctl/agent/clock"
)

// MaxBody is the largest request body in bytes; pictures of 10 MB fit.
const MaxBody = 32 << 20

// neverAnswer is how long a server that hangs keeps the connection.
const neverAnswer = 10 * time.Minute

// call is one request while it is answered.
type call struct {
	s     *Server
	w     http.ResponseWriter
	r     *http.Request
	ctx   context.Context
	place place
	id    uint64 // seeds the ids of the answer
	seed  uint64 // seeds latency and faults: server, component and nth call
	ex    Exchange

	fault Fault // the zero Fault: none
	slow  Fault
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var scratch = sync.Pool{New: func() any { b := make([]byte, 0, 4<<10); return &b }}

// borrow takes an empty slice to build an answer in; it is given back by
// putting it into scratch again, grown or not.
func borrow() *[]byte {
	b := scratch.Get().(*[]byte)
	*b = (*b)[:0]
	return b
}

// maxPooled keeps buffers that held a picture out of the pool.
const maxPooled = 64 << 10

func giveBack(b *bytes.Buffer) {
	if b.Cap() > maxPooled {
		return
	}
	b.Reset()
	buffers.Put(b)
}

// decode reads the request's body into v, or refuses the request.
func (c *call) decode(v any) bool {
	b := buffers.Get().(*bytes.Buffer)
	defer giveBack(b)
	_, err := b.ReadFrom(io.LimitReader(c.r.Body, MaxBody+1))
	if err != nil { // the client broke off, or framed its body badly
		c.refuse(badJSON, err.Error())
		return false
	}
	if b.Len() > MaxBody {
		c.refuse(tooLarge, "")
		return false
	}
	if err := json.Unmarshal(b.Bytes(), v); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			c.refuse(invalid, "invalid type: "+wrong.Value+" for "+wrong.Field)
			return false
		}
		if errors.Is(err, errContent) {
			c.refuse(invalid, err.Error())
			return false
		}
		c.refuse(badJSON, err.Error())
		return false
	}
	return true
}

// count makes the request the component's next call and finds its faults.
func (c *call) count(component Component) {
	i := component.index()
	n := c.s.calls[i].Add(1)
	c.ex.Component, c.ex.Nth = component, int(n)
	c.seed = mix(mix(c.s.cfg.Seed, uint64(i)), uint64(n))
	c.strike()
}

// record notes the exchange; it comes before the client can see an answer.
func (c *call) record(status int) {
	c.ex.Status = status
	c.s.log.add(c.ex)
}

func (c *call) note(text string) {
	c.ex.Notes = append(c.ex.Notes, text)
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
