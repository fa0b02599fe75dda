package mocks

import (
	"net/http"
	"time"
)

const eventStream = "text/event-stream"

// streamer writes an answer as server-sent events.
type streamer struct {
	c    *call
	a    *Answer
	opts streamOptions
	head []byte // of every chunk, up to the choices
	buf  []byte
	each time.Duration
	sent int // chunks with text
	cut  int // stop before this one; -1: never
	told int // tokens so far, for usage on every chunk
}

// stream answers chunk by chunk.
func (c *call) stream(b *chatBody, a *Answer) {
	c.record(http.StatusOK)
	c.w.Header().Set("Cache-Control", "no-cache")
	first, each := c.wait()
	begun, ok := c.queue(first+a.Delay, eventStream, ": keep-alive\n\n")
	if !ok {
		return
	}
	if !begun {
		c.begin(http.StatusOK, eventStream)
	}
	buf := borrow()
	defer scratch.Put(buf)
	s := &streamer{c: c, a: a, opts: b.StreamOptions, each: each, cut: -1, buf: *buf}
	s.head = c.openJSON(append(make([]byte, 0, 256), "data: "...), "chat.completion.chunk", b.Model)
	switch c.fault.Kind {
	case TruncatedStream, StalledStream, ErrorInStream:
		s.cut = (c.chunks(a.Reasoning) + c.chunks(a.Content)) / 2
	}
	s.play()
	*buf = s.buf
}

func (s *streamer) play() {
	if !s.role() || !s.text(s.a.Reasoning, true) || !s.text(s.a.Content, false) || !s.toolCalls() {
		return
	}
	if s.cut >= 0 { // an answer too short to be cut inside
		s.breakOff()
		return
	}
	if s.finish() && s.extraUsage() {
		s.c.write([]byte("data: [DONE]\n\n"))
	}
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
		if !s.delta(text[:n], reasoning) {
			return false
		}
		s.sent++
		text = text[n:]
	}
	return true
}

// breakOff ends a stream as the fault has it.
func (s *streamer) breakOff() {
	switch s.c.fault.Kind {
	case StalledStream:
		s.c.flush()
		s.c.hang()
	case ErrorInStream:
		b := append(s.buf[:0], "data: "...)
		b = s.c.appendError(b, s.c.refusal(broken))
		s.c.write(append(b, '\n', '\n'))
	}
}

// pause sends what there is and waits between chunks, if at all.
func (s *streamer) pause() bool {
	if s.each <= 0 {
		return true
	}
	s.c.flush()
	return s.c.sleep(s.each)
}

// chunkDice decides the sizes of the chunks of a text.
func (c *call) chunkDice(text string) dice {
	return dice{state: mix(c.seed, uint64(len(text)))}
}

// nextChunk is the length in bytes of the next chunk, 2 to 5 runes.
func nextChunk(s string, d *dice) int {
	runes := 2 + int(d.next()%4)
	for i := range s {
		if runes == 0 {
			return i
		}
		runes--
	}
	return len(s)
}

// chunks counts the chunks of a text.
func (c *call) chunks(text string) (n int) {
	d := c.chunkDice(text)
	for ; text != ""; n++ {
		text = text[nextChunk(text, &d):]
	}
	return n
}
