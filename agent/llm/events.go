package llm

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"evalctl/agent/outbound"
)

// eventReader reads a stream of server-sent events. Each event becomes a frame and comments are
// skipped. An event with an error, in any provider's format, ends the stream with an *Error.
//
// This package has its own reader because common client libraries lose some data: errors after a
// comment, events after a byte order mark, and events of several lines. See
// https://html.spec.whatwg.org/multipage/server-sent-events.html
type eventReader struct {
	provider Provider
	body     io.ReadCloser
	in       *bufio.Reader

	line     []byte  // the current line, without its line break
	skipLF   bool    // the last line ended in CR; an LF that follows is part of the same line break
	first    bool    // true until the first line with text is read
	name     []byte  // name of the current event
	data     []byte  // data of the current event
	ready    []frame // decoded frames that next returns
	returned int     // number of ready frames that next has returned
	done     bool    // the final event [DONE] was received
	err      error   // why the body ended; io.EOF at its regular end
}

func newEventReader(p Provider, body io.ReadCloser) *eventReader {
	return &eventReader{
		provider: p,
		body:     body,
		in:       bufio.NewReader(body),
		first:    true,
	}
}

// next returns the next frame of the stream, and io.EOF after the final event [DONE].
func (s *eventReader) next() (frame, error) {
	for s.returned == len(s.ready) {
		switch {
		case s.done:
			return frame{}, io.EOF
		case s.err != nil:
			return frame{}, s.err
		}
		s.ready, s.returned = s.ready[:0], 0
		s.step()
	}
	s.returned++
	return s.ready[s.returned-1], nil
}

// drain reads the rest of a complete stream, so that the connection can be reused.
func (s *eventReader) drain(ctx context.Context) {
	if s.done && s.err == nil {
		outbound.Drain(ctx, s.body, s.in)
	}
}

// step reads one line and processes it. A stream that begins with { is a plain JSON body.
func (s *eventReader) step() {
	err := s.readLine()
	line := s.line
	if s.first {
		s.first = len(line) == 0 && err == nil
		line = bytes.TrimPrefix(line, []byte("\uFEFF"))
		if bytes.HasPrefix(line, []byte("{")) {
			s.err = s.plainBody(err)
			return
		}
	}
	switch {
	case err != nil:
		s.finish(line, err)
	case len(line) == 0:
		s.dispatch()
	default:
		s.field(line)
	}
}

// finish ends the stream with err. It ignores an incomplete last line unless the line is [DONE].
func (s *eventReader) finish(rest []byte, err error) {
	if _, value, _ := bytes.Cut(rest, []byte(":")); string(bytes.TrimSpace(value)) == "[DONE]" {
		s.field(rest)
	}
	s.dispatch()
	if s.err == nil {
		s.err = err
	}
}

func (s *eventReader) field(line []byte) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "event":
		s.name = append(s.name[:0], value...)
	case "data":
		// Some servers omit the blank line between events. Complete data therefore ends the event.
		if len(s.data) > 0 && (string(s.data) == "[DONE]" || json.Valid(s.data)) {
			s.dispatch()
		}
		if len(s.data) > 0 {
			s.data = append(s.data, ' ') // The standard requires LF; a space is equivalent in JSON.
		}
		s.data = append(s.data, value...)
		if len(s.data) > maxEvent {
			s.err = &Error{Kind: KindMalformedResponse,
				Message: fmt.Sprintf("an event is longer than %d bytes", maxEvent)}
		}
	}
}

// dispatch decodes the current event and begins a new one.
func (s *eventReader) dispatch() {
	if len(s.data) > 0 && s.err == nil {
		s.decodeEvent()
	}
	s.name, s.data = s.name[:0], s.data[:0]
}

func (s *eventReader) decodeEvent() {
	if s.done {
		return
	}
	if s.done = string(bytes.TrimSpace(s.data)) == "[DONE]"; s.done {
		return
	}
	if err := outbound.CheckJSONComplexity(s.data); err != nil {
		s.err = &Error{Kind: KindMalformedResponse, Status: 200, Err: err}
		return
	}
	if e := errorInside(s.provider, string(s.name), s.data); e != nil {
		s.err = e
		return
	}
	f, err := decodeFrame(s.data)
	if err != nil {
		s.err = &Error{Kind: KindMalformedResponse, Status: 200, Err: err}
		return
	}
	s.ready = append(s.ready, f)
}

// plainBody returns the error for a response that is one JSON body and not a stream.
func (s *eventReader) plainBody(err error) error {
	body := append([]byte(nil), s.line...)
	if err == nil {
		var rest []byte
		rest, err = io.ReadAll(io.LimitReader(s.in, maxError))
		body = append(append(body, '\n'), rest...)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if e := errorInside(s.provider, "", bytes.TrimPrefix(body, []byte("\uFEFF"))); e != nil {
		return e
	}
	return &Error{Kind: KindMalformedResponse, Message: "the answer is JSON in place of a stream"}
}

// readLine reads one line into s.line. Lines end in LF, CR or CRLF.
func (s *eventReader) readLine() error {
	s.line = s.line[:0]
	for {
		if _, err := s.in.Peek(1); err != nil {
			return err
		}
		b, _ := s.in.Peek(s.in.Buffered())
		if s.skipLF && b[0] == '\n' {
			s.skipLF = false
			s.discard(1)
			continue
		}
		s.skipLF = false
		i := bytes.IndexAny(b, "\r\n")
		if i >= 0 {
			s.line = append(s.line, b[:i]...)
			s.skipLF = b[i] == '\r'
			s.discard(i + 1)
			return nil
		}
		s.line = append(s.line, b...)
		s.discard(len(b))
		if len(s.line) > maxEvent {
			return &Error{Kind: KindMalformedResponse, Message: fmt.Sprintf("a line is longer than %d bytes", maxEvent)}
		}
	}
}

// discard drops n buffered bytes, which cannot fail.
func (s *eventReader) discard(n int) { _, _ = s.in.Discard(n) }
