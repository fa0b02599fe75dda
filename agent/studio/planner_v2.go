package studio

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"evalctl/agent"
	"evalctl/agent/llm"
)

// recentV2 is the number of earlier messages that V2's planner sees.
const recentV2 = 5

func (p planner) v2(ctx context.Context, s *state) error {
	in, code := checkInput(s.Input, p.maxText)
	why := strings.ToLower(cmp.Or(string(code), "guard"))
	if in == nil {
		var err error
		if in, why, err = p.parseV2(ctx, s); err != nil {
			s.Intent = &intent{Action: ActionUnknown} // a plan without a decision
			return err
		}
	}
	if s.Input.Mask != "" && code == "" {
		why = in.override(ActionInpainting, why)
	}
	s.setIntent(ctx, in, why)
	if code != "" {
		return code
	}
	s.Prompt = &imagePrompt{Original: s.Input.textOrDefault(), Final: s.Input.textOrDefault()}
	emitThought(ctx, plannerNode,
		fmt.Sprintf(s.say("已识别意图：%s，置信度：%s", "Recognized intent: %s, confidence: %s"), in.Action,
			strconv.FormatFloat(in.Confidence, 'f', -1, 64)))
	if code := s.missingInput(); code != "" {
		return code
	}
	if in.Action == ActionAdjustParameters && s.Input.Canvas == "" && in.Slots != nil && isBlank(in.Slots["subject"]) {
		return errorCode(nothingToAdjust) // without a subject there is nothing to draw, either
	}
	return nil
}

// parseV2 requests a plan from the model. If the answer is not a valid plan, it searches the answer
// for keywords. If the answer is cut off after a complete action, it uses that action.
func (p planner) parseV2(ctx context.Context, s *state) (_ *intent, why string, _ error) {
	got, err := p.callModel(ctx, s, s.historyV2(), formV2, nil, p.prompts.Planner)
	switch {
	case err == nil:
		return intentOf(got), "llm", nil
	case isInvalidAnswer(err):
		fallback(ctx, plannerNode, "keywords", llm.TraceReason(err))
		action := readKeywords(got.Raw)
		if llm.KindOf(err) == llm.KindRefusal { // a refusal contains no plan, even if it names an action
			action = ActionUnknown
		}
		return recoveredPlan(action, got.Raw), llm.TraceReason(err), nil
	case isIncomplete(err):
		if cut, bad := llm.DecodeAnswer[plan](got.Raw, formCut); bad == nil {
			fallback(ctx, plannerNode, "cut_answer", llm.TraceReason(err))
			in := recoveredPlan(cut.Action, got.Raw)
			in.Slots = intentOf(answer[plan]{Value: cut}).Slots
			return in, llm.TraceReason(err), nil
		}
	}
	traceNoDecision(ctx, got.Raw, err)
	return nil, "", err
}

// recoveredPlan returns the plan for an action that was found in an invalid answer.
func recoveredPlan(action, raw string) *intent {
	in := &intent{Action: action, DecidedBy: "rules", RawResponse: raw}
	if action != ActionUnknown {
		in.Confidence = keywordConfidence
	}
	return in
}

// historyV2 returns the messages that V2's planner receives. If the user refers to the last image
// with words such as 再 or 调整, the first message contains its URL.
func (s *state) historyV2() []agent.Message {
	recent := lastMessages(conversation(s.Messages), recentV2)
	url := s.lastResult()
	if url == "" || !strings.Contains(s.Input.Text, "再") && !strings.Contains(s.Input.Text, "调整") {
		return recent
	}
	return append([]agent.Message{{Role: "assistant", Content: "上一次生成的结果：" + url}}, recent...)
}
