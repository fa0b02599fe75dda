package wire

import (
	"evalctl/mocks/jsontext"
	"evalctl/mocks/model"
)

// Events encodes the answers to a request as server-sent events. Each event overwrites the previous
// one.
type Events struct {
	call         *Call
	body         *ChatBody
	answers      []model.Answer
	choice       int           // index of the current choice in answers
	answer       *model.Answer // the current choice
	head         []byte        // beginning of every chunk, up to the choices
	buffer       []byte
	textBytes    int         // bytes of text so far, for the usage in each chunk
	contentBytes int         // bytes of the current choice's content so far
	text         *textEvents // for DashScope's native text generation, which has one choice; else nil
}

// NewEvents returns an encoder that uses buf for its events if it is large enough.
func NewEvents(c *Call, b *ChatBody, answers []model.Answer, buf []byte) *Events {
	e := &Events{
		call:    c,
		body:    b,
		answers: answers,
		buffer:  buf,
	}
	e.SetChoice(0)
	if b.native != nil {
		e.text = &textEvents{}
		return e
	}
	e.head = c.openJSON(append(make([]byte, 0, 256), "data: "...), "chat.completion.chunk")
	return e
}

// SetChoice selects the choice for the next events.
func (e *Events) SetChoice(i int) {
	e.choice = i
	e.answer = &e.answers[i]
	e.contentBytes = 0
}

// openChunk begins a chunk with a delta.
func (e *Events) openChunk() []byte {
	b := append(e.buffer[:0], e.head...)
	b = jsontext.AppendNumber(append(b, '{'), "index", e.choice)
	return append(b, `,"delta":{`...)
}

// Role returns the first chunk; nil: none.
func (e *Events) Role() []byte {
	if e.text != nil {
		return nil
	}
	b := append(e.openChunk(), `"role":"assistant","content":`...)
	switch {
	case e.answer.Reasoning != "":
		b = append(b, `null,"reasoning_content":""`...)
	case len(e.answer.ToolCalls) > 0 && e.answer.Content == "":
		b = append(b, `null`...)
	default:
		b = append(b, `""`...)
	}
	b = append(b, `},"logprobs":null,"finish_reason":null}]`...)
	return e.endEvent(e.closeChunk(b))
}

// Delta returns a chunk of text; nil: the text comes with the next chunk. If the answer has
// reasoning, the unused one of content and reasoning_content is null.
func (e *Events) Delta(text string, reasoning bool) []byte {
	if e.text != nil {
		return e.text.delta(e, text, reasoning)
	}
	b := e.openChunk()
	if reasoning {
		b = append(jsontext.AppendField(append(b, `"content":null,`...), "reasoning_content", text), '}')
	} else {
		b = jsontext.AppendField(b, "content", text)
		if e.answer.Reasoning != "" {
			b = append(b, `,"reasoning_content":null`...)
		}
		b = append(b, '}')
		if e.body.Logprobs {
			b = e.call.appendLogprobs(append(b, `,"logprobs":`...), e.body, text, e.contentBytes)
		}
		e.contentBytes += len(text)
	}
	b = append(b, `,"finish_reason":null}]`...)
	e.textBytes += len(text)
	return e.endEvent(e.closeChunk(b))
}

// StreamsToolCalls reports whether tool calls are sent in fragments instead of complete at the end.
func (e *Events) StreamsToolCalls() bool { return e.text == nil }

// ToolCall returns the first chunk of the i-th tool call: its name, without arguments.
func (e *Events) ToolCall(i int) []byte {
	b := append(e.openChunk(), `"tool_calls":[{`...)
	b = append(jsontext.AppendNumber(b, "index", i), ',')
	b = e.call.appendToolCall(b, i, e.answer.ToolCalls[i], "")
	b = append(b, `]},"finish_reason":null}]`...)
	return e.endEvent(e.closeChunk(b))
}

// Arguments returns a chunk with part of the arguments of the i-th tool call.
func (e *Events) Arguments(i int, text string) []byte {
	b := append(e.openChunk(), `"tool_calls":[{`...)
	b = jsontext.AppendNumber(b, "index", i)
	b = jsontext.AppendField(append(b, `,"function":{`...), "arguments", text)
	b = append(b, `}}]},"finish_reason":null}]`...)
	return e.endEvent(e.closeChunk(b))
}

// Finish returns the chunk with the finish_reason. DeepSeek adds the usage.
func (e *Events) Finish() []byte {
	if e.text != nil {
		return e.text.lastEvent(e)
	}
	b := e.openChunk()
	if e.call.Route.Dialect != DeepSeek {
		b = jsontext.AppendField(append(b, `},`...), "finish_reason", e.answer.FinishReason)
		return e.endEvent(e.closeChunk(append(b, '}', ']')))
	}
	b = append(b, `"content":""`...)
	if e.answer.Reasoning != "" {
		b = append(b, `,"reasoning_content":null`...)
	}
	b = jsontext.AppendField(append(b, `},"logprobs":null,`...), "finish_reason", e.answer.FinishReason)
	b = append(b, `}],"usage":`...)
	return e.endEvent(append(e.call.appendUsage(b, e.answer.Usage), '}'))
}

// ExtraUsage returns the chunk with the usage and no choices; nil: not requested.
func (e *Events) ExtraUsage() []byte {
	if e.text != nil || e.call.Route.Dialect == DeepSeek || !e.body.StreamOptions.IncludeUsage {
		return nil
	}
	b := append(e.buffer[:0], e.head...)
	b = append(b, `],"usage":`...)
	return e.endEvent(append(e.call.appendUsage(b, usageOf(e.answers)), '}'))
}

// Done returns the end marker; nil: none.
func (e *Events) Done() []byte {
	if e.text != nil {
		return nil
	}
	return e.endEvent(append(e.buffer[:0], "data: [DONE]"...))
}

// Error returns an error event in the middle of the answer.
func (e *Events) Error() []byte {
	if e.text != nil {
		return e.text.errorEvent(e)
	}
	b := append(e.buffer[:0], "data: "...)
	return e.endEvent(e.call.AppendError(b, e.call.Refusal(Broken)))
}

// bytesPerToken is the average for English, used for intermediate usage.
const bytesPerToken = 4

// closeChunk closes a chunk and adds the required usage.
func (e *Events) closeChunk(b []byte) []byte {
	switch {
	case e.body.StreamOptions.ChunkIncludeUsage && e.call.Route.Dialect == Ark:
		u := *e.answer.Usage
		u.Completion = min(u.Completion, (e.textBytes+bytesPerToken-1)/bytesPerToken)
		u.Reasoning = min(u.Reasoning, u.Completion)
		b = e.call.appendUsage(append(b, `,"usage":`...), &u)
	case e.body.StreamOptions.IncludeUsage:
		b = append(b, `,"usage":null`...)
	}
	return append(b, '}')
}

// endEvent terminates the event and stores its buffer for the next one.
func (e *Events) endEvent(b []byte) []byte {
	e.buffer = append(b, '\n', '\n')
	return e.buffer
}

// Buffer returns the buffer for reuse.
func (e *Events) Buffer() []byte { return e.buffer }
