package remote

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"evalctl/agent/foreign"
	"evalctl/agent/llm"
	"evalctl/agent/outbound"
	"evalctl/agent/trace"
)

// maxEvent limits the size of one event in a stream, in bytes.
const maxEvent = 8 << 20

// streamReader reads an agent's answer from a stream of server-sent events and emits each event as
// it arrives. It follows the standard. Package llm has another reader for models' streams. That one
// tolerates the deviations of providers and avoids copies.
//
// See https://html.spec.whatwg.org/multipage/server-sent-events.html
type streamReader struct {
	paths  foreign.AnswerPaths
	events *foreign.EventReader

	name, data []byte // name and data of the current event
	answer     foreign.Answer
	tokens     *trace.Tokens
	hasAnswer  bool // an event that contains the answer was received
	isEnded    bool // the agent sent an event that ends its stream
}

// all reads a stream until the agent ends it by an event or the body ends. It returns the agent's
// answer.
func (r *streamReader) all(ctx context.Context, body io.ReadCloser) (foreign.Answer, error) {
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, maxEvent)
	lines.Split(splitLines())
	for first := true; !r.isEnded && lines.Scan(); first = false {
		line := lines.Bytes()
		if first {
			line = bytes.TrimPrefix(line, []byte("\uFEFF"))
		}
		if err := r.line(ctx, line); err != nil {
			return r.answer, err
		}
	}
	switch err := lines.Err(); {
	case err == bufio.ErrTooLong:
		return r.answer, foreign.MalformedAnswerError("has an event of more than %d bytes", maxEvent)
	case err != nil && !r.hasAnswer:
		return r.answer, err
	}
	if r.isEnded {
		outbound.Drain(ctx, body, body)
	} else if err := r.dispatch(ctx); err != nil { // the last event may lack its blank line
		return r.answer, err
	}
	return r.close()
}

// close is called after the stream has ended. It validates and returns the answer.
func (r *streamReader) close() (foreign.Answer, error) {
	if !r.hasAnswer && !r.isEnded {
		return r.answer, foreign.NoAnswerError("the stream ended without an answer", nil)
	}
	if err := r.answer.Validate(); err != nil {
		return r.answer, err
	}
	if r.answer.Tokens == nil {
		r.answer.Tokens = r.tokens
	}
	return r.answer, nil
}

// line processes one line of the stream.
func (r *streamReader) line(ctx context.Context, line []byte) error {
	if len(line) == 0 {
		return r.dispatch(ctx)
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "event":
		r.name = append(r.name[:0], value...)
	case "data":
		if len(r.data) > 0 {
			r.data = append(r.data, '\n')
		}
		if r.data = append(r.data, value...); len(r.data) > maxEvent {
			return foreign.MalformedAnswerError("has an event of more than %d bytes", maxEvent)
		}
	}
	return nil
}

// dispatch processes the current event after its last line.
func (r *streamReader) dispatch(ctx context.Context) error {
	name, data := string(r.name), bytes.TrimSpace(r.data)
	r.name, r.data = r.name[:0], r.data[:0]
	switch {
	case len(data) == 0:
		return nil
	case string(data) == "[DONE]":
		r.isEnded = true
		return nil
	case strings.EqualFold(name, "error"):
		return &llm.Error{Kind: llm.KindServerError, Message: fmt.Sprintf("the agent reports: %.300s", data)}
	}
	d, err := foreign.ParseDocument(data)
	if err != nil {
		return err
	}
	if e, ok := d.Event(); ok {
		return r.events.Emit(ctx, e)
	}
	if r.ends(name) || r.hasBetterLabel(d) || d.HasValue(r.paths.Error) {
		return r.take(ctx, d, r.ends(name))
	}
	if tokens := d.Tokens(r.paths); tokens != nil {
		r.tokens = tokens
	}
	if text := d.Chunk(r.paths); text != "" {
		return r.events.Emit(ctx, foreign.Event{Kind: trace.KindChunk, Text: text})
	}
	return r.events.CountEmptyEvent()
}

// hasBetterLabel reports whether the event has a label, and the answer so far has none under a name
// with a higher precedence.
func (r *streamReader) hasBetterLabel(d foreign.Document) bool {
	rank, ok := d.LabelPriority(r.paths)
	return ok && (!r.answer.HasLabel || rank <= r.answer.LabelPriority)
}

// ends reports whether an event with this name ends the stream.
func (r *streamReader) ends(name string) bool {
	return strings.EqualFold(name, "answer") || strings.EqualFold(name, "done")
}

// take reads the agent's answer from an event. A later answer replaces an earlier one. last reports
// whether the event ends the stream.
func (r *streamReader) take(ctx context.Context, d foreign.Document, last bool) error {
	a, err := r.events.ReadAnswer(ctx, d, r.paths)
	if err != nil {
		return err
	}
	// the event that ends the stream may omit the label, or have its text under a name of labels
	noLabel := !a.HasLabel && !a.DuplicateLabel || a.HasLabel && a.LabelPriority > r.answer.LabelPriority
	if noLabel && r.answer.HasLabel {
		a.Label, a.LabelPriority = r.answer.Label, r.answer.LabelPriority
		a.HasLabel = true
		a.Confidence = r.answer.Confidence
		a.Raw = r.answer.Raw
		a.MissingLabel, a.MissingPathError = false, ""
	}
	r.answer = a
	r.hasAnswer = true
	r.isEnded = last
	return nil
}

// splitLines returns a bufio.SplitFunc that splits at LF, CRLF and CR. A line that ends with CR is
// returned at once, and an LF after it is skipped. An incomplete last line is dropped, unless it is
// [DONE].
func splitLines() bufio.SplitFunc {
	ended := false // the previous line ended with CR
	return func(data []byte, atEOF bool) (advance int, token []byte, err error) {
		from := 0
		if ended && len(data) > 0 && data[0] == '\n' {
			from = 1
		}
		i := bytes.IndexAny(data[from:], "\r\n")
		switch {
		case i >= 0:
			ended = data[from+i] == '\r'
			return from + i + 1, data[from : from+i], nil
		case atEOF && bytes.HasSuffix(bytes.TrimSpace(data), []byte("[DONE]")):
			return len(data), data[from:], nil
		case atEOF:
			return len(data), nil, nil
		}
		return 0, nil, nil
	}
}
