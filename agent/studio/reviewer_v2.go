package studio

import (
	"context"
	"fmt"

	"evalctl/agent/trace"
)

func (r reviewer) v2(ctx context.Context, s *state) error {
	emitThought(ctx, criticNode, "开始质量审查...")
	q, err := r.review(ctx, s)
	if err != nil || q.Reviewer == trace.NoReviewer {
		return err
	}
	verdict := "未通过"
	if q.Passed {
		verdict = "通过"
	}
	emitThought(ctx, criticNode, fmt.Sprintf("审查完成，得分：%.2f，%s", q.Score, verdict))
	return nil
}
