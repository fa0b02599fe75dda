package mocks

import (
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
	c.converse(&b)
}

// text answers DashScope's own text generation.
func (c *call) text() {
	var t wire.TextBody
	if p := c.Decode(&t); p != nil {
		c.send(*p)
		return
	}
	b, p := c.Chat(&t)
	if p != nil {
		c.send(*p)
		return
	}
	c.converse(b)
}

// converse answers a chat of any dialect.
func (c *call) converse(b *wire.ChatBody) {
	c.ex.Stream = b.Stream
	if p := c.Name(b.Model); p != nil {
		c.send(*p)
		return
	}
	if c.part == nil {
		b.CutPart(c.s.parts)
	}
	req := b.View()
	c.assignChat(b, &req)
	if p := c.Check(b); p != nil {
		c.send(*p)
		return
	}
	c.count()
	req.Nth = c.ex.Nth
	if c.failed() {
		return
	}
	answers := c.answers(b, &req)
	if a := answers[0]; a.Refusal != nil {
		if c.sleep(a.Delay) {
			c.send(c.Fill(*a.Refusal))
		}
		return
	}
	switch {
	case !c.Take(c.Size(b, answers)):
		c.refuse(wire.Overloaded, "")
	case b.Stream:
		c.stream(b, answers)
	default:
		c.reply(b, answers)
	}
}

// answers are what the model says, once a choice, in the form that the request
// wants and as faults leave it; one that refuses is the only one.
func (c *call) answers(b *wire.ChatBody, req *model.Request) []model.Answer {
	list := make([]model.Answer, c.Choices(b))
	for i := range list {
		a := c.s.model.Answer(*req)
		if a.Refusal != nil {
			return []model.Answer{a}
		}
		c.Fulfil(b, &a)
		list[i] = c.fault.Kind.Spoil(a, b.Stream, c.seed+uint64(i))
		c.Complete(b, req, &list[i])
	}
	return list
}
