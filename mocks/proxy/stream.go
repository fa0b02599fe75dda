package proxy

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"

	"evalctl/mocks/fault"
	"evalctl/mocks/jsontext"
	"evalctl/mocks/model"
	"evalctl/mocks/wire"
)

// breaksAfter is how many events with content come of a stream before it breaks, or
// as many as there are.
const breaksAfter = 4

// changeStream changes an answer that comes in pieces.
func (c *call) changeStream(resp *http.Response) error {
	resp.ContentLength = -1
	resp.Header.Del("Content-Length")
	body, events := resp.Body, bufio.NewReader(resp.Body)
	close := func(r io.Reader) {
		resp.Body = struct {
			io.Reader
			io.Closer
		}{r, body}
	}
	switch c.fault.Kind {
	case fault.TruncatedStream:
		close(&broken{events: events, after: bytes.NewReader(nil)})
	case fault.StalledStream:
		close(&broken{events: events, after: c.silence()})
	case fault.ErrorInStream:
		b := c.AppendError([]byte("data: "), c.Refusal(wire.Broken))
		close(&broken{events: events, after: bytes.NewReader(append(b, "\n\n"...))})
	case fault.MalformedJSON, fault.WrongSchema, fault.LowConfidence, fault.EmptyContent:
		if c.Place.Dialect == wire.Native {
			c.note("a stream of this dialect is not rewritten")
			return nil
		}
		close(&later{make: func() ([]byte, error) { return c.spoilStream(events) }})
	}
	return nil
}

// event reads one event with the blank line behind it.
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

// chunkOf is the JSON of an event, nil where it has none.
func chunkOf(event []byte) jsontext.Object {
	data, ok := bytes.CutPrefix(bytes.TrimSpace(event), []byte("data:"))
	if !ok {
		return nil
	}
	v, _ := jsontext.Parse(bytes.TrimSpace(data)) // [DONE] is none
	o, _ := v.(jsontext.Object)
	return o
}

// broken passes a stream on, event by event as they come, until it breaks.
type broken struct {
	events *bufio.Reader
	after  io.Reader // what comes then
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

// contentOf tells an event that says something, and one that is the last.
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

// later is read once all is there.
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

// spoilStream is a whole stream as the fault leaves it: what it says is known at its
// end, and stands in its first pieces then.
func (c *call) spoilStream(r *bufio.Reader) ([]byte, error) {
	var events [][]byte
	size, said := 0, speech{}
	for {
		e, err := event(r)
		events = append(events, e)
		if size += len(e); size > maxChanged {
			return nil, fmt.Errorf("the stream has more than %d bytes, which is too much to be changed", maxChanged)
		}
		said.hear(chunkOf(e))
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	for index, a := range said {
		left := c.fault.Kind.Spoil(a.Answer, true, c.seed+uint64(len(index)))
		said[index] = &spoken{Answer: left}
	}
	var out []byte
	for _, e := range events {
		chunk := chunkOf(e)
		if len(choicesOf(chunk)) == 0 {
			out = append(out, e...)
			continue
		}
		said.say(chunk)
		out = append(jsontext.AppendValue(append(out, "data: "...), chunk), "\n\n"...)
	}
	return out, nil
}

// speech is what each choice of a stream says, by its index.
type speech map[string]*spoken

type spoken struct {
	model.Answer
	begun bool         // the content has been said again
	calls map[int]bool // whose arguments have been
}

// hear takes in what a chunk says.
func (s speech) hear(chunk jsontext.Object) {
	for _, one := range choicesOf(chunk) {
		choice, _ := one.(jsontext.Object)
		delta, _ := choice.Find("delta").(jsontext.Object)
		index := fmt.Sprint(choice.Find("index"))
		if s[index] == nil {
			s[index] = &spoken{}
		}
		said := answerOf(delta)
		s[index].Content += said.Content
		for i, t := range said.ToolCalls {
			at := placeOf(delta, i)
			for at >= 0 && at < maxCalls && len(s[index].ToolCalls) <= at {
				s[index].ToolCalls = append(s[index].ToolCalls, model.ToolCall{})
			}
			if at >= 0 && at < maxCalls {
				s[index].ToolCalls[at].Arguments += t.Arguments
			}
		}
	}
}

const maxCalls = 128

// placeOf is the index that the ith call of a delta tells.
func placeOf(delta jsontext.Object, i int) (at int) {
	calls, _ := delta.Find("tool_calls").([]any)
	call, _ := calls[i].(jsontext.Object)
	if _, err := fmt.Sscan(fmt.Sprint(call.Find("index")), &at); err != nil {
		return i
	}
	return at
}

// say has a chunk say what is left: all in the first that says anything.
func (s speech) say(chunk jsontext.Object) {
	for _, one := range choicesOf(chunk) {
		choice, _ := one.(jsontext.Object)
		delta, _ := choice.Find("delta").(jsontext.Object)
		said := s[fmt.Sprint(choice.Find("index"))]
		if delta == nil || said == nil {
			continue
		}
		left := answerOf(delta)
		if left.Content != "" {
			left.Content = ""
			if !said.begun {
				left.Content, said.begun = said.Content, true
			}
		}
		if len(said.ToolCalls) == 0 {
			left.ToolCalls = nil
		}
		for i := range left.ToolCalls {
			at := placeOf(delta, i)
			left.ToolCalls[i].Arguments = ""
			if at >= 0 && at < len(said.ToolCalls) && !said.calls[at] {
				if said.calls == nil {
					said.calls = map[int]bool{}
				}
				left.ToolCalls[i].Arguments, said.calls[at] = said.ToolCalls[at].Arguments, true
			}
		}
		set(&choice, "delta", leave(delta, left))
		if reason, _ := choice.Find("finish_reason").(string); reason == "tool_calls" && len(said.ToolCalls) == 0 {
			set(&choice, "finish_reason", "stop")
		}
	}
}
