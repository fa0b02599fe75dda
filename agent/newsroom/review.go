package newsroom

import (
	"context"
	"strings"

	"evalctl/agent/trace"
)

// reviewed tells of a review, and ends the work where it lets the article go.
func (w *work) reviewed(ctx context.Context) {
	s := &w.State
	w.reviews++
	next := shouldContinueReview(s.ReviewFeedback.Approved, s.QualityScores.isQualityApproved(w.rules.threshold))
	trace.Emit(ctx, trace.Event{Kind: trace.KindReview, Node: reviewAgent, Review: &trace.Review{Loop: w.reviews, Score: s.QualityScores.mean(),
		Passed: next == end, Reviewer: byLLM, Feedback: shortened(strings.Join(s.ReviewFeedback.Comments, "；"), 500)}})
	if next == end {
		w.served = end
		w.step("", end, byReview, "")
	}
}
