package wire

import (
	"evalctl/mocks/jsontext"
	"evalctl/mocks/model"
)

// Events encodes the answers to a request as server-sent events, one of them at
// a time; the next one overwrites the last.
type Events struct {
	call    *Call
	body    *ChatBody
	answers []model.Answer
	choice  int           // of the answers
	answer  *model.Answer // that one
	head    []byte        // of every chunk, up to the choices
	buf     []byte
	told    int         // bytes of text so far, for usage on every chunk
	content int         // bytes of the choice's content so far
	text    *textEvents // of DashScope's own text generation, which has one choice; nil: it is none
}

// NewEvents encodes the answers to a request, in buf where it fits.
func NewEvents(c *Call, b *ChatBody, answers []model.Answer, buf []byte) *Events {
	e := &Events{call: c, body: b, answers: answers, buf: buf}
	e.SetChoice(0)
	if b.native != nil {
		e.text = &textEvents{}
		return e
	}
	e.head = c.openJSON(append(make([]byte, 0, 256), "data: "...), "chat.completion.chunk")
	return e
}

// SetChoice makes the next events those of a choice.
func (e *Events) SetChoice(i int) { e.choice, e.answer, e.content = i, &e.answers[i], 0 }

// open begins a chunk with a delta.
func (e *Events) open() []byte {
	b := append(e.buf[:0], e.head...)
	b = jsontext.AppendNumber(append(b, '{'), "index", e.choice)
	return append(b, `,"delta":{`...)
}

// Role is the first chunk; nil: there is none.
func (e *Events) Role() []byte {
	if e.text != nil {
		return nil
	}
	b := append(e.open(), `"role":"assistant","content":`...)
	switch {
	case e.answer.Reasoning != "":
		b = append(b, `null,"reasoning_content":""`...)
	case len(e.answer.ToolCalls) > 0 && e.answer.Content == "":
		b = append(b, `null`...)
	default:
		b = append(b, `""`...)
	}
	b = append(b, `},"logprobs":null,"finish_reason":null}]`...)
	return e.end(e.mark(b))
}

// Delta is a chunk of text; nil: it comes with the next one. Where there are
// thoughts, the other of content and reasoning_content is null.
func (e *Events) Delta(text string, reasoning bool) []byte {
	if e.text != nil {
		return e.text.delta(e, text, reasoning)
	}
	b := e.open()
	if reasoning {
		b = append(jsontext.AppendField(append(b, `"content":null,`...), "reasoning_content", text), '}')
	} else {
		b = jsontext.AppendField(b, "content", text)
		if e.answer.Reasoning != "" {
			b = append(b, `,"reasoning_content":null`...)
		}
		b = append(b, '}')
		if e.body.Logprobs {
			b = e.call.appendLogprobs(append(b, `,"logprobs":`...), e.body, text, e.content)
		}
		e.content += len(text)
	}
	b = append(b, `,"finish_reason":null}]`...)
	e.told += len(text)
	return e.end(e.mark(b))
}

// Fragments tells whether calls of tools come in fragments, not all at the end.
func (e *Events) Fragments() bool { return e.text == nil }

// ToolCall opens the i-th call of a tool: its name, without arguments.
func (e *Events) ToolCall(i int) []byte {
	b := append(e.open(), `"tool_calls":[{`...)
	b = append(jsontext.AppendNumber(b, "index", i), ',')
	b = e.call.appendToolCall(b, i, e.answer.ToolCalls[i], "")
	b = append(b, `]},"finish_reason":null}]`...)
	return e.end(e.mark(b))
}

// Arguments is a part of the arguments of the i-th call of a tool.
func (e *Events) Arguments(i int, text string) []byte {
	b := append(e.open(), `"tool_calls":[{`...)
	b = jsontext.AppendNumber(b, "index", i)
	b = jsontext.AppendField(append(b, `,"function":{`...), "arguments", text)
	b = append(b, `}}]},"finish_reason":null}]`...)
	return e.end(e.mark(b))
}

// Finish is the chunk with the finish_reason; DeepSeek puts the usage there.
func (e *Events) Finish() []byte {
	if e.text != nil {
		return e.text.finish(e)
	}
	b := e.open()
	if e.call.Place.Dialect != DeepSeek {
		b = jsontext.AppendField(append(b, `},`...), "finish_reason", e.answer.FinishReason)
		return e.end(e.mark(append(b, '}', ']')))
	}
	b = append(b, `"content":""`...)
	if e.answer.Reasoning != "" {
		b = append(b, `,"reasoning_content":null`...)
	}
	b = jsontext.AppendField(append(b, `},"logprobs":null,`...), "finish_reason", e.answer.FinishReason)
	b = append(b, `}],"usage":`...)
	return e.end(append(e.call.appendUsage(b, e.answer.Usage), '}'))
}

// ExtraUsage is the chunk without choices; nil where it was not asked for.
func (e *Events) ExtraUsage() []byte {
	if e.text != nil || e.call.Place.Dialect == DeepSeek || !e.body.StreamOptions.IncludeUsage {
		return nil
	}
	b := append(e.buf[:0], e.head...)
	b = append(b, `],"usage":`...)
	return e.end(append(e.call.appendUsage(b, usageOf(e.answers)), '}'))
}

// Done is the mark at the end; nil: there is none.
func (e *Events) Done() []byte {
	if e.text != nil {
		return nil
	}
	return e.end(append(e.buf[:0], "data: [DONE]"...))
}

// Error is an error in the midst of the answer.
func (e *Events) Error() []byte {
	if e.text != nil {
		return e.text.broken(e)
	}
	b := append(e.buf[:0], "data: "...)
	return e.end(e.call.AppendError(b, e.call.Refusal(Broken)))
}

// bytesPerToken is of English; it serves for usage on the way.
const bytesPerToken = 4

// mark closes a chunk, with the usage it must carry.
func (e *Events) mark(b []byte) []byte {
	switch {
	case e.body.StreamOptions.ChunkIncludeUsage && e.call.Place.Dialect == Ark:
		u := *e.answer.Usage
		u.Completion = min(u.Completion, (e.told+bytesPerToken-1)/bytesPerToken)
		u.Reasoning = min(u.Reasoning, u.Completion)
		b = e.call.appendUsage(append(b, `,"usage":`...), &u)
	case e.body.StreamOptions.IncludeUsage:
		b = append(b, `,"usage":null`...)
	}
	return append(b, '}')
}

// end ends the event and keeps its memory for the next one.
func (e *Events) end(b []byte) []byte {
	e.buf = append(b, '\n', '\n')
	return e.buf
}

// Memory is what the next one may encode in.
func (e *Events) Memory() []byte { return e.buf }
