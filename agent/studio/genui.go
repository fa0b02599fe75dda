package studio

import (
	"context"
	"fmt"
)

// genUI shows v2's result.
func (a *Agent) genUI(ctx context.Context, s *state) error {
	s.Content = "图片已生成。"
	switch q := s.Quality; {
	case q.By == nobody:
	case q.Passed:
		s.Content = fmt.Sprintf("图片已生成，质量得分 %.2f。", q.Score)
	default:
		s.Content = fmt.Sprintf("图片已生成，但多次尝试后仍未通过质量审查（得分 %.2f），可以重新生成或换个说法。", q.Score)
	}
	for _, c := range []component{canvas(s.Result.URL), panel(s.Quality.Suggestions), message("success", s.Content)} {
		if err := s.show(ctx, genUI, c); err != nil {
			return err
		}
	}
	return nil
}
