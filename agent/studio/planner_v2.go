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
	why := strings.ToLower(cmp.Or(string(wrong), "gate"))
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

// understand has the model plan; an answer that is no plan is read for words
// that tell one.
func (p planner) understand(ctx context.Context, s *state) (_ *intent, why string, _ error) {
	got, err := p.ask(ctx, s, s.historyV2(), formV2, nil, p.prompts.Planner)
	switch {
	case err == nil:
		return intentOf(got), "llm", nil
	case invalid(err):
		fallback(ctx, plannerNode, "keywords", llm.Reason(err))
		in := readKeywords(got.Raw)
		if llm.KindOf(err) == llm.KindRefusal { // what it will not do is no plan
			in = &intent{Action: Unknown, Source: "rules"}
		}
		in.RawResponse = got.Raw
		return in, llm.Reason(err), nil
	default:
		unread(ctx, got.Raw, err)
		return nil, "", err
	}
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
