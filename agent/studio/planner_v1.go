package studio

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// seenV1 is how many earlier rounds the planner sees.
const seenV1 = 3

// parameterAdjustment is v1's name of AdjustParameters.
const parameterAdjustment = "parameter_adjustment"

func (a *Agent) planV1(ctx context.Context, s *state) error {
	in, wrong := gate(s.Input, a.MaxText)
	why := strings.ToLower(cmp.Or(string(wrong), "gate"))
	if in == nil {
		var err error
		if in, why, err = a.parse(ctx, s); err != nil {
			return err
		}
		if action := s.Input.implies(); action != "" {
			why = in.force(action, why)
		}
	}
	s.decided(ctx, in, why)
	if wrong != "" {
		return wrong
	}
	prompt := s.promptV1()
	s.Prompt = &enhanced{Original: prompt, Final: prompt}
	think(ctx, planner, fmt.Sprintf("已识别意图：%s。主题：%s，风格：%s", nameV1(in.Action),
		cmp.Or(in.Slots["subject"], "未指定"), cmp.Or(in.Slots["style"], "未指定")))
	if s.maskMissing() {
		return refusal(maskRequired)
	}
	return nil
}

// implies is the action that the inputs leave no doubt about, "" for none.
func (in input) implies() string {
	switch {
	case in.Canvas == "":
		return ""
	case in.Mask != "":
		return Inpainting
	case strings.Contains(in.Text, "调整"), strings.Contains(in.Text, "修改"):
		return AdjustParameters
	default:
		return ""
	}
}

// parse has the model plan, once more where the answer is no plan; the user's
// own words are the prompt where that is none either.
func (a *Agent) parse(ctx context.Context, s *state) (_ *intent, why string, _ error) {
	history := lastRounds(s.Messages, seenV1)
	p, _, err := a.ask(ctx, s, history, checkV1, a.Prompts.Planner)
	if invalid(err) {
		trace.Emit(ctx, trace.Event{Kind: trace.KindRetry, Node: planner, Reason: reason(err)})
		p, _, err = a.ask(ctx, s, history, checkV1, a.Prompts.Planner, a.Prompts.Again)
		if err != nil && ctx.Err() == nil {
			fallback(ctx, planner, "default", reason(err))
			return &intent{Action: GenerateImage, Source: "rules"}, reason(err), nil
		}
	}
	if err != nil {
		return nil, "", err
	}
	in := p.intent()
	in.Prompt, _ = p.Prompt.(string)
	in.Parameters, _ = p.Parameters.(map[string]any)
	if in.Action == parameterAdjustment {
		in.Action = AdjustParameters
	}
	return in, "llm", nil
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

// promptV1 is the prompt that styles are added to.
func (s *state) promptV1() string {
	switch prompt := s.Intent.Prompt; {
	case prompt == "":
		return s.Input.words()
	case s.Intent.Action == Inpainting:
		return fmt.Sprintf("%s in the masked area, %s", prompt, s.Input.words())
	default:
		return prompt
	}
}

// nameV1 is an action by v1's name.
func nameV1(action string) string {
	if action == AdjustParameters {
		return parameterAdjustment
	}
	return action
}
