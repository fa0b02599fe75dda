package trace

import (
	"context"
	"encoding/json"
	"strings"
)

// MaxAnswer bounds a model's answer that is kept behind a decision or a review,
// in bytes.
const MaxAnswer = 16 << 10

// answered is the data of such an event.
type answered struct {
	Raw string `json:"rawResponse"`
}

// AnswerData is the data of an event with the model's answer behind it as it stood
// there, its beginning where it is long; nil without one.
func AnswerData(raw string) json.RawMessage {
	if raw == "" {
		return nil
	}
	if len(raw) > MaxAnswer {
		raw = raw[:MaxAnswer]
	}
	b, err := json.Marshal(answered{Raw: strings.ToValidUTF8(raw, "")})
	if err != nil {
		return nil // a text always can be
	}
	return b
}

// EmitNoDecision leaves an answer, if any came, of which there is no decision for err,
// and in whose place nothing decides.
func EmitNoDecision(ctx context.Context, node, reason, raw string, err error) {
	if raw != "" {
		Emit(ctx, Event{Kind: KindNoDecision, Node: node, Reason: reason, Text: err.Error(), Data: AnswerData(raw)})
	}
}

// Answer is the model's answer behind a decision or a review, or of which none
// came; "" where none is kept.
func (e Event) Answer() string {
	var a answered
	if e.Kind != KindRoute && e.Kind != KindNoDecision && e.Kind != KindReview || json.Unmarshal(e.Data, &a) != nil {
		return ""
	}
	return a.Raw
}
