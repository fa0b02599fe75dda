package mocks

import (
	"evalctl/mocks/fault"
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
		b.SplitComponent(c.s.parts)
	}
	req := b.View()
	c.assignChat(b, &req)
	if p := c.Check(b); p != nil {
		c.send(*p)
		return
	}
	c.count()
	req.Place = c.place
	req.Nth, req.FallbackLabel = c.ex.Nth, c.fault.Kind == fault.ResidualLabel
	if c.failed() {
		return
	}
	answers := c.answers(b, &req)
	switch {
	case answers == nil:
		c.refuse(wire.Overloaded, "")
	case answers[0].Refusal != nil:
		if c.sleep(answers[0].Delay) {
			c.send(c.Fill(*answers[0].Refusal))
		}
	case b.Stream:
		c.stream(b, answers)
	default:
		c.reply(b, answers)
	}
}

// answers are what the model says, once a choice, in the form that the request
// wants and as faults leave it; one that refuses is the only one. There are none
// where memory is too short for all: the first tells, before the others are made,
// how much they take.
func (c *call) answers(b *wire.ChatBody, req *model.Request) []model.Answer {
	list := make([]model.Answer, c.Choices(b))
	taken := int64(0)
	for i := range list {
		a := c.s.model.Answer(*req)
		if a.Refusal != nil {
			return []model.Answer{a}
		}
		c.ApplyTools(b, &a)
		list[i] = c.fault.Kind.Corrupt(a, b.Stream, c.seed+uint64(i))
		c.Complete(b, req, &list[i])
		if size := c.Size(b, list[i:i+1]) * int64(len(list)); size > taken {
			if !c.Reserve(size - taken) {
				return nil
			}
			taken = size
		}
	}
	return list
}
