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
	s.Content = q.unscoredMessage()
	if q.Reviewer == trace.NoReviewer {
		return nil
	}
	remark := "建议优化"
	if q.Passed {
		remark = "已通过"
	}
	emitThought(ctx, criticNode, fmt.Sprintf("质量审查完成。评分：%.0f/100。%s。", 100*q.Score, remark))
	s.Content = strings.TrimSpace(fmt.Sprintf("生成完成！质量评分：%.0f/100。%s", 100*q.Score, strings.Join(q.Suggestions, " ")))
	if !q.Passed && !s.mayRetry(r.retries) {
		s.Content += " 多次尝试后仍未达到质量要求，这是目前的结果。"
	}
	if len(q.Suggestions) == 0 {
		return nil
	}
	if err := emitComponent(ctx, criticNode, message("success", s.Content)); err != nil || q.Passed {
		return err
	}
	return emitComponent(ctx, criticNode, panel(q.Suggestions))
}
