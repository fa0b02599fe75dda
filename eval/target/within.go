package target

import (
	"context"
	"time"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/eval"
)

// TimeoutTarget bounds the time that a target may take for a whole conversation.
type TimeoutTarget struct {
	Target eval.Target
	Limit  time.Duration // besides what the user lets pass between turns; 0: none of its own
}

var _ eval.Target = TimeoutTarget{}

// Play ends with the target's error of kind timeout when the time is over.
func (w TimeoutTarget) Run(ctx context.Context, turns []agent.Turn) (eval.Outcome, error) {
	if w.Limit <= 0 {
		return w.Target.Run(ctx, turns)
	}
	ctx, cancel := clock.WithTimeout(ctx, w.Limit+agent.TotalDelay(turns))
	defer cancel()
	return w.Target.Run(ctx, turns)
}
