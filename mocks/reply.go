package mocks

import "net/http"

// reply answers in one piece.
func (c *call) reply(b *chatBody, a *Answer) {
	buf := borrow()
	defer scratch.Put(buf)
	out := c.appendReply(*buf, b, a)
	*buf = out
	if c.fault.Kind == ErrorInStream {
		out = append(c.appendError(nil, c.refusal(broken)), '\n')
	}
	c.record(http.StatusOK)
	first, each := c.wait()
	total := first + each*durationOf(c.chunks(a.Reasoning)+c.chunks(a.Content)) + a.Delay
	begun, ok := c.queue(total, "application/json", "\n")
	if !ok {
		return
	}
	if !begun {
		c.begin(http.StatusOK, "application/json")
	}
	if c.fault.Kind == StalledStream {
		c.write(out[:len(out)/2])
		c.flush()
		c.hang()
		return
	}
	c.write(out)
}

func (c *call) appendReply(o []byte, b *chatBody, a *Answer) []byte {
	o = c.openJSON(o, "chat.completion", b.Model)
	o = append(o, `{"index":0,"message":`...)
	o = c.appendMessage(o, a)
	if c.place.dialect != DashScope {
		o = append(o, `,"logprobs":null`...)
	}
	o = appendField(append(o, ','), "finish_reason", a.FinishReason)
	o = append(o, `}],"usage":`...)
	o = c.appendUsage(o, a.Usage)
	return append(o, '}')
}

func (c *call) appendMessage(o []byte, a *Answer) []byte {
	o = append(o, `{"role":"assistant",`...)
	if len(a.ToolCalls) > 0 && a.Content == "" {
		o = append(o, `"content":null`...)
	} else {
		o = appendField(o, "content", a.Content)
	}
	if a.Reasoning != "" {
		o = appendField(append(o, ','), "reasoning_content", a.Reasoning)
	}
	if c.place.dialect == OpenAI {
		o = append(o, `,"refusal":null`...)
	}
	if len(a.ToolCalls) > 0 {
		o = append(o, `,"tool_calls":[`...)
		for i, t := range a.ToolCalls {
			if i > 0 {
				o = append(o, ',')
			}
			o = c.appendToolCall(append(o, '{'), i, t, t.Arguments)
		}
		o = append(o, ']')
	}
	return append(o, '}')
}

// appendToolCall writes the call without its opening brace.
func (c *call) appendToolCall(o []byte, i int, t ToolCall, arguments string) []byte {
	id := t.ID
	if id == "" {
		id = c.toolCallID(i)
	}
	o = appendField(o, "id", id)
	o = append(o, `,"type":"function","function":{`...)
	o = appendField(o, "name", t.Name)
	o = appendField(append(o, ','), "arguments", arguments)
	return append(o, '}', '}')
}

func (c *call) toolCallID(i int) string {
	seed := mix(c.id, uint64(i)+10)
	switch c.place.dialect {
	case DeepSeek:
		b := append([]byte("call_0"), byte('0'+i%10), '_')
		return string(appendWord(b, seed, 24))
	case OpenAI:
		return string(appendWord([]byte("call_"), seed, 24))
	}
	return string(appendHex([]byte("call_"), seed, 16))
}
