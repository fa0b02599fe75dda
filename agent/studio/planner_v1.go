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

// roundsV1 is how many earlier rounds the planner sees.
const roundsV1 = 3

func (p planner) v1(ctx context.Context, s *state) error {
	in, wrong := gate(s.Input, p.maxText)
	why := strings.ToLower(cmp.Or(string(wrong), "guard"))
	if in == nil {
		var err error
		if in, why, err = p.parse(ctx, s); err != nil {
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
	s.Styles = p.stylesV1(in, prompt)
	think(ctx, plannerNode, fmt.Sprintf("已识别意图：%s。主题：%s，风格：%s", nameV1(in.Action),
		cmp.Or(in.Slots["subject"], "未指定"), cmp.Or(in.Slots["style"], "未指定")))
	if s.maskMissing() || s.Input.pointsAt() {
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
	case in.pointsAt(): // 修改这里 is no change of the whole picture
		return ""
	case strings.Contains(in.Text, "调整"), strings.Contains(in.Text, "修改"):
		return AdjustParameters
	default:
		return ""
	}
}

// parse has the model plan, once more where the answer is no whole plan; then a
// decision will do, of either answer, and the user's own words are the prompt
// where it has none. A picture is only assumed where the model did answer.
func (p planner) parse(ctx context.Context, s *state) (_ *intent, why string, _ error) {
	history := lastRounds(conversation(s.Messages), roundsV1)
	got, err := p.ask(ctx, s, history, formV1, checkWhole, p.prompts.Planner)
	if invalid(err) || unfinished(err) {
		answered := invalid(err)
		trace.Emit(ctx, trace.Event{Kind: trace.KindRetry, Node: plannerNode, Reason: llm.Reason(err)})
		first := got
		got, err = p.ask(ctx, s, history, formV1, nil, p.prompts.Planner, p.prompts.Again)
		if err != nil && ctx.Err() == nil {
			decision, bad := llm.Decode[plan](first.Raw, formV1)
			if bad != nil && !answered && !invalid(err) {
				unread(ctx, first.Raw, err)
				unread(ctx, got.Raw, err)
				return nil, "", err
			}
			if bad != nil {
				fallback(ctx, plannerNode, "default", llm.Reason(err))
				return &intent{Action: generateImage, Source: "rules", RawResponse: cmp.Or(got.Raw, first.Raw)}, llm.Reason(err), nil
			}
			got, err = answer[plan]{Value: decision, Raw: first.Raw}, nil
		}
	}
	if err != nil {
		unread(ctx, got.Raw, err)
		return nil, "", err
	}
	in := intentOf(got)
	if in.Prompt == "" {
		fallback(ctx, plannerNode, "own_words", "no_prompt")
	}
	return in, "llm", nil
}

// stylesV1 are the names of styles to look up: those of the style, then those
// that the prompt mentions, but for the subject: a crayon to be painted is none.
func (p planner) stylesV1(in *intent, prompt string) []string {
	names := p.styles.several(in.Slots["style"])
	for _, name := range p.styles.in(prompt[:min(len(prompt), readable)]) {
		known := append([]string{in.Slots["subject"]}, names...)
		if !slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, name) }) {
			names = append(names, name)
		}
	}
	return names[:min(len(names), maxStyles)]
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
