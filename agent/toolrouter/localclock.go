package toolrouter

import (
	"context"

	"evalctl/agent/toolrouter/intent"
)

// askClock answers with the local time. If only the model, and not the rules, recognized a time
// question, it may concern another place or a holiday (纽约现在几点). The answer then adds that the local
// clock cannot answer these.
func (r *run) askClock(ctx context.Context) error {
	if err := r.tellTime(ctx); err != nil {
		return err
	}
	if _, plain := intent.DetectTime(r.turn.Text); !plain {
		r.emitChunk(ctx, inLanguageOf(r.turn.Text, "这是本机时钟的时间，外地的时间和节日的日期它答不了。",
			" That is the clock here, which knows neither the time elsewhere nor the dates of holidays."))
	}
	return nil
}
