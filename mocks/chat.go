package mocks

import "evalctl/mocks/wire"

// chat answers a chat completion.
func (c *call) chat() {
	var b wire.ChatBody
	if p := c.Decode(&b); p != nil {
		c.send(*p)
		return
	}
	c.Model, c.ex.Stream = b.Model, b.Stream
	if c.part == nil {
		b.CutPart(c.s.parts)
	}
	req := b.View()
	c.assignChat(&b, &req)
	if p := c.Check(&b); p != nil {
		c.send(*p)
		return
	}
	c.count()
	req.Nth = c.ex.Nth
	if c.failed() {
		return
	}
	a := c.fault.Kind.Spoil(c.s.model.Answer(req), b.Stream, c.seed)
	if a.Refusal != nil {
		if c.sleep(a.Delay) {
			c.send(c.Fill(*a.Refusal))
		}
		return
	}
	c.Complete(&b, &req, &a)
	if b.Stream {
		c.stream(&b, &a)
		return
	}
	c.reply(&a)
}
