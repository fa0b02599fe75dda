package studio

import (
	"context"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// reviewer judges the pictures and may send them back.
type reviewer struct {
	standard
	kind   Critic
	model  model[verdict] // unused by the heuristic critic
	prompt llm.Prompt
	seed   uint64
}

func newReviewer(cfg Config, rules standard) (reviewer, error) {
	m, err := newModel[verdict](criticNode, cfg.Reviewer)
	return reviewer{standard: rules, kind: cfg.Critic, model: m, prompt: cfg.Prompts.Review, seed: cfg.Seed}, err
}

// review judges the picture and leaves that in the state and in the trace. The
// error is of a context that has ended.
func (r reviewer) review(ctx context.Context, s *state) (quality, error) {
	var v verdict
	err := clock.CatchPanic(criticNode, func() (err error) {
		v, err = r.judge(ctx, s)
		return err
	})
	if err != nil && ctx.Err() != nil {
		return quality{}, err
	}
	q := quality{Passed: true, Denied: v.denied, By: trace.NoReviewer}
	if err == nil {
		q = r.grade(v)
		q.By = string(r.kind)
	} else {
		fallback(ctx, criticNode, "pass", llm.Reason(err))
	}
	s.Quality = &q
	said := trace.Review{Loop: s.RetryCount + 1, Score: q.Score, Passed: q.Passed, Reviewer: q.By, Feedback: q.Feedback}
	if q.By != trace.NoReviewer {
		said.CriticInput, said.Attempt = r.shown(), attemptOf(s)
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindReview, Node: criticNode, Data: trace.AnswerData(v.raw), Review: &said})
	if !q.Passed {
		r.loop(ctx, s)
	}
	return q, nil
}

// loop tells where a picture that did not pass goes.
func (r reviewer) loop(ctx context.Context, s *state) {
	e := trace.Event{Kind: trace.KindLoop, Node: criticNode, From: criticNode, To: r.back, Reason: "rejected"}
	if !s.mayRetry(r.retries) {
		e.To, e.Reason = r.on, trace.Exhausted
	}
	trace.Emit(ctx, e)
}

// shown is what the critic is shown.
func (r reviewer) shown() trace.CriticInput {
	switch r.kind {
	case Vision:
		return trace.ShownImage
	case LLM:
		return trace.ShownPrompt
	default:
		return r.standard.shown
	}
}

// judge asks the critic.
func (r reviewer) judge(ctx context.Context, s *state) (verdict, error) {
	if r.kind == Heuristic {
		return r.heuristic(r.seed, s), nil
	}
	return r.consult(ctx, s)
}

// consult has the model judge. Each loop of a turn asks anew.
func (r reviewer) consult(ctx context.Context, s *state) (verdict, error) {
	system, err := r.prompt.Fill(reviewing{
		Action: s.Intent.Action, Subject: s.Intent.Slots["subject"], Style: s.Intent.Slots["style"], Prompt: s.Prompt.Final,
	})
	if err != nil {
		return verdict{}, err
	}
	words := llm.User(s.Input.words())
	if r.kind == Vision {
		words.Images = []string{s.Result.URL}
	}
	q := llm.Request{Messages: []llm.Message{llm.System(system), words}}
	got, err := r.model.ask(ctx, q, s.RetryCount+1, llm.Form{Key: "score"}, (*verdict).check)
	got.Value.raw, got.Value.denied = got.Raw, (invalid(err) || unfinished(err)) && denies(got.Raw)
	return got.Value, err
}
