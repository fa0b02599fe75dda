package studio

import (
	"fmt"

	"evalctl/agent/llm"
)

// plan is what the planner's model is asked for; each profile checks what it
// demands. A field of type any may hold anything where nobody demands it.
type plan struct {
	Action     string   `json:"action"`
	Subject    *string  `json:"subject"`
	Style      *string  `json:"style"`
	Confidence *float64 `json:"confidence"`
	Prompt     any      `json:"prompt,omitempty"`     // v1: a text
	Parameters any      `json:"parameters,omitempty"` // v1: an object, or none
	Reasoning  any      `json:"reasoning,omitempty"`
}

// intent is a checked plan as the model's decision; both slots are there, also
// where it named none.
func (p plan) intent() *intent {
	in := &intent{Action: p.Action, Confidence: orZero(p.Confidence), Source: "llm",
		Slots: map[string]string{"subject": orZero(p.Subject), "style": orZero(p.Style)}}
	if reasoning, ok := p.Reasoning.(string); ok {
		in.Reasoning = fmt.Sprintf("%.200s", reasoning) // characters: a remark, no essay
	}
	return in
}

func orZero[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// checkV2 is what v2 demands of a plan.
func checkV2(p *plan) error {
	if err := llm.OneOf("action", p.Action, Actions()...); err != nil {
		return err
	}
	if p.Confidence == nil {
		return &llm.FieldError{Field: "confidence", Problem: "missing"}
	}
	return llm.Unit("confidence", *p.Confidence)
}

// checkV1 lets a model off that does not say how sure it is.
func checkV1(p *plan) error {
	if err := llm.OneOf("action", p.Action, GenerateImage, Inpainting, parameterAdjustment); err != nil {
		return err
	}
	prompt, _ := p.Prompt.(string)
	_, object := p.Parameters.(map[string]any)
	switch {
	case p.Subject == nil:
		return &llm.FieldError{Field: "subject", Problem: "missing"}
	case blank(prompt):
		return &llm.FieldError{Field: "prompt", Problem: "no text"}
	case p.Parameters != nil && !object:
		return &llm.FieldError{Field: "parameters", Problem: "not an object"}
	}
	return llm.Unit("confidence", orZero(p.Confidence))
}
