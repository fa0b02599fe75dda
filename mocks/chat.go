package mocks

// chat answers a chat completion.
func (c *call) chat() {
	var b chatBody
	if p := c.decode(&b); p != nil {
		c.send(*p)
		return
	}
	c.Model, c.ex.Stream = b.Model, b.Stream
	req := b.view()
	req.Component = c.classify(&b, req)
	c.ex.Component = req.Component
	if p := c.check(&b); p != nil {
		c.send(*p)
		return
	}
	c.count(req.Component)
	req.Nth = c.ex.Nth
	if c.failed() {
		return
	}
	a := c.fault.Kind.spoil(c.s.model.Answer(req), b.Stream, c.seed)
	if a.Refusal != nil {
		if c.sleep(a.Delay) {
			c.send(c.fill(*a.Refusal))
		}
		return
	}
	c.complete(&b, &req, &a)
	if b.Stream {
		c.stream(&b, &a)
		return
	}
	c.reply(&b, &a)
}

func (c *call) classify(b *chatBody, req ChatRequest) Component {
	req.Component = b.usual(&req)
	if k, ok := c.s.model.(Classifier); ok {
		if better := k.Classify(req); better.speaks() {
			return better
		}
	}
	return req.Component
}
