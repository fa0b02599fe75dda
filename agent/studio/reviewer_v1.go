package studio

import (
	"context"
	"fmt"
	"strings"

	"evalctl/agent/trace"
)

func (r reviewer) v1(ctx context.Context, s *state) error {
	q, err := r.review(ctx, s)
	if err != nil {
		return err
	}
	s.Content = s.unscoredMessage()
	if q.Reviewer == trace.NoReviewer {
		return nil
	}
	remark := s.say("建议优化", "It could be improved")
	if q.Passed {
		remark = s.say("已通过", "It passed")
	}
	emitThought(ctx, criticNode, fmt.Sprintf(s.say("质量审查完成。评分：%.0f/100。%s。",
		"Review complete. Score: %.0f/100. %s."), 100*q.Score, remark))
	s.Content = strings.TrimSpace(fmt.Sprintf(s.say("生成完成！质量评分：%.0f/100。%s", "Done! Quality score: %.0f/100. %s"),
		100*q.Score, strings.Join(q.Suggestions, " ")))
	if !q.Passed && !s.mayRetry(r.retries) {
		s.Content += s.say(" 多次尝试后仍未达到质量要求，这是目前的结果。",
			" Several attempts did not meet the quality standard. This is the latest result.")
	}
	if len(q.Suggestions) == 0 {
		return nil
	}
	if err := emitComponent(ctx, criticNode, message("success", s.Content)); err != nil || q.Passed {
		return err
	}
	return emitComponent(ctx, criticNode, s.panel(q.Suggestions))
}
