package target

import (
	"context"
	"time"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/eval"
)

// Within bounds the time that a target may take for a whole conversation.
type Within struct {
	Target eval.Target
	Limit  time.Duration // besides what the user lets pass between turns; 0: none of its own
}

var _ eval.Target = Within{}

// Play ends with the target's error of kind timeout when the time is over.
func (w Within) Play(ctx context.Context, turns []agent.Turn) (eval.Outcome, error) {
	if w.Limit <= 0 {
		return w.Target.Play(ctx, turns)
	}
	ctx, cancel := clock.WithTimeout(ctx, w.Limit+agent.Pauses(turns))
	defer cancel()
	return w.Target.Play(ctx, turns)
}
