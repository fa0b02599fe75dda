package mocks

import (
	"net/http"
	"time"
)

// reply answers in one piece.
func (c *call) reply(b *chatBody, a *Answer) {
	buf := borrow()
	defer scratch.Put(buf)
	out := c.appendReply(*buf, b, a)
	*buf = out
	if c.fault.Kind == ErrorInStream {
		out = append(c.appendError(nil, c.refusal(broken)), '\n')
	}
	c.record(http.StatusOK)
	first, each := c.wait()
	total := first + each*time.Duration(c.chunks(a.Reasoning)+c.chunks(a.Content)) + a.Delay
	begun, ok := c.queue(total, "application/json", "\n")
	if !ok {
		return
	}
	if !begun {
		c.begin(http.StatusOK, "application/json")
	}
	if c.fault.Kind == StalledStream {
		c.write(out[:len(out)/2])
		c.flush()
		c.hang()
		return
	}
	c.write(out)
}
