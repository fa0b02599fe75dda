package trace

import (
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

// Answered is the data of an event with the model's answer behind it as it stood
// there, its beginning where it is long; nil without one.
func Answered(raw string) json.RawMessage {
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

// Answer is the model's answer behind a decision or a review, "" where none is
// kept.
func (e Event) Answer() string {
	var a answered
	if e.Kind != KindRoute && e.Kind != KindReview || json.Unmarshal(e.Data, &a) != nil {
		return ""
	}
	return a.Raw
}
