package mocks

import (
	"net/http"
	"time"

	"evalctl/mocks/fault"
	"evalctl/mocks/model"
	"evalctl/mocks/wire"
)

const eventStream = "text/event-stream"

// streamer sends the answers to one chat request as server-sent events, with the simulated delays
// between chunks.
type streamer struct {
	c          *call
	answer     *model.Answer // the choice being sent
	events     *wire.EventEncoder
	chunkDelay time.Duration
	sent       int // number of text chunks sent so far
	cutAt      int // an injected fault ends the stream before the chunk with this index; -1: the stream is complete
}

// stream sends the answers as a stream of server-sent events.
func (c *call) stream(b *wire.ChatBody, answers []model.Answer) {
	c.record(http.StatusOK)
	c.w.Header().Set("Cache-Control", "no-cache")
	first, chunkDelay := c.sampleLatency()
	headersSent, ok := c.waitFirstToken(first+answers[0].Delay, eventStream, ": keep-alive\n\n")
	if !ok {
		return
	}
	if !headersSent {
		c.writeHeader(http.StatusOK, eventStream)
	}
	buf := getBuffer()
	defer putBuffer(buf)
	s := &streamer{
		c:          c,
		events:     wire.NewEventEncoder(&c.Call, b, answers, *buf),
		chunkDelay: chunkDelay,
		cutAt:      -1,
	}
	switch c.fault.Kind {
	case fault.TruncatedStream, fault.StalledStream, fault.ErrorInStream:
		s.cutAt = c.maxChunks(answers) / 2
	}
	for i := range answers {
		s.answer = &answers[i]
		s.events.SetChoice(i)
		if !s.streamChoice() {
			return
		}
	}
	if s.send(s.events.UsageChunk()) {
		s.send(s.events.EndMarker())
	}
	*buf = s.events.Buffer()
}

// streamChoice streams one choice. It returns false if the client has disconnected or a fault has
// ended the stream.
func (s *streamer) streamChoice() bool {
	if !s.send(s.events.FirstChunk()) || !s.text(s.answer.Reasoning, true) || !s.text(s.answer.Content, false) {
		return false
	}
	if s.cutAt >= 0 { // the answer was too short to be cut: the fault follows the text
		s.endByFault()
		return false
	}
	return s.toolCalls() && s.c.write(s.events.Finish())
}

// text streams a text in chunks. It returns false if the client has disconnected or a fault has
// ended the stream.
func (s *streamer) text(text string, reasoning bool) bool {
	d := s.c.chunkRand(text)
	for text != "" {
		if s.sent == s.cutAt {
			s.endByFault()
			return false
		}
		if s.sent > 0 && !s.pause() {
			return false
		}
		n := chunkLength(text, &d)
		if !s.send(s.events.Delta(text[:n], reasoning)) {
			return false
		}
		s.sent++
		text = text[n:]
	}
	return true
}

// toolCalls streams the tool calls of the current choice. Each consists of its name, followed by
// its arguments in two chunks.
func (s *streamer) toolCalls() bool {
	if !s.events.StreamsToolCalls() {
		return true
	}
	for i, t := range s.answer.ToolCalls {
		if !s.c.write(s.events.ToolCall(i)) {
			return false
		}
		first := model.FirstHalf(t.Arguments)
		if !s.arguments(i, first) || !s.arguments(i, t.Arguments[len(first):]) {
			return false
		}
	}
	return true
}

func (s *streamer) arguments(i int, text string) bool {
	return text == "" || s.pause() && s.c.write(s.events.Arguments(i, text))
}

// send writes one event and reports whether the client is still connected. A nil event is skipped.
func (s *streamer) send(event []byte) bool { return event == nil || s.c.write(event) }

// endByFault ends the stream in the way of the injected fault: stalled, with an error event, or
// just cut off.
func (s *streamer) endByFault() {
	switch s.c.fault.Kind {
	case fault.StalledStream:
		s.c.flush()
		s.c.hang()
	case fault.ErrorInStream:
		s.c.write(s.events.ErrorEvent())
	}
}

// pause flushes the buffered events and waits before the next chunk. Without a delay between chunks
// it does nothing, because events of the same instant may share a packet.
func (s *streamer) pause() bool {
	if s.chunkDelay <= 0 {
		return true
	}
	s.c.flush()
	return s.c.sleep(s.chunkDelay)
}
