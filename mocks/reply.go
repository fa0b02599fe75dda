package mocks

import (
	"net/http"
	"time"

	"evalctl/mocks/fault"
	"evalctl/mocks/model"
	"evalctl/mocks/wire"
)

// reply sends the complete answers in one body.
func (c *call) reply(b *wire.ChatBody, answers []model.Answer) {
	first, each := c.wait()
	total := first + each*time.Duration(c.longest(answers)) + answers[0].Delay
	if c.fault.Kind == fault.ErrorInStream {
		if c.sleep(total) {
			c.refuse(wire.Broken, "")
		}
		return
	}
	buf := borrow()
	defer giveBack(buf)
	out := c.AppendReply(*buf, b, answers)
	*buf = out
	c.record(http.StatusOK)
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

// longest returns the largest number of chunks of any answer. Only this one counts for the
// duration, because the choices are generated in parallel.
func (c *call) longest(answers []model.Answer) (n int) {
	for _, a := range answers {
		n = max(n, c.chunks(a.Reasoning)+c.chunks(a.Content))
	}
	return n
}
