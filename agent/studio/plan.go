package studio

import (
	"fmt"
	"strings"

	"evalctl/agent"
	"evalctl/agent/llm"
)

// plan is what the planner's model is asked for; each profile checks what it
// demands. The decision is the action and the confidence: no other field's type
// makes a plan invalid.
type plan struct {
	Action     string   `json:"action"`
	Confidence *number  `json:"confidence"`
	Subject    *phrases `json:"subject"`
	Style      phrases  `json:"style,omitempty"`
	Prompt     phrases  `json:"prompt,omitempty"`     // v1
	Parameters any      `json:"parameters,omitempty"` // v1: an object, or none
	Reasoning  phrases  `json:"reasoning,omitempty"`
}

// intentOf is a checked plan as the model's decision; both slots are there, also
// where it named none.
func intentOf(got answer[plan]) *intent {
	p := got.Value
	var said *float64 // v1 does without
	confidence := float64(orZero(p.Confidence))
	switch {
	case llm.Unit("confidence", confidence) != nil:
		confidence = 0
	case p.Confidence != nil:
		said = &confidence
	}
	in := &intent{Action: p.Action, Confidence: confidence, Source: "llm", RawResponse: got.Raw,
		Slots:     map[string]string{"subject": orZero(p.Subject).remark(), "style": p.Style.remark()},
		Prompt:    fmt.Sprintf("%.2000s", strings.Join(p.Prompt, ", ")), // more than a painter reads
		Reasoning: p.Reasoning.remark(),
	}
	in.Parameters, _ = p.Parameters.(map[string]any)
	if in.Action == parameterAdjustment {
		in.Action = AdjustParameters
	}
	in.Opinion = &agent.Opinion{Label: in.Action, Confidence: said}
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
		return llm.Missing("confidence")
	}
	return llm.Unit("confidence", float64(*p.Confidence))
}

// checkV1 is what v1 demands of a plan at first.
func checkV1(p *plan) error {
	switch err := checkDecisionV1(p); {
	case err != nil:
		return err
	case p.Subject == nil:
		return llm.Missing("subject")
	case len(p.Prompt) == 0:
		return &llm.FieldError{Field: "prompt", Problem: "no text"}
	}
	return nil
}

// checkDecisionV1 lets a model off that does not say how sure it is, or calls an
// action by v2's name.
func checkDecisionV1(p *plan) error {
	return llm.OneOf("action", p.Action, GenerateImage, Inpainting, AdjustParameters, parameterAdjustment)
}
