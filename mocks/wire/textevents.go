package wire

import (
	"strconv"

	"evalctl/mocks/model"
)

// textEvents encodes an answer as DashScope's native events. Each event repeats the text so far
// unless the output is incremental.
type textEvents struct {
	eventID            int  // number of the last event
	content, reasoning span // ranges in the answer
	output             int  // tokens so far
	unsentBytes        int  // bytes not yet in any event
}

// span is a range of a text.
type span struct {
	from, to int
}

func (s span) of(text string) string { return text[s.from:s.to] }

// minNewShare limits repetition: a repeating event contains at least 1/64 of new text.
const minNewShare = 64

// delta returns the event for a piece of text; nil: the text comes with the next event.
func (t *textEvents) delta(e *Events, text string, reasoning bool) []byte {
	if reasoning {
		t.reasoning.to += len(text)
	} else {
		t.content.to += len(text)
	}
	t.output += model.Tokens(text)
	t.unsentBytes += len(text)
	if !e.body.native.IncrementalOutput && t.unsentBytes < (t.content.to+t.reasoning.to)/minNewShare {
		return nil
	}
	return t.event(e, "null")
}

// event encodes the text to send now.
func (t *textEvents) event(e *Events, finish string) []byte {
	v := e.call.textAnswer(e.body, min(t.output, e.answer.Usage.Completion), answerPart{
		answer:    e.answer,
		content:   t.content.of(e.answer.Content),
		reasoning: t.reasoning.of(e.answer.Reasoning),
		from:      t.content.from,
		finish:    finish,
	})
	t.unsentBytes = 0
	if e.body.native.IncrementalOutput {
		t.content.from, t.reasoning.from = t.content.to, t.reasoning.to
	}
	return e.endEvent(appendJSON(t.head(e, "result", 200), v))
}

// lastEvent returns the last event.
func (t *textEvents) lastEvent(e *Events) []byte {
	t.output = e.answer.Usage.Completion
	return t.event(e, e.answer.FinishReason)
}

// errorEvent returns an error event in the middle of the answer.
func (t *textEvents) errorEvent(e *Events) []byte {
	r := e.call.Refusal(Broken)
	return e.endEvent(e.call.AppendError(t.head(e, "error", r.Status), r))
}

func (t *textEvents) head(e *Events, kind string, status int) []byte {
	t.eventID++
	b := strconv.AppendInt(append(e.buffer[:0], "id:"...), int64(t.eventID), 10)
	b = append(append(b, "\nevent:"...), kind...)
	b = strconv.AppendInt(append(b, "\n:HTTP_STATUS/"...), int64(status), 10)
	return append(b, "\ndata:"...)
}
