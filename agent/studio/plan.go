package studio

import (
	"fmt"
	"strings"

	"evalctl/agent"
	"evalctl/agent/label"
	"evalctl/agent/llm"
)

// plan is what the planner's model is asked for; each profile checks what it
// demands. The decision is the action and the confidence: no other field's type
// makes a plan invalid.
type plan struct {
	Action     string   `json:"action"`
	Confidence *float64 `json:"confidence"`
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
	in := &intent{Action: p.Action, Confidence: orZero(p.Confidence), Source: "llm", RawResponse: got.Raw,
		Slots:     map[string]string{"subject": orZero(p.Subject).remark(), "style": p.Style.remark()},
		Prompt:    fmt.Sprintf("%.2000s", strings.Join(p.Prompt, ", ")), // more than a painter reads
		Reasoning: p.Reasoning.remark(),
	}
	in.Parameters, _ = p.Parameters.(map[string]any)
	if in.Action == parameterAdjustment {
		in.Action = AdjustParameters
	}
	in.Opinion = &agent.ModelDecision{Label: in.Action, Confidence: p.Confidence}
	return in
}

func orZero[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// formV2 is the plan that v2 asks for: a threshold uses its confidence.
var formV2 = llm.Form{Key: "action", Labels: label.NewSet(Actions()...), Confidence: llm.RequiredConfidence}

// formCut is what counts of such a plan where the answer was cut.
var formCut = llm.Form{Key: "action", Labels: formV2.Labels}

// formV1 is the plan that v1 asks for. It may call an action by v2's name.
var formV1 = llm.Form{
	Key:        "action",
	Labels:     label.NewSet(generateImage, Inpainting, AdjustParameters, parameterAdjustment),
	Confidence: llm.OptionalConfidence,
}

// checkWhole is what v1 requires of a plan besides, when it asks first.
func checkWhole(p *plan) error {
	switch {
	case p.Subject == nil:
		return llm.MissingFieldError("subject")
	case len(p.Prompt) == 0:
		return &llm.FieldError{Field: "prompt", Problem: "no text"}
	}
	return nil
}
