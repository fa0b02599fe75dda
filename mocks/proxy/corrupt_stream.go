package proxy

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"

	"evalctl/mocks/fault"
	"evalctl/mocks/jsontext"
	"evalctl/mocks/model"
)

// spoiledStream applies a fault to a complete stream. The whole text is known only at the end, so
// the first chunk of the new stream contains all of it. If nothing changes, it returns the original
// and errNothing.
func spoiledStream(r *bufio.Reader, kind fault.Kind, seed uint64) ([]byte, error) {
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
	changed := false
	for index, a := range said {
		left := kind.Corrupt(a.Answer, true, seed+uint64(len(index)))
		changed = changed || !reflect.DeepEqual(left, a.Answer)
		said[index] = &spoken{Answer: left}
	}
	if !changed {
		return bytes.Join(events, nil), errNothing
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

// speech is the text and the tool calls of each choice of a stream, by index.
type speech map[string]*spoken

type spoken struct {
	model.Answer
	begun bool         // the content has been written
	calls map[int]bool // tool calls whose arguments have been written
}

// hear adds the content of a chunk.
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

// placeOf returns the index of the ith tool call in a delta.
func placeOf(delta jsontext.Object, i int) (at int) {
	calls, _ := delta.Find("tool_calls").([]any)
	call, _ := calls[i].(jsontext.Object)
	if _, err := fmt.Sscan(fmt.Sprint(call.Find("index")), &at); err != nil {
		return i
	}
	return at
}

// say replaces the content of a chunk. The first chunk with content gets all of it.
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
