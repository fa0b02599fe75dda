package wire

import (
	"strconv"

	"evalctl/mocks/model"
)

// textEvents encodes a streamed answer in DashScope's native format. Every event repeats the text
// so far, unless the request requires incremental output.
type textEvents struct {
	eventID            int  // number of the last event
	content, reasoning span // ranges of the answer that the next event contains
	output             int  // number of tokens generated so far
	unsentBytes        int  // bytes of text that no event has contained yet
}

// span is a byte range of a text.
type span struct {
	from, to int
}

func (s span) of(text string) string { return text[s.from:s.to] }

// minNewShare limits how much events repeat: an event that repeats the text so far contains at
// least 1/64 new text.
const minNewShare = 64

// delta adds a piece of text and returns the event for it; nil: the piece will be part of the next
// event.
func (t *textEvents) delta(e *EventEncoder, text string, reasoning bool) []byte {
	if reasoning {
		t.reasoning.to += len(text)
	} else {
		t.content.to += len(text)
	}
	t.output += model.EstimateTokens(text)
	t.unsentBytes += len(text)
	if !e.body.native.IncrementalOutput && t.unsentBytes < (t.content.to+t.reasoning.to)/minNewShare {
		return nil
	}
	return t.event(e, "null")
}

// event returns an event with the text to send now. finish is the finish reason; "null": more
// follows.
func (t *textEvents) event(e *EventEncoder, finish string) []byte {
	v := e.call.textAnswer(e.body, min(t.output, e.answer.Usage.CompletionTokens), answerPart{
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

// lastEvent returns the last event of the answer, with the finish reason.
func (t *textEvents) lastEvent(e *EventEncoder) []byte {
	t.output = e.answer.Usage.CompletionTokens
	return t.event(e, e.answer.FinishReason)
}

// errorEvent returns an event with a server error, for a fault in the middle of a stream.
func (t *textEvents) errorEvent(e *EventEncoder) []byte {
	r := e.call.ErrorResponse(ServerError)
	return e.endEvent(e.call.AppendError(t.head(e, "error", r.Status), r))
}

func (t *textEvents) head(e *EventEncoder, kind string, status int) []byte {
	t.eventID++
	b := strconv.AppendInt(append(e.buffer[:0], "id:"...), int64(t.eventID), 10)
	b = append(append(b, "\nevent:"...), kind...)
	b = strconv.AppendInt(append(b, "\n:HTTP_STATUS/"...), int64(status), 10)
	return append(b, "\ndata:"...)
}
