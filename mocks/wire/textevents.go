package wire

import (
	"strconv"

	"evalctl/mocks/model"
)

// textEvents encodes an answer as DashScope's own events, which repeat what was
// said before unless output is incremental.
type textEvents struct {
	n                  int  // of the last event
	content, reasoning span // of the answer's
	output             int  // tokens so far
	unsent             int  // bytes that no event has told
}

// span is a part of a text.
type span struct {
	from, to int
}

func (s span) of(text string) string { return text[s.from:s.to] }

// perRepeat bounds what is repeated: an event that repeats brings at least a
// 64th of it anew.
const perRepeat = 64

// delta is the event of a piece of text; nil: it waits for the next one.
func (t *textEvents) delta(e *Events, text string, reasoning bool) []byte {
	if reasoning {
		t.reasoning.to += len(text)
	} else {
		t.content.to += len(text)
	}
	t.output += model.Tokens(text)
	t.unsent += len(text)
	if !e.body.native.IncrementalOutput && t.unsent < (t.content.to+t.reasoning.to)/perRepeat {
		return nil
	}
	return t.event(e, "null")
}

// event tells what there is to tell.
func (t *textEvents) event(e *Events, finish string) []byte {
	v := e.call.textAnswer(e.body, min(t.output, e.answer.Usage.Completion), textPart{
		answer: e.answer, content: t.content.of(e.answer.Content), reasoning: t.reasoning.of(e.answer.Reasoning),
		from: t.content.from, finish: finish,
	})
	t.unsent = 0
	if e.body.native.IncrementalOutput {
		t.content.from, t.reasoning.from = t.content.to, t.reasoning.to
	}
	return e.end(appendJSON(t.head(e, "result", 200), v))
}

// finish is the last event.
func (t *textEvents) finish(e *Events) []byte {
	t.output = e.answer.Usage.Completion
	return t.event(e, e.answer.FinishReason)
}

// broken is an error in the midst of the answer.
func (t *textEvents) broken(e *Events) []byte {
	r := e.call.Refusal(Broken)
	return e.end(e.call.AppendError(t.head(e, "error", r.Status), r))
}

func (t *textEvents) head(e *Events, kind string, status int) []byte {
	t.n++
	b := strconv.AppendInt(append(e.buf[:0], "id:"...), int64(t.n), 10)
	b = append(append(b, "\nevent:"...), kind...)
	b = strconv.AppendInt(append(b, "\n:HTTP_STATUS/"...), int64(status), 10)
	return append(b, "\ndata:"...)
}
