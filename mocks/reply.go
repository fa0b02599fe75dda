package mocks

import (
	"net/http"
	"time"

	"evalctl/mocks/fault"
	"evalctl/mocks/model"
	"evalctl/mocks/wire"
)

// reply answers in one piece.
func (c *call) reply(a *model.Answer) {
	buf := borrow()
	defer scratch.Put(buf)
	out := c.AppendReply(*buf, a)
	*buf = out
	if c.fault.Kind == fault.ErrorInStream {
		out = append(c.AppendError(nil, c.Refusal(wire.Broken)), '\n')
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
	if c.fault.Kind == fault.StalledStream {
		c.write(out[:len(out)/2])
		c.flush()
		c.hang()
		return
	}
	c.write(out)
}
