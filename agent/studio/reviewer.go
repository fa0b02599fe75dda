package studio

import (
	"context"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// reviewer is the critic: the node that scores an image and may reject it.
type reviewer struct {
	scoringStandard
	kind   Critic
	model  model[verdict] // unused with the heuristic critic
	prompt llm.Prompt
	seed   uint64

	applySuggestions bool
}

func newReviewer(cfg Config, rules scoringStandard) (reviewer, error) {
	m, err := newModel[verdict](criticNode, cfg.Reviewer)
	return reviewer{
		scoringStandard: rules,
		kind:            cfg.Critic,
		model:           m,
		prompt:          cfg.Prompts.Review,
		seed:            cfg.Seed,

		applySuggestions: cfg.ApplySuggestions,
	}, err
}

// review scores the image of the state. It stores the result in the state and in the trace. If the
// critic fails, the image passes. It returns an error only if the context has ended.
func (r reviewer) review(ctx context.Context, s *state) (quality, error) {
	var v verdict
	err := clock.CatchPanic(criticNode, func() (err error) {
		v, err = r.score(ctx, s)
		return err
	})
	if err != nil && ctx.Err() != nil {
		return quality{}, err
	}
	q := quality{Passed: true, RejectedWithoutScore: v.isRejected, Reviewer: trace.NoReviewer}
	if err == nil {
		q = r.grade(s, v)
		q.Reviewer = string(r.kind)
	} else {
		fallback(ctx, criticNode, "pass", llm.TraceReason(err))
	}
	s.Quality = &q
	review := trace.Review{
		Loop:     s.RetryCount + 1,
		Score:    q.Score,
		Passed:   q.Passed,
		Reviewer: q.Reviewer,
		Feedback: q.Feedback,
	}
	if q.Reviewer != trace.NoReviewer {
		review.CriticInput, review.ReviewedWork = r.criticInput(), attemptOf(s)
	}
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindReview,
		Node:   criticNode,
		Data:   trace.RawAnswerData(v.raw),
		Review: &review,
	})
	if !q.Passed {
		if r.applySuggestions {
			s.IsRepetition = !s.Prompt.addSuggestions(v.quality(false).Suggestions)
		}
		r.traceRejection(ctx, s)
	}
	return q, nil
}

// traceRejection records in the trace that the image was rejected, and which node continues.
func (r reviewer) traceRejection(ctx context.Context, s *state) {
	e := trace.Event{
		Kind:   trace.KindCriticLoop,
		Node:   criticNode,
		From:   criticNode,
		To:     r.rejectedTo,
		Reason: "rejected",
	}
	if !s.mayRetry(r.retries) {
		e.To, e.Reason = r.exhaustedTo, trace.ReasonMaxRounds
	}
	trace.Emit(ctx, e)
}

func (r reviewer) criticInput() trace.CriticInput {
	switch r.kind {
	case CriticVision:
		return trace.CriticInputImage
	case CriticLLM:
		return trace.CriticInputPrompt
	default:
		return r.scoringStandard.heuristicInput
	}
}

func (r reviewer) score(ctx context.Context, s *state) (verdict, error) {
	if r.kind == CriticHeuristic {
		return r.heuristic(r.seed, s), nil
	}
	return r.scoreWithModel(ctx, s)
}

// scoreWithModel returns the model's verdict on the image. Each attempt of a turn gets a new
// verdict, even if the request is identical.
func (r reviewer) scoreWithModel(ctx context.Context, s *state) (verdict, error) {
	system, err := r.prompt.Fill(reviewing{
		Action:  s.Intent.Action,
		Subject: s.Intent.Slots["subject"],
		Style:   s.Intent.Slots["style"],
		Prompt:  s.Prompt.Final,
	})
	if err != nil {
		return verdict{}, err
	}
	words := llm.UserMessage(s.Input.textOrDefault())
	if r.kind == CriticVision {
		words.Images = []string{s.Result.URL}
	}
	q := llm.Request{Messages: []llm.Message{llm.SystemMessage(system), words}}
	got, err := r.model.call(ctx, q, s.RetryCount+1, llm.AnswerSpec{Key: "score"}, (*verdict).check)
	got.Value.raw, got.Value.isRejected = got.Raw, (isInvalidAnswer(err) || isIncomplete(err)) && isRejection(got.Raw)
	return got.Value, err
}
