package mocks

import (
	"strconv"

	"evalctl/agent/clock"
)

// chat answers a chat completion.
func (c *call) chat() {
	var b chatBody
	if !c.decode(&b) {
		return
	}
	c.ex.Model, c.ex.Stream = b.Model, b.Stream
	req := b.view(c.place.dialect, c.s.cfg.Seed)
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
	a := c.shape(c.s.model.Answer(req))
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

// complete fills in what the answer leaves open, for this request.
func (c *call) complete(b *chatBody, req *ChatRequest, a *Answer) {
	c.think(b, req, a)
	if a.FinishReason == "" {
		a.FinishReason = "stop"
		if len(a.ToolCalls) > 0 {
			a.FinishReason = "tool_calls"
		}
	}
	if limit := b.limit(); limit > 0 && a.Usage == nil {
		if short := cutTokens(a.Content, limit); len(short) < len(a.Content) {
			a.Content, a.FinishReason = short, "length"
		}
	}
	if a.Usage == nil {
		a.Usage = estimate(req, a)
	}
}

// limit is the most tokens of an answer, 0 for no limit.
func (b *chatBody) limit() int {
	switch {
	case b.MaxTokens != nil:
		return *b.MaxTokens
	case b.MaxCompletionTokens != nil:
		return *b.MaxCompletionTokens
	}
	return 0
}

// think makes up a train of thought where the model thinks, and drops it
// where it does not.
func (c *call) think(b *chatBody, req *ChatRequest, a *Answer) {
	if c.place.dialect == OpenAI {
		return // shows none, unless the model's script wants it
	}
	switch {
	case !c.thinks(b):
		a.Reasoning = ""
	case a.Reasoning != "":
	case isChinese(req.Text):
		a.Reasoning = "先看清楚用户在问什么，再给出简短的回答。"
	default:
		a.Reasoning = "First see what the user asks, then answer briefly."
	}
}

// openJSON writes the head that answers and chunks share, up to the choices.
func (c *call) openJSON(b []byte, object, model string) []byte {
	b = append(b, `{"id":"`...)
	b = c.appendChatID(b)
	b = append(b, `","object":"`...)
	b = append(b, object...)
	b = append(b, `","created":`...)
	b = strconv.AppendInt(b, clock.Now(c.ctx).Unix(), 10)
	b = appendField(append(b, ','), "model", model)
	switch c.place.dialect {
	case DeepSeek:
		b = append(b, `,"system_fingerprint":"fp_mock_prod0820_fp8_kvcache"`...)
	case DashScope:
		b = append(b, `,"system_fingerprint":null`...)
	case Ark:
		b = append(b, `,"service_tier":"default"`...)
	}
	return append(b, `,"choices":[`...)
}
