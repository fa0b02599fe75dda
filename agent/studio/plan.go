package studio

import (
	"fmt"
	"strings"

	"evalctl/agent"
	"evalctl/agent/label"
	"evalctl/agent/llm"
)

// plan is the JSON answer of the planner's model. Each profile checks which fields are required.
// Optional fields of a wrong type do not make the plan invalid.
type plan struct {
	Action     string        `json:"action"`
	Confidence *float64      `json:"confidence"`
	Subject    *lenientTexts `json:"subject"`
	Style      lenientTexts  `json:"style,omitempty"`
	Prompt     lenientTexts  `json:"prompt,omitempty"`     // image prompt in English; only V1
	Parameters any           `json:"parameters,omitempty"` // image parameters as an object; only V1
	Reasoning  lenientTexts  `json:"reasoning,omitempty"`
}

// intentOf returns a valid plan as an intent. Both slots are always set, possibly to "".
func intentOf(got answer[plan]) *intent {
	p := got.Value
	in := &intent{
		Action:      p.Action,
		Confidence:  orZero(p.Confidence),
		DecidedBy:   "llm",
		RawResponse: got.Raw,
		Slots:       map[string]string{"subject": orZero(p.Subject).limited(), "style": p.Style.limited()},
		// a limit above the prompt length that image models accept
		Prompt:    fmt.Sprintf("%.2000s", strings.Join(p.Prompt, ", ")),
		Reasoning: p.Reasoning.limited(),
	}
	in.Parameters, _ = p.Parameters.(map[string]any)
	if in.Action == parameterAdjustment {
		in.Action = ActionAdjustParameters
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

// formV2 is the required form of a plan in V2. A confidence is required, because it is compared
// with minConfidence.
var formV2 = llm.AnswerSpec{Key: "action", Labels: label.NewSet(Actions()...), Confidence: llm.RequiredConfidence}

var formCut = llm.AnswerSpec{Key: "action", Labels: formV2.Labels}

// formV1 is the required form of a plan in V1. The action names of V2 are also accepted.
var formV1 = llm.AnswerSpec{
	Key:        "action",
	Labels:     label.NewSet(actionGenerateImage, ActionInpainting, ActionAdjustParameters, parameterAdjustment),
	Confidence: llm.OptionalConfidence,
}

// checkComplete returns an error if a plan lacks the subject or the prompt. V1 requires both in the
// first answer.
func checkComplete(p *plan) error {
	switch {
	case p.Subject == nil:
		return llm.MissingFieldError("subject")
	case len(p.Prompt) == 0:
		return &llm.FieldError{Field: "prompt", Problem: "no text"}
	}
	return nil
}
