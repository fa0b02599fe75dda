package trace

import (
	"context"
	"encoding/json"
	"strings"
)

// MaxAnswer limits the model's answer that is stored with a decision or a review, in bytes.
const MaxAnswer = 16 << 10

// answerData is the data of an event with an answer.
type answerData struct {
	Raw string `json:"rawResponse"`
}

// AnswerData returns the data of an event with the model's raw answer, truncated to MaxAnswer; nil
// if raw is empty.
func AnswerData(raw string) json.RawMessage {
	if raw == "" {
		return nil
	}
	if len(raw) > MaxAnswer {
		raw = raw[:MaxAnswer]
	}
	b, err := json.Marshal(answerData{Raw: strings.ToValidUTF8(raw, "")})
	if err != nil {
		return nil // cannot happen: a string can always be encoded
	}
	return b
}

// EmitNoDecision emits an answer that contained no decision because of err, if nothing else
// decides. It does nothing if raw is empty.
func EmitNoDecision(ctx context.Context, node, reason, raw string, err error) {
	if raw != "" {
		Emit(ctx, Event{
			Kind:   KindNoDecision,
			Node:   node,
			Reason: reason,
			Text:   err.Error(),
			Data:   AnswerData(raw),
		})
	}
}

// Answer returns the model's answer of a decision, of a missing decision or of a review; "": none.
func (e Event) Answer() string {
	var a answerData
	if e.Kind != KindRoute && e.Kind != KindNoDecision && e.Kind != KindReview || json.Unmarshal(e.Data, &a) != nil {
		return ""
	}
	return a.Raw
}
