package trace

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// MaxRawAnswer is the maximal stored length of a model's raw answer, in bytes. Longer answers are
// truncated.
const MaxRawAnswer = 16 << 10

// answerData is the JSON in Event.Data of a decision or a review.
type answerData struct {
	Raw string `json:"rawResponse"`
}

// RawAnswerData returns a model's raw answer as JSON for Event.Data, truncated to MaxRawAnswer; nil
// if raw is empty.
func RawAnswerData(raw string) json.RawMessage {
	if raw == "" {
		return nil
	}
	if len(raw) > MaxRawAnswer {
		raw = raw[:MaxRawAnswer]
	}
	b, err := json.Marshal(answerData{Raw: strings.ToValidUTF8(raw, "")})
	if err != nil {
		return nil // cannot happen: a string can always be encoded
	}
	return b
}

// ClipLabel returns the beginning of a label that an agent answered, for Event.From.
func ClipLabel(answered string) string {
	const most = 201 // characters, one more than a label may have
	return fmt.Sprintf("%.*s", most, answered)
}

// EmitNoDecision emits a KindNoDecision event: the model answered, but its answer contains no
// decision because of err. It does nothing if raw is empty.
func EmitNoDecision(ctx context.Context, node, reason, raw string, err error) {
	if raw != "" {
		Emit(ctx, Event{
			Kind:   KindNoDecision,
			Node:   node,
			Reason: reason,
			Text:   err.Error(),
			Data:   RawAnswerData(raw),
		})
	}
}

// RawAnswer returns the model's raw answer from the event of a decision, a missing decision or a
// review. It returns "" if the event has none.
func (e Event) RawAnswer() string {
	var a answerData
	if e.Kind != KindRoute && e.Kind != KindNoDecision && e.Kind != KindReview || json.Unmarshal(e.Data, &a) != nil {
		return ""
	}
	return a.Raw
}
