package mocks

// role is the first chunk.
func (s *streamer) role() bool {
	b := append(s.buf[:0], s.head...)
	b = append(b, `{"index":0,"delta":{"role":"assistant","content":`...)
	switch {
	case s.a.Reasoning != "":
		b = append(b, `null,"reasoning_content":""`...)
	case len(s.a.ToolCalls) > 0 && s.a.Content == "":
		b = append(b, `null`...)
	default:
		b = append(b, `""`...)
	}
	b = append(b, `},"logprobs":null,"finish_reason":null}]`...)
	return s.send(s.mark(b))
}

// delta is a chunk of text. Where there are thoughts, the other of content
// and reasoning_content is null.
func (s *streamer) delta(text string, reasoning bool) bool {
	b := append(s.buf[:0], s.head...)
	b = append(b, `{"index":0,"delta":{`...)
	if reasoning {
		b = appendField(append(b, `"content":null,`...), "reasoning_content", text)
	} else {
		b = appendField(b, "content", text)
		if s.a.Reasoning != "" {
			b = append(b, `,"reasoning_content":null`...)
		}
	}
	b = append(b, `},"finish_reason":null}]`...)
	s.told += len(text)
	return s.send(s.mark(b))
}

// toolCalls streams each call: its name first, then its arguments in two.
func (s *streamer) toolCalls() bool {
	if s.cut >= 0 {
		return true
	}
	for i, t := range s.a.ToolCalls {
		b := append(s.buf[:0], s.head...)
		b = append(b, `{"index":0,"delta":{"tool_calls":[{`...)
		b = append(appendNumber(b, "index", i), ',')
		b = s.c.appendToolCall(b, i, t, "")
		b = append(b, `]},"finish_reason":null}]`...)
		if !s.send(s.mark(b)) {
			return false
		}
		half := len(t.Arguments) / 2
		for half > 0 && half < len(t.Arguments) && t.Arguments[half]&0xc0 == 0x80 {
			half--
		}
		if !s.arguments(i, t.Arguments[:half]) || !s.arguments(i, t.Arguments[half:]) {
			return false
		}
	}
	return true
}

func (s *streamer) arguments(i int, text string) bool {
	if text == "" {
		return true
	}
	if !s.pause() {
		return false
	}
	b := append(s.buf[:0], s.head...)
	b = append(b, `{"index":0,"delta":{"tool_calls":[{`...)
	b = appendNumber(b, "index", i)
	b = appendField(append(b, `,"function":{`...), "arguments", text)
	b = append(b, `}}]},"finish_reason":null}]`...)
	return s.send(s.mark(b))
}

// finish is the chunk with the finish_reason; DeepSeek puts the usage there.
func (s *streamer) finish() bool {
	b := append(s.buf[:0], s.head...)
	if s.c.place.dialect != DeepSeek {
		b = appendField(append(b, `{"index":0,"delta":{},`...), "finish_reason", s.a.FinishReason)
		return s.send(s.mark(append(b, '}', ']')))
	}
	b = append(b, `{"index":0,"delta":{"content":""`...)
	if s.a.Reasoning != "" {
		b = append(b, `,"reasoning_content":null`...)
	}
	b = appendField(append(b, `},"logprobs":null,`...), "finish_reason", s.a.FinishReason)
	b = append(b, `}],"usage":`...)
	return s.send(append(s.c.appendUsage(b, s.a.Usage), '}'))
}

// mark closes a chunk, with the usage it must carry.
func (s *streamer) mark(b []byte) []byte {
	switch {
	case s.opts.ChunkIncludeUsage && s.c.place.dialect == Ark:
		u := *s.a.Usage
		u.Completion = min(u.Completion, (s.told+quarter-1)/quarter)
		u.Reasoning = min(u.Reasoning, u.Completion)
		b = s.c.appendUsage(append(b, `,"usage":`...), &u)
	case s.opts.IncludeUsage:
		b = append(b, `,"usage":null`...)
	}
	return append(b, '}')
}

// extraUsage is the chunk without choices, where it was asked for.
func (s *streamer) extraUsage() bool {
	if s.c.place.dialect == DeepSeek || !s.opts.IncludeUsage {
		return true
	}
	b := append(s.buf[:0], s.head...)
	b = append(b, `],"usage":`...)
	return s.send(append(s.c.appendUsage(b, s.a.Usage), '}'))
}

// send ends the event. It goes out as soon as time passes: events of the same
// instant may share a packet, as they do on a network.
func (s *streamer) send(b []byte) bool {
	b = append(b, '\n', '\n')
	s.buf = b
	return s.c.write(b)
}
