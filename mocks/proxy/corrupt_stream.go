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

// corruptStream applies a fault to a complete stream of events. The whole text is known only at the
// end, so the first chunk of the new stream contains all of it. If the fault changes nothing, it
// returns the original and errUnchanged.
func corruptStream(r *bufio.Reader, kind fault.Kind, seed uint64) ([]byte, error) {
	var events [][]byte
	size, content := 0, streamContent{}
	for {
		e, err := readEvent(r)
		events = append(events, e)
		if size += len(e); size > maxChanged {
			return nil, fmt.Errorf("the stream has more than %d bytes, which is too much to be changed", maxChanged)
		}
		content.add(chunkOf(e))
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	changed := false
	for index, a := range content {
		left := kind.Corrupt(a.Answer, true, seed+uint64(len(index)))
		changed = changed || !reflect.DeepEqual(left, a.Answer)
		content[index] = &choiceContent{Answer: left}
	}
	if !changed {
		return bytes.Join(events, nil), errUnchanged
	}
	var out []byte
	for _, e := range events {
		chunk := chunkOf(e)
		if len(choicesOf(chunk)) == 0 {
			out = append(out, e...)
			continue
		}
		content.rewriteChunk(chunk)
		out = append(jsontext.AppendValue(append(out, "data: "...), chunk), "\n\n"...)
	}
	return out, nil
}

// streamContent contains the content and the tool calls of each choice of a stream, by index of the
// choice. They are collected from the events.
type streamContent map[string]*choiceContent

type choiceContent struct {
	model.Answer
	contentWritten   bool         // a chunk of the new stream already contains the content
	argumentsWritten map[int]bool // tool calls whose arguments a chunk of the new stream already contains
}

// add adds the content of one chunk.
func (s streamContent) add(chunk jsontext.Object) {
	for _, one := range choicesOf(chunk) {
		choice, _ := one.(jsontext.Object)
		delta, _ := choice.Find("delta").(jsontext.Object)
		index := fmt.Sprint(choice.Find("index"))
		if s[index] == nil {
			s[index] = &choiceContent{}
		}
		added := answerOf(delta)
		s[index].Content += added.Content
		for i, t := range added.ToolCalls {
			at := toolCallIndex(delta, i)
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

// toolCallIndex returns the index field of the i-th tool call in a delta; i if it is missing.
func toolCallIndex(delta jsontext.Object, i int) (at int) {
	calls, _ := delta.Find("tool_calls").([]any)
	call, _ := calls[i].(jsontext.Object)
	if _, err := fmt.Sscan(fmt.Sprint(call.Find("index")), &at); err != nil {
		return i
	}
	return at
}

// rewriteChunk replaces the content of a chunk by the changed content. The first chunk with content
// gets all of it; the content of later chunks becomes empty.
func (s streamContent) rewriteChunk(chunk jsontext.Object) {
	for _, one := range choicesOf(chunk) {
		choice, _ := one.(jsontext.Object)
		delta, _ := choice.Find("delta").(jsontext.Object)
		replacement := s[fmt.Sprint(choice.Find("index"))]
		if delta == nil || replacement == nil {
			continue
		}
		rewritten := answerOf(delta)
		if rewritten.Content != "" {
			rewritten.Content = ""
			if !replacement.contentWritten {
				rewritten.Content, replacement.contentWritten = replacement.Content, true
			}
		}
		if len(replacement.ToolCalls) == 0 {
			rewritten.ToolCalls = nil
		}
		for i := range rewritten.ToolCalls {
			at := toolCallIndex(delta, i)
			rewritten.ToolCalls[i].Arguments = ""
			if at >= 0 && at < len(replacement.ToolCalls) && !replacement.argumentsWritten[at] {
				if replacement.argumentsWritten == nil {
					replacement.argumentsWritten = map[int]bool{}
				}
				rewritten.ToolCalls[i].Arguments, replacement.argumentsWritten[at] = replacement.ToolCalls[at].Arguments, true
			}
		}
		setKey(&choice, "delta", replaceContent(delta, rewritten))
		if reason, _ := choice.Find("finish_reason").(string); reason == "tool_calls" &&
			len(replacement.ToolCalls) == 0 {
			setKey(&choice, "finish_reason", "stop")
		}
	}
}
