package mocks

import (
	"net/http"
	"time"

	"evalctl/mocks/fault"
	"evalctl/mocks/model"
	"evalctl/mocks/wire"
)

const eventStream = "text/event-stream"

// streamer sends answers as server-sent events, at their pace.
type streamer struct {
	c      *call
	a      *model.Answer // the choice that is sent
	events *wire.Events
	each   time.Duration
	sent   int // chunks with text
	cut    int // stop before this one; -1: never
}

// stream answers chunk by chunk.
func (c *call) stream(b *wire.ChatBody, answers []model.Answer) {
	c.record(http.StatusOK)
	c.w.Header().Set("Cache-Control", "no-cache")
	first, each := c.wait()
	begun, ok := c.queue(first+answers[0].Delay, eventStream, ": keep-alive\n\n")
	if !ok {
		return
	}
	if !begun {
		c.begin(http.StatusOK, eventStream)
	}
	buf := borrow()
	defer giveBack(buf)
	s := &streamer{c: c, events: wire.NewEvents(&c.Call, b, answers, *buf), each: each, cut: -1}
	switch c.fault.Kind {
	case fault.TruncatedStream, fault.StalledStream, fault.ErrorInStream:
		s.cut = c.longest(answers) / 2
	}
	for i := range answers {
		s.a = &answers[i]
		s.events.SetChoice(i)
		if !s.play() {
			return
		}
	}
	if s.send(s.events.ExtraUsage()) {
		s.send(s.events.Done())
	}
	*buf = s.events.Memory()
}

// play streams a choice; it says false when the stream is over.
func (s *streamer) play() bool {
	if !s.send(s.events.Role()) || !s.text(s.a.Reasoning, true) || !s.text(s.a.Content, false) {
		return false
	}
	if s.cut >= 0 { // an answer too short to be cut inside
		s.breakOff()
		return false
	}
	return s.toolCalls() && s.c.write(s.events.Finish())
}

// text streams a text in chunks; it says false when the stream is over.
func (s *streamer) text(text string, reasoning bool) bool {
	d := s.c.chunkDice(text)
	for text != "" {
		if s.sent == s.cut {
			s.breakOff()
			return false
		}
		if s.sent > 0 && !s.pause() {
			return false
		}
		n := nextChunk(text, &d)
		if !s.send(s.events.Delta(text[:n], reasoning)) {
			return false
		}
		s.sent++
		text = text[n:]
	}
	return true
}

// toolCalls streams each call: its name first, then its arguments in two.
func (s *streamer) toolCalls() bool {
	if !s.events.Fragments() {
		return true
	}
	for i, t := range s.a.ToolCalls {
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

// send sends an event, if there is one.
func (s *streamer) send(event []byte) bool { return event == nil || s.c.write(event) }

// breakOff ends a stream as the fault has it.
func (s *streamer) breakOff() {
	switch s.c.fault.Kind {
	case fault.StalledStream:
		s.c.flush()
		s.c.hang()
	case fault.ErrorInStream:
		s.c.write(s.events.Error())
	}
}

// pause sends what there is and waits between chunks, if at all. Events of the
// same instant may share a packet, as they do on a network.
func (s *streamer) pause() bool {
	if s.each <= 0 {
		return true
	}
	s.c.flush()
	return s.c.sleep(s.each)
}
