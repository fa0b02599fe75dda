package mocks

import (
	"evalctl/mocks/component"
	"evalctl/mocks/model"
	"evalctl/mocks/wire"
)

// chat answers a chat completion.
func (c *call) chat() {
	var b wire.ChatBody
	if p := c.Decode(&b); p != nil {
		c.send(*p)
		return
	}
	c.Model, c.ex.Stream = b.Model, b.Stream
	req := b.View()
	req.Component = c.classify(&b, req)
	c.ex.Component = req.Component
	if p := c.Check(&b); p != nil {
		c.send(*p)
		return
	}
	c.count(req.Component)
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
	c.reply(&b, &a)
}

func (c *call) classify(b *wire.ChatBody, req model.Request) component.Component {
	req.Component = b.Component(&req)
	if k, ok := c.s.model.(model.Classifier); ok {
		if better := k.Classify(req); better.Speaks() {
			return better
		}
	}
	return req.Component
}
