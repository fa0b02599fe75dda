package studio

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"evalctl/agent/clock"
	"evalctl/agent/trace"
)

// Critic says who judges the pictures.
type Critic string

// The critics.
const (
	Heuristic Critic = "heuristic" // a formula
	LLM       Critic = "llm"       // a model that reads the prompt
	Vision    Critic = "vision"    // a model that sees the picture
)

// Critics lists the three.
func Critics() []Critic { return []Critic{Heuristic, LLM, Vision} }

func (a *Agent) criticV2(ctx context.Context, s *state) error {
	think(ctx, critic, "开始质量审查...")
	q, err := a.review(ctx, s)
	if err != nil || q.By == trace.Nobody {
		return err
	}
	verdict := "未通过"
	if q.Passed {
		verdict = "通过"
	}
	think(ctx, critic, fmt.Sprintf("审查完成，得分：%.2f，%s", q.Score, verdict))
	return nil
}

func (a *Agent) criticV1(ctx context.Context, s *state) error {
	q, err := a.review(ctx, s)
	if err != nil {
		return err
	}
	s.Content = "图片已生成。"
	if q.By == trace.Nobody {
		return nil
	}
	remark := "建议优化"
	if q.Passed {
		remark = "已通过"
	}
	think(ctx, critic, fmt.Sprintf("质量审查完成。评分：%.0f/100。%s。", 100*q.Score, remark))
	s.Content = strings.TrimSpace(fmt.Sprintf("生成完成！质量评分：%.0f/100。%s", 100*q.Score, strings.Join(q.Suggestions, " ")))
	if !q.Passed && !s.mayRetry(a.edition.retries) {
		s.Content += " 多次尝试后仍未达到质量要求，这是目前的结果。"
	}
	if len(q.Suggestions) == 0 {
		return nil
	}
	if err := s.show(ctx, critic, message("success", s.Content)); err != nil || q.Passed {
		return err
	}
	return s.show(ctx, critic, panel(nil))
}

// review judges the picture and leaves that in the state and in the trace. The
// error is of a context that has ended.
func (a *Agent) review(ctx context.Context, s *state) (quality, error) {
	var v verdict
	err := clock.Protect(critic, func() (err error) {
		v, err = a.judge(ctx, s)
		return err
	})
	if err != nil && ctx.Err() != nil {
		return quality{}, err
	}
	q := quality{Passed: true, By: trace.Nobody}
	if err == nil {
		q = a.edition.grade(v)
		q.By = string(a.Critic)
	} else {
		fallback(ctx, critic, "pass", reason(err))
	}
	s.Quality = &q
	trace.Emit(ctx, trace.Event{Kind: trace.KindReview, Node: critic,
		Review: &trace.Review{Loop: s.RetryCount + 1, Score: q.Score, Passed: q.Passed, By: q.By, Feedback: q.Feedback}})
	if !q.Passed {
		a.loop(ctx, s)
	}
	return q, nil
}

// loop tells where a picture that did not pass goes.
func (a *Agent) loop(ctx context.Context, s *state) {
	e := trace.Event{Kind: trace.KindLoop, Node: critic, From: critic, To: a.edition.back, Reason: "not_passed"}
	if !s.mayRetry(a.edition.retries) {
		e.To, e.Reason = a.edition.on, trace.Exhausted
	}
	trace.Emit(ctx, e)
}

// judge asks the critic.
func (a *Agent) judge(ctx context.Context, s *state) (verdict, error) {
	if a.Critic == Heuristic {
		return a.edition.heuristic(a, s), nil
	}
	return a.consult(ctx, s)
}

// gradeV2 passes what scores above 0.7.
func gradeV2(v verdict) quality {
	q := quality{Passed: v.Score > 0.7, Score: v.Score, Feedback: v.Feedback, Suggestions: v.Suggestions}
	if q.Passed {
		q.Feedback = cmp.Or(q.Feedback, "图片质量符合要求")
		return q
	}
	q.Feedback = cmp.Or(q.Feedback, "图片可能需要调整，建议重新生成或调整参数")
	if len(q.Suggestions) == 0 {
		q.Suggestions = []string{"尝试调整风格强度", regenerate, "修改 Prompt"}
	}
	return q
}

// gradeV1 passes what scores 0.6, and has suggestions below 0.8.
func gradeV1(v verdict) quality {
	q := quality{Passed: v.Score >= 0.6, Score: v.Score, Feedback: v.Feedback, Suggestions: v.Suggestions}
	switch {
	case v.Score >= 0.8:
		q.Suggestions = nil
	case len(q.Suggestions) > 0:
	case q.Passed:
		q.Suggestions = []string{"可以尝试调整参数以获得更好效果"}
	default:
		q.Suggestions = []string{"建议增加更具体的风格描述", "可以尝试调整风格强度"}
	}
	return q
}
