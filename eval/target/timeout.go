package target

import (
	"context"
	"time"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/eval"
)

// TimeoutTarget runs another target and limits the duration of the whole conversation.
type TimeoutTarget struct {
	Target eval.Target   // target that runs the conversation
	Limit  time.Duration // limit without the user's pauses between turns; 0: no limit
}

var _ eval.Target = TimeoutTarget{}

// Run runs the target. When the limit is reached, it returns the target's error, whose kind is
// timeout.
func (w TimeoutTarget) Run(ctx context.Context, turns []agent.Turn) (eval.Outcome, error) {
	if w.Limit <= 0 {
		return w.Target.Run(ctx, turns)
	}
	ctx, cancel := clock.WithTimeout(ctx, w.Limit+agent.TotalDelay(turns))
	defer cancel()
	return w.Target.Run(ctx, turns)
}
