package proxy

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"evalctl/mocks/jsontext"
)

// maxContentEvents is the number of events with content that are forwarded before a fault ends a
// stream.
const maxContentEvents = 4

// maxChanged is the maximum size, in bytes, of an answer that can be changed. It is limited because
// the answer is held in memory.
const maxChanged = 16 << 20

// readEvent reads one server-sent event, with the blank line that ends it.
func readEvent(r *bufio.Reader) (list []byte, err error) {
	for {
		line, err := r.ReadSlice('\n')
		list = append(list, line...)
		if len(list) > maxChanged {
			return nil, errors.New("an event of the stream is too long")
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil || len(bytes.TrimSpace(line)) == 0 {
			return list, err
		}
	}
}

// chunkOf returns the JSON object of an event; nil: the event has none.
func chunkOf(event []byte) jsontext.Object {
	data, ok := bytes.CutPrefix(bytes.TrimSpace(event), []byte("data:"))
	if !ok {
		return nil
	}
	v, _ := jsontext.Parse(bytes.TrimSpace(data)) // the end marker [DONE] is not JSON
	o, _ := v.(jsontext.Object)
	return o
}

// breakingStream forwards a stream event by event, until a fault ends it before its end.
type breakingStream struct {
	events        *bufio.Reader
	after         io.Reader // what the client reads instead of the rest
	pending       []byte
	contentEvents int
	ended         bool
}

func (s *breakingStream) Read(p []byte) (int, error) {
	for len(s.pending) == 0 && !s.ended {
		e, err := readEvent(s.events)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		hasContent, isLast := contentOf(e)
		if s.ended = err != nil || isLast || s.contentEvents == maxContentEvents; !s.ended {
			s.pending = e
		}
		if hasContent {
			s.contentEvents++
		}
	}
	if len(s.pending) == 0 {
		return s.after.Read(p)
	}
	n := copy(p, s.pending)
	s.pending = s.pending[n:]
	return n, nil
}

// contentOf reports whether an event contains text or tool calls, and whether it is the last event
// of the answer.
func contentOf(e []byte) (hasContent, isLast bool) {
	if bytes.Contains(e, []byte("[DONE]")) {
		return false, true
	}
	for _, one := range choicesOf(chunkOf(e)) {
		choice, _ := one.(jsontext.Object)
		if reason, _ := choice.Find("finish_reason").(string); reason != "" && reason != "null" {
			isLast = true
		}
		delta, _ := choice.Find("delta").(jsontext.Object)
		content, _ := delta.Find("content").(string)
		reasoning, _ := delta.Find("reasoning_content").(string)
		hasContent = hasContent || content != "" || reasoning != "" || delta.Index("tool_calls") >= 0 ||
			choice.Index("message") >= 0
	}
	return hasContent, isLast
}

// lazyReader is a reader whose data is generated at the first read.
type lazyReader struct {
	make func() ([]byte, error)
	r    io.Reader
}

func (l *lazyReader) Read(p []byte) (int, error) {
	if l.r == nil {
		b, err := l.make()
		if err != nil {
			return 0, err
		}
		l.r = bytes.NewReader(b)
	}
	return l.r.Read(p)
}
