package target

import (
	"context"
	"time"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/eval"
)

// TimeoutTarget limits the duration of a whole conversation.
type TimeoutTarget struct {
	Target eval.Target
	Limit  time.Duration // without the user's pauses between turns; 0: no limit
}

var _ eval.Target = TimeoutTarget{}

// Run returns the target's error when the time is over; its kind is timeout.
func (w TimeoutTarget) Run(ctx context.Context, turns []agent.Turn) (eval.Outcome, error) {
	if w.Limit <= 0 {
		return w.Target.Run(ctx, turns)
	}
	ctx, cancel := clock.WithTimeout(ctx, w.Limit+agent.TotalDelay(turns))
	defer cancel()
	return w.Target.Run(ctx, turns)
}
