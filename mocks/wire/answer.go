package wire

import (
	"strconv"

	"evalctl/agent/clock"
	"evalctl/mocks/jsontext"
	"evalctl/mocks/model"
)

// openJSON appends the beginning that answers and stream chunks have in common, up to the list of
// choices.
func (c *Call) openJSON(b []byte, object string) []byte {
	b = append(b, `{"id":"`...)
	b = c.appendChatID(b)
	b = append(b, `","object":"`...)
	b = append(b, object...)
	b = append(b, `","created":`...)
	b = strconv.AppendInt(b, clock.Now(c.Request.Context()).Unix(), 10)
	b = jsontext.AppendStringField(append(b, ','), "model", c.Model)
	switch c.Route.Dialect {
	case DeepSeek:
		b = append(b, `,"system_fingerprint":"fp_mock_prod0820_fp8_kvcache"`...)
	case DashScope:
		b = append(b, `,"system_fingerprint":null`...)
	case Ark:
		b = append(b, `,"service_tier":"default"`...)
	}
	return append(b, `,"choices":[`...)
}

// AppendChatAnswer appends a complete chat answer, without streaming, in the provider's format.
func (c *Call) AppendChatAnswer(o []byte, b *ChatBody, answers []model.Answer) []byte {
	if b.native != nil {
		return c.appendTexts(o, b, answers)
	}
	o = c.openJSON(o, "chat.completion")
	for i := range answers {
		a := &answers[i]
		if i > 0 {
			o = append(o, ',')
		}
		o = jsontext.AppendIntField(append(o, '{'), "index", i)
		o = c.appendMessage(append(o, `,"message":`...), a)
		if c.Route.Dialect != DashScope || b.Logprobs {
			o = c.appendLogprobs(append(o, `,"logprobs":`...), b, a.Content, 0)
		}
		o = append(jsontext.AppendStringField(append(o, ','), "finish_reason", a.FinishReason), '}')
	}
	o = append(o, `],"usage":`...)
	o = c.appendUsage(o, usageOf(answers))
	return append(o, '}')
}

func (c *Call) appendMessage(o []byte, a *model.Answer) []byte {
	o = append(o, `{"role":"assistant",`...)
	if len(a.ToolCalls) > 0 && a.Content == "" {
		o = append(o, `"content":null`...)
	} else {
		o = jsontext.AppendStringField(o, "content", a.Content)
	}
	if a.Reasoning != "" {
		o = jsontext.AppendStringField(append(o, ','), "reasoning_content", a.Reasoning)
	}
	if c.Route.Dialect == OpenAI {
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

// appendToolCall appends a tool call as JSON, without the opening brace.
func (c *Call) appendToolCall(o []byte, i int, t model.ToolCall, arguments string) []byte {
	id := t.ID
	if id == "" {
		id = c.toolCallID(i)
	}
	o = jsontext.AppendStringField(o, "id", id)
	o = append(o, `,"type":"function","function":{`...)
	o = jsontext.AppendStringField(o, "name", t.Name)
	o = jsontext.AppendStringField(append(o, ','), "arguments", arguments)
	return append(o, '}', '}')
}
