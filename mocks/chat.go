package mocks

import (
	"evalctl/mocks/fault"
	"evalctl/mocks/model"
	"evalctl/mocks/wire"
)

func (c *call) chat() {
	var b wire.ChatBody
	if p := c.Decode(&b); p != nil {
		c.sendRefusal(*p)
		return
	}
	c.answerChat(&b)
}

// textGeneration answers a request in DashScope's native text generation format. It converts the
// request to a chat request.
func (c *call) textGeneration() {
	var t wire.TextGenerationBody
	if p := c.Decode(&t); p != nil {
		c.sendRefusal(*p)
		return
	}
	b, p := c.ToChatBody(&t)
	if p != nil {
		c.sendRefusal(*p)
		return
	}
	c.answerChat(b)
}

// answerChat answers a chat request, once it is decoded from the provider's format: validation,
// faults, then the answer of the simulated model.
func (c *call) answerChat(b *wire.ChatBody) {
	c.entry.Stream = b.Stream
	if p := c.SetModel(b.Model); p != nil {
		c.sendRefusal(*p)
		return
	}
	if c.component == nil {
		b.SplitComponent(c.state.components)
	}
	req := b.ModelRequest()
	c.assignChat(b, &req)
	if p := c.CheckChat(b); p != nil {
		c.sendRefusal(*p)
		return
	}
	c.countAndSelectFaults()
	req.Position = c.position
	req.CallNumber, req.ForceFallbackLabel = c.entry.CallNumber, c.fault.Kind == fault.FallbackLabel
	if c.applyFault() {
		return
	}
	answers := c.answers(b, &req)
	switch {
	case answers == nil:
		c.refuse(wire.Overloaded, "")
	case answers[0].ErrorResponse != nil:
		if c.sleep(answers[0].Delay) {
			c.sendRefusal(c.CompleteErrorResponse(*answers[0].ErrorResponse))
		}
	case b.Stream:
		c.stream(b, answers)
	default:
		c.sendReply(b, answers)
	}
}

// answers returns one answer per requested choice (parameter n), with faults applied. If the
// simulated model refuses, the refusal is the only element. The result is nil if the memory limit
// does not allow all choices. Memory for all choices is reserved after the first one, based on its
// size.
func (c *call) answers(b *wire.ChatBody, req *model.Request) []model.Answer {
	list := make([]model.Answer, c.ChoiceCount(b))
	reserved := int64(0)
	for i := range list {
		a := c.state.model.Answer(*req)
		if a.ErrorResponse != nil {
			return []model.Answer{a}
		}
		c.ApplyTools(b, &a)
		list[i] = c.fault.Kind.Corrupt(a, b.Stream, c.seed+uint64(i))
		c.CompleteAnswer(b, req, &list[i])
		if size := c.AnswersSize(b, list[i:i+1]) * int64(len(list)); size > reserved {
			if !c.ReserveMemory(size - reserved) {
				return nil
			}
			reserved = size
		}
	}
	return list
}
