package mocks

import (
	"evalctl/mocks/fault"
	"evalctl/mocks/model"
	"evalctl/mocks/wire"
)

func (c *call) chat() {
	var b wire.ChatBody
	if p := c.Decode(&b); p != nil {
		c.send(*p)
		return
	}
	c.converse(&b)
}

// text answers a request in DashScope's native text generation format.
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

// converse answers a chat request of any dialect.
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

// answers returns one answer per requested choice, with faults applied. If the model refuses, that
// refusal is the only element. It returns nil if the memory limit does not allow all choices; the
// size of the first answer is used to reserve memory for all of them in advance.
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
