package studio

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// roundsV1 is the number of earlier turns that V1's planner sees.
const roundsV1 = 3

func (p planner) v1(ctx context.Context, s *state) error {
	in, code := checkInput(s.Input, p.maxText)
	why := strings.ToLower(cmp.Or(string(code), "guard"))
	if in == nil {
		var err error
		if in, why, err = p.parseV1(ctx, s); err != nil {
			return err
		}
		if action := s.Input.impliedAction(); action != "" {
			why = in.override(action, why)
		}
	}
	s.setIntent(ctx, in, why)
	if code != "" {
		return code
	}
	prompt := s.promptV1()
	s.Prompt = &imagePrompt{Original: prompt, Final: prompt}
	s.Styles = p.stylesV1(in, prompt)
	unspecified := s.say("未指定", "not specified")
	emitThought(ctx, plannerNode, fmt.Sprintf(s.say("已识别意图：%s。主题：%s，风格：%s",
		"Recognized intent: %s. Subject: %s, style: %s"), nameV1(in.Action), cmp.Or(in.Slots["subject"], unspecified),
		cmp.Or(in.Slots["style"], unspecified)))
	if code := s.missingInput(); code != "" {
		return code
	}
	return nil
}

// impliedAction returns the action that follows from the image, the mask and certain words without
// a model; "": none.
func (in input) impliedAction() string {
	switch {
	case in.Canvas == "":
		return ""
	case in.Mask != "":
		return ActionInpainting
	case in.refersToArea(): // 修改这里 requests a change of an area, not of the whole image
		return ""
	case strings.Contains(in.Text, "调整"), strings.Contains(in.Text, "修改"):
		return ActionAdjustParameters
	default:
		return ""
	}
}

// parseV1 requests a plan from the model, and a second time if the plan is incomplete. If the
// second plan is also incomplete, it uses the action of either answer, and the user's text if the
// prompt is missing. If no answer contains an action, the plan is generate_image. It returns an
// error if no call returned a complete answer.
func (p planner) parseV1(ctx context.Context, s *state) (_ *intent, why string, _ error) {
	history := lastRounds(conversation(s.Messages), roundsV1)
	got, err := p.callModel(ctx, s, history, formV1, checkComplete, p.prompts.Planner)
	if isInvalidAnswer(err) || isIncomplete(err) {
		answered := isInvalidAnswer(err)
		trace.Emit(ctx, trace.Event{Kind: trace.KindRetry, Node: plannerNode, Reason: llm.TraceReason(err)})
		first := got
		got, err = p.callModel(ctx, s, history, formV1, nil, p.prompts.Planner, p.prompts.PlanRetry)
		if err != nil && ctx.Err() == nil {
			decision, bad := llm.DecodeAnswer[plan](first.Raw, formV1)
			if bad != nil && !answered && !isInvalidAnswer(err) {
				traceNoDecision(ctx, first.Raw, err)
				traceNoDecision(ctx, got.Raw, err)
				return nil, "", err
			}
			if bad != nil {
				fallback(ctx, plannerNode, "default", llm.TraceReason(err))
				return &intent{Action: actionGenerateImage, DecidedBy: "rules",
					RawResponse: cmp.Or(got.Raw, first.Raw)}, llm.TraceReason(err), nil
			}
			got, err = answer[plan]{Value: decision, Raw: first.Raw}, nil
		}
	}
	if err != nil {
		traceNoDecision(ctx, got.Raw, err)
		return nil, "", err
	}
	in := intentOf(got)
	if in.Prompt == "" {
		fallback(ctx, plannerNode, "own_words", "no_prompt")
	}
	return in, "llm", nil
}

// stylesV1 returns the names of styles to search: first those of the style slot, then those in the
// image prompt. The subject is not searched: a crayon as the subject is not a style.
func (p planner) stylesV1(in *intent, prompt string) []string {
	names := p.styles.splitNames(in.Slots["style"])
	for _, name := range p.styles.find(prompt[:min(len(prompt), maxSearchedBytes)]) {
		known := append([]string{in.Slots["subject"]}, names...)
		if !slices.ContainsFunc(known, func(k string) bool { return foldWords(k) == foldWords(name) }) {
			names = append(names, name)
		}
	}
	return names[:min(len(names), maxStyles)]
}

// promptV1 returns the image prompt before styles are added.
func (s *state) promptV1() string {
	switch prompt := s.Intent.Prompt; {
	case prompt == "":
		return s.Input.textOrDefault()
	case s.Intent.Action == ActionInpainting:
		return fmt.Sprintf("%s in the masked area, %s", prompt, s.Input.textOrDefault())
	default:
		return prompt
	}
}
