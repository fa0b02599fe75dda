package llm

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/outbound"
)

// events is the body of a stream, made plain for go-openai: any legal
// server-sent events come out as one data line each, comments are dropped,
// and an error frame of any form ends the body with an *Error. go-openai's
// own reader loses errors behind a comment, events behind a byte order mark
// and every event that spans lines.
//
// See https://html.spec.whatwg.org/multipage/server-sent-events.html
type events struct {
	provider Provider
	body     io.ReadCloser
	in       *bufio.Reader

	line   []byte // the current one
	skipLF bool   // the last line ended in CR, of which an LF may be part
	first  bool   // no line was read yet
	name   []byte // of the event being read
	data   []byte // of the event being read
	out    []byte // ready events, read by go-openai
	done   bool   // [DONE] has come
	err    error  // what the body ended with
}

var _ io.ReadCloser = (*events)(nil)

func newEvents(p Provider, body io.ReadCloser) *events {
	return &events{provider: p, body: body, in: bufio.NewReader(body), first: true}
}

// Read gives out whole events.
func (s *events) Read(p []byte) (int, error) {
	for len(s.out) == 0 {
		if s.err != nil {
			return 0, s.err
		}
		s.out = s.out[:0]
		s.step()
	}
	n := copy(p, s.out)
	s.out = s.out[n:]
	return n, nil
}

// Close closes the response's body.
func (s *events) Close() error { return s.body.Close() }

// How much is read, and how long is waited, for the end behind [DONE].
const (
	drainBytes    = 4 << 10
	drainPatience = 100 * time.Millisecond
)

// drain reads what stands behind [DONE], as a rule nothing but the end: only
// then can net/http use the connection again, which go-openai, stopping at
// [DONE], denies it.
func (s *events) drain(ctx context.Context) {
	if !s.done || s.err != nil || clock.IsSimulated(ctx) { // which has no connections
		return
	}
	stop := clock.AfterFunc(ctx, drainPatience, func() { _ = s.body.Close() }) // closed once more later
	defer stop()
	_, _ = io.CopyN(io.Discard, s.in, drainBytes) // what comes here is of no use
}

// step takes in one line.
func (s *events) step() {
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

// finish ends the body. A line without an end is no event, but for [DONE].
func (s *events) finish(rest []byte, err error) {
	if _, value, _ := bytes.Cut(rest, []byte(":")); string(bytes.TrimSpace(value)) == "[DONE]" {
		s.field(rest)
	}
	s.dispatch()
	if s.err == nil {
		s.err = err
	}
}

func (s *events) field(line []byte) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "event":
		s.name = append(s.name[:0], value...)
	case "data":
		// Some servers forget the blank line between events.
		if len(s.data) > 0 && (string(s.data) == "[DONE]" || json.Valid(s.data)) {
			s.dispatch()
		}
		if len(s.data) > 0 {
			s.data = append(s.data, ' ') // the standard's LF, which JSON takes for the same
		}
		s.data = append(s.data, value...)
		if len(s.data) > maxEvent {
			s.err = &Error{Kind: KindMalformed, Message: fmt.Sprintf("an event is longer than %d bytes", maxEvent)}
		}
	}
}

// dispatch hands the event on, or ends the body with the error it holds.
func (s *events) dispatch() {
	if len(s.data) > 0 && s.err == nil {
		s.hand()
	}
	s.name, s.data = s.name[:0], s.data[:0]
}

func (s *events) hand() {
	if err := outbound.CheckShape(s.data); err != nil {
		s.err = &Error{Kind: KindMalformed, Status: 200, Err: err}
		return
	}
	if e := errorInside(s.provider, string(s.name), s.data); e != nil {
		s.err = e
		return
	}
	s.done = s.done || string(s.data) == "[DONE]"
	s.out = append(s.out, "data: "...)
	s.out = append(s.out, withoutBadUsage(s.data)...)
	s.out = append(s.out, "\n\n"...)
}

// plainBody explains a body that is JSON where a stream was asked for.
func (s *events) plainBody(err error) error {
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
	return &Error{Kind: KindMalformed, Message: "the answer is JSON in place of a stream"}
}

// readLine reads up to LF, CR or CRLF.
func (s *events) readLine() error {
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
			return &Error{Kind: KindMalformed, Message: fmt.Sprintf("a line is longer than %d bytes", maxEvent)}
		}
	}
}

// discard drops n bytes that are buffered, which cannot fail.
func (s *events) discard(n int) { _, _ = s.in.Discard(n) }
