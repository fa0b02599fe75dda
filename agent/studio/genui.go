package studio

import (
	"context"
	"fmt"

	"evalctl/agent/trace"
)

// present sends the image, the buttons and the final message of profile V2.
func present(ctx context.Context, s *state) error {
	s.Content = s.unscoredMessage()
	switch q := s.Quality; {
	case q.Reviewer == trace.NoReviewer:
	case q.Passed:
		s.Content = fmt.Sprintf(s.say("%s（得分 %.2f）。", "%s (score %.2f)."), q.Feedback, q.Score)
	default:
		s.Content = fmt.Sprintf(s.say("%s（得分 %.2f，已尝试 %d 次，未通过审查）。",
			"%s (score %.2f, rejected in attempt %d)."), q.Feedback, q.Score, s.RetryCount+1)
	}
	for _, c := range []component{canvas(s.Result.URL), s.panel(s.Quality.Suggestions), message("success", s.Content)} {
		if err := emitComponent(ctx, genUINode, c); err != nil {
			return err
		}
	}
	return nil
}
