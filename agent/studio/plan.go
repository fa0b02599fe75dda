package studio

import (
	"fmt"
	"strings"

	"evalctl/agent"
	"evalctl/agent/label"
	"evalctl/agent/llm"
)

// plan is the answer of the planner's model; each profile checks its own requirements. The decision
// is the action and the confidence. Other fields of a wrong type do not invalidate a plan.
type plan struct {
	Action     string        `json:"action"`
	Confidence *float64      `json:"confidence"`
	Subject    *lenientTexts `json:"subject"`
	Style      lenientTexts  `json:"style,omitempty"`
	Prompt     lenientTexts  `json:"prompt,omitempty"`     // v1
	Parameters any           `json:"parameters,omitempty"` // v1: an object, or none
	Reasoning  lenientTexts  `json:"reasoning,omitempty"`
}

// intentOf converts a checked plan. Both slots are always set, possibly to "".
func intentOf(got answer[plan]) *intent {
	p := got.Value
	in := &intent{
		Action:      p.Action,
		Confidence:  orZero(p.Confidence),
		Source:      "llm",
		RawResponse: got.Raw,
		Slots:       map[string]string{"subject": orZero(p.Subject).limited(), "style": p.Style.limited()},
		Prompt:      fmt.Sprintf("%.2000s", strings.Join(p.Prompt, ", ")), // more than an image model reads
		Reasoning:   p.Reasoning.limited(),
	}
	in.Parameters, _ = p.Parameters.(map[string]any)
	if in.Action == parameterAdjustment {
		in.Action = AdjustParameters
	}
	in.ModelDecision = &agent.ModelDecision{Label: in.Action, Confidence: p.Confidence}
	return in
}

func orZero[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// formV2 is the format of v2's plan. Its confidence is compared with a threshold.
var formV2 = llm.Form{Key: "action", Labels: label.NewSet(Actions()...), Confidence: llm.RequiredConfidence}

// formCut is the required part of a plan in a cut answer.
var formCut = llm.Form{Key: "action", Labels: formV2.Labels}

// formV1 is the format of v1's plan. It also accepts v2's names of actions.
var formV1 = llm.Form{
	Key:        "action",
	Labels:     label.NewSet(generateImage, Inpainting, AdjustParameters, parameterAdjustment),
	Confidence: llm.OptionalConfidence,
}

// checkWhole checks the further requirements of v1 on a first answer.
func checkWhole(p *plan) error {
	switch {
	case p.Subject == nil:
		return llm.MissingFieldError("subject")
	case len(p.Prompt) == 0:
		return &llm.FieldError{Field: "prompt", Problem: "no text"}
	}
	return nil
}
