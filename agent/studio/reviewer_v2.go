package studio

import (
	"context"
	"fmt"

	"evalctl/agent/trace"
)

func (r reviewer) v2(ctx context.Context, s *state) error {
	emitThought(ctx, criticNode, s.say("开始质量审查...", "Starting the review..."))
	q, err := r.review(ctx, s)
	if err != nil || q.Reviewer == trace.NoReviewer {
		return err
	}
	verdict := s.say("未通过", "rejected")
	if q.Passed {
		verdict = s.say("通过", "passed")
	}
	emitThought(ctx, criticNode, fmt.Sprintf(s.say("审查完成，得分：%.2f，%s", "Review complete, score: %.2f, %s"),
		q.Score, verdict))
	return nil
}
