package proxy

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"evalctl/mocks/jsontext"
)

// breaksAfter is the maximum number of events with content before a stream breaks.
const breaksAfter = 4

// maxChanged is the maximum size in bytes of an answer that is changed, because it is stored in
// memory.
const maxChanged = 16 << 20

// event reads one event with the blank line after it.
func event(r *bufio.Reader) (list []byte, err error) {
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

// chunkOf returns the JSON of an event; nil: none.
func chunkOf(event []byte) jsontext.Object {
	data, ok := bytes.CutPrefix(bytes.TrimSpace(event), []byte("data:"))
	if !ok {
		return nil
	}
	v, _ := jsontext.Parse(bytes.TrimSpace(data)) // [DONE] is not JSON
	o, _ := v.(jsontext.Object)
	return o
}

// broken forwards a stream event by event until it breaks.
type broken struct {
	events *bufio.Reader
	after  io.Reader // read after the break
	left   []byte
	told   int
	over   bool
}

func (s *broken) Read(p []byte) (int, error) {
	for len(s.left) == 0 && !s.over {
		e, err := event(s.events)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		tells, ends := contentOf(e)
		if s.over = err != nil || ends || s.told == breaksAfter; !s.over {
			s.left = e
		}
		if tells {
			s.told++
		}
	}
	if len(s.left) == 0 {
		return s.after.Read(p)
	}
	n := copy(p, s.left)
	s.left = s.left[n:]
	return n, nil
}

// contentOf reports whether an event has content and whether it is the last.
func contentOf(e []byte) (tells, ends bool) {
	if bytes.Contains(e, []byte("[DONE]")) {
		return false, true
	}
	for _, one := range choicesOf(chunkOf(e)) {
		choice, _ := one.(jsontext.Object)
		if reason, _ := choice.Find("finish_reason").(string); reason != "" && reason != "null" {
			ends = true
		}
		delta, _ := choice.Find("delta").(jsontext.Object)
		said, _ := delta.Find("content").(string)
		thought, _ := delta.Find("reasoning_content").(string)
		tells = tells || said != "" || thought != "" || delta.Index("tool_calls") >= 0 || choice.Index("message") >= 0
	}
	return tells, ends
}

// later generates its data at the first read.
type later struct {
	make func() ([]byte, error)
	r    io.Reader
}

func (l *later) Read(p []byte) (int, error) {
	if l.r == nil {
		b, err := l.make()
		if err != nil {
			return 0, err
		}
		l.r = bytes.NewReader(b)
	}
	return l.r.Read(p)
}
