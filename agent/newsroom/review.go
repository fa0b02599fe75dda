package newsroom

import (
	"context"
	"strings"

	"evalctl/agent/trace"
)

// emitReview traces the result of a review. If the review approves the post, it ends the work.
func (w *work) emitReview(ctx context.Context) {
	s := &w.State
	w.reviews++
	next := shouldContinueReview(s.ReviewFeedback.Approved, s.QualityScores.isQualityApproved(w.rules.threshold))
	trace.Emit(ctx, trace.Event{Kind: trace.KindReview, Node: reviewAgent, Review: &trace.Review{
		Loop:     w.reviews,
		Score:    s.QualityScores.mean(),
		Passed:   next == end,
		Reviewer: byLLM,
		Feedback: clipRunes(strings.Join(s.ReviewFeedback.Comments, "；"), 500),
	}})
	if next == end {
		w.answeredBy = end
		w.addStep("", end, byReview, "")
	}
}
