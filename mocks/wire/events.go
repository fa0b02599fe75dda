package wire

import (
	"evalctl/mocks/jsontext"
	"evalctl/mocks/model"
)

// EventEncoder encodes the answers to a chat request as server-sent events, in the provider's format.
// Every method returns one event, which is valid until the next call.
type EventEncoder struct {
	call         *Call
	body         *ChatBody
	answers      []model.Answer
	choice       int           // index of the choice that is being encoded
	answer       *model.Answer // the choice that is being encoded
	head         []byte        // beginning that all chunks have in common, up to the list of choices
	buffer       []byte
	textBytes    int         // bytes of text encoded so far, for the usage in each chunk
	contentBytes int         // bytes of the current choice's content encoded so far
	text         *textEvents // encoder of DashScope's native format, which has one choice; nil for other formats
}

// NewEventEncoder returns an encoder for the answers to the request b. It uses buf for its events.
func NewEventEncoder(c *Call, b *ChatBody, answers []model.Answer, buf []byte) *EventEncoder {
	e := &EventEncoder{
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

// SetChoice selects which choice the following events belong to.
func (e *EventEncoder) SetChoice(i int) {
	e.choice = i
	e.answer = &e.answers[i]
	e.contentBytes = 0
}

// openChunk returns the beginning of a chunk, up to the opening brace of its delta.
func (e *EventEncoder) openChunk() []byte {
	b := append(e.buffer[:0], e.head...)
	b = jsontext.AppendIntField(append(b, '{'), "index", e.choice)
	return append(b, `,"delta":{`...)
}

// FirstChunk returns the first chunk of a choice, which contains the role; nil: the format has
// none.
func (e *EventEncoder) FirstChunk() []byte {
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

// Delta returns a chunk with a piece of content or reasoning; nil: the piece will be part of the
// next chunk. If the answer has reasoning, every chunk has both fields and the unused one is null.
func (e *EventEncoder) Delta(text string, reasoning bool) []byte {
	if e.text != nil {
		return e.text.delta(e, text, reasoning)
	}
	b := e.openChunk()
	if reasoning {
		b = append(jsontext.AppendStringField(append(b, `"content":null,`...), "reasoning_content", text), '}')
	} else {
		b = jsontext.AppendStringField(b, "content", text)
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

// StreamsToolCalls reports whether the format streams tool calls in pieces. Otherwise the last
// event contains them.
func (e *EventEncoder) StreamsToolCalls() bool { return e.text == nil }

// ToolCall returns the first chunk of the i-th tool call. It contains the name, but no arguments.
func (e *EventEncoder) ToolCall(i int) []byte {
	b := append(e.openChunk(), `"tool_calls":[{`...)
	b = append(jsontext.AppendIntField(b, "index", i), ',')
	b = e.call.appendToolCall(b, i, e.answer.ToolCalls[i], "")
	b = append(b, `]},"finish_reason":null}]`...)
	return e.endEvent(e.closeChunk(b))
}

// Arguments returns a chunk with a piece of the arguments of the i-th tool call.
func (e *EventEncoder) Arguments(i int, text string) []byte {
	b := append(e.openChunk(), `"tool_calls":[{`...)
	b = jsontext.AppendIntField(b, "index", i)
	b = jsontext.AppendStringField(append(b, `,"function":{`...), "arguments", text)
	b = append(b, `}}]},"finish_reason":null}]`...)
	return e.endEvent(e.closeChunk(b))
}

// Finish returns the last chunk of a choice, with the finish_reason. DeepSeek's also contains the
// usage.
func (e *EventEncoder) Finish() []byte {
	if e.text != nil {
		return e.text.lastEvent(e)
	}
	b := e.openChunk()
	if e.call.Route.Dialect != DeepSeek {
		b = jsontext.AppendStringField(append(b, `},`...), "finish_reason", e.answer.FinishReason)
		return e.endEvent(e.closeChunk(append(b, '}', ']')))
	}
	b = append(b, `"content":""`...)
	if e.answer.Reasoning != "" {
		b = append(b, `,"reasoning_content":null`...)
	}
	b = jsontext.AppendStringField(append(b, `},"logprobs":null,`...), "finish_reason", e.answer.FinishReason)
	b = append(b, `}],"usage":`...)
	return e.endEvent(append(e.call.appendUsage(b, e.answer.Usage), '}'))
}

// UsageChunk returns the chunk that contains only the usage; nil: the request does not require it.
func (e *EventEncoder) UsageChunk() []byte {
	if e.text != nil || e.call.Route.Dialect == DeepSeek || !e.body.StreamOptions.IncludeUsage {
		return nil
	}
	b := append(e.buffer[:0], e.head...)
	b = append(b, `],"usage":`...)
	return e.endEvent(append(e.call.appendUsage(b, usageOf(e.answers)), '}'))
}

// EndMarker returns the event that marks the end of the stream; nil: the format has none.
func (e *EventEncoder) EndMarker() []byte {
	if e.text != nil {
		return nil
	}
	return e.endEvent(append(e.buffer[:0], "data: [DONE]"...))
}

// ErrorEvent returns an event with a server error, for a fault in the middle of a stream.
func (e *EventEncoder) ErrorEvent() []byte {
	if e.text != nil {
		return e.text.errorEvent(e)
	}
	b := append(e.buffer[:0], "data: "...)
	return e.endEvent(e.call.AppendError(b, e.call.ErrorResponse(ServerError)))
}

// bytesPerToken is used to estimate the number of tokens that a stream has sent so far. It is the
// average for English text.
const bytesPerToken = 4

// closeChunk closes a chunk, with the usage if the request requires it in each chunk.
func (e *EventEncoder) closeChunk(b []byte) []byte {
	switch {
	case e.body.StreamOptions.ChunkIncludeUsage && e.call.Route.Dialect == Ark:
		u := *e.answer.Usage
		u.CompletionTokens = min(u.CompletionTokens, (e.textBytes+bytesPerToken-1)/bytesPerToken)
		u.ReasoningTokens = min(u.ReasoningTokens, u.CompletionTokens)
		b = e.call.appendUsage(append(b, `,"usage":`...), &u)
	case e.body.StreamOptions.IncludeUsage:
		b = append(b, `,"usage":null`...)
	}
	return append(b, '}')
}

// endEvent terminates an event and stores its buffer for the next one.
func (e *EventEncoder) endEvent(b []byte) []byte {
	e.buffer = append(b, '\n', '\n')
	return e.buffer
}

// Buffer returns the buffer of the encoder, for reuse after the stream.
func (e *EventEncoder) Buffer() []byte { return e.buffer }
