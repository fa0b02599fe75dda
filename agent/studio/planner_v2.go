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

// recentV2 is how many earlier messages the planner sees.
const recentV2 = 5

func (p planner) v2(ctx context.Context, s *state) error {
	in, wrong := gate(s.Input, p.maxText)
	why := strings.ToLower(cmp.Or(string(wrong), "guard"))
	if in == nil {
		var err error
		if in, why, err = p.understand(ctx, s); err != nil {
			s.Intent = &intent{Action: Unknown} // which nobody decided
			return err
		}
	}
	if s.Input.Mask != "" && wrong == "" {
		why = in.force(Inpainting, why)
	}
	s.decided(ctx, in, why)
	if wrong != "" {
		return wrong
	}
	s.Prompt = &enhanced{Original: s.Input.words(), Final: s.Input.words()}
	think(ctx, plannerNode, fmt.Sprintf("已识别意图：%s，置信度：%s", in.Action, strconv.FormatFloat(in.Confidence, 'f', -1, 64)))
	if s.maskMissing() || s.Input.pointsAt() {
		return refusal(maskRequired)
	}
	return nil
}

// understand has the model plan. An answer that is not a plan is searched for keywords; of
// an answer that was cut before its confidence, an action that is there as a whole counts.
func (p planner) understand(ctx context.Context, s *state) (_ *intent, why string, _ error) {
	got, err := p.ask(ctx, s, s.historyV2(), formV2, nil, p.prompts.Planner)
	switch {
	case err == nil:
		return intentOf(got), "llm", nil
	case invalid(err):
		fallback(ctx, plannerNode, "keywords", llm.Reason(err))
		action := readKeywords(got.Raw)
		if llm.KindOf(err) == llm.KindRefusal { // what it will not do is no plan
			action = Unknown
		}
		return recovered(action, got.Raw), llm.Reason(err), nil
	case unfinished(err):
		if cut, bad := llm.Decode[plan](got.Raw, formCut); bad == nil {
			fallback(ctx, plannerNode, "cut_answer", llm.Reason(err))
			in := recovered(cut.Action, got.Raw)
			in.Slots = intentOf(answer[plan]{Value: cut}).Slots
			return in, llm.Reason(err), nil
		}
	}
	unread(ctx, got.Raw, err)
	return nil, "", err
}

// recovered is the plan of an answer that is not a valid plan.
func recovered(action, raw string) *intent {
	in := &intent{Action: action, Source: "rules", RawResponse: raw}
	if action != Unknown {
		in.Confidence = byKeywords
	}
	return in
}

// historyV2 is what the planner sees of the conversation; where the user
// speaks of the last result, that comes first.
func (s *state) historyV2() []agent.Message {
	recent := lastMessages(conversation(s.Messages), recentV2)
	url := s.lastResult()
	if url == "" || !strings.Contains(s.Input.Text, "再") && !strings.Contains(s.Input.Text, "调整") {
		return recent
	}
	return append([]agent.Message{{Role: "assistant", Content: "上一次生成的结果：" + url}}, recent...)
}
