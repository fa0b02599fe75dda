package wire

import (
	"strconv"

	"evalctl/mocks/model"
)

// textEvents encodes an answer as DashScope's native events. Each event repeats the text so far
// unless the output is incremental.
type textEvents struct {
	n                  int  // number of the last event
	content, reasoning span // ranges in the answer
	output             int  // tokens so far
	unsent             int  // bytes not yet in any event
}

// span is a range of a text.
type span struct {
	from, to int
}

func (s span) of(text string) string { return text[s.from:s.to] }

// perRepeat limits repetition: a repeating event contains at least 1/64 of new text.
const perRepeat = 64

// delta returns the event for a piece of text; nil: the text comes with the next event.
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

// event encodes the text to send now.
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

// finish returns the last event.
func (t *textEvents) finish(e *Events) []byte {
	t.output = e.answer.Usage.Completion
	return t.event(e, e.answer.FinishReason)
}

// broken returns an error event in the middle of the answer.
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
