package toolrouter

import (
	"context"

	"evalctl/agent/toolrouter/intent"
)

// answerWithClock answers with the local time. The model may choose this route for a question about
// another city (纽约现在几点) or a holiday. If the rules find no question about the local time, the
// answer adds that the local clock cannot answer such questions.
func (r *run) answerWithClock(ctx context.Context) error {
	if err := r.emitTime(ctx); err != nil {
		return err
	}
	if _, plain := intent.DetectTime(r.turn.Text); !plain {
		r.emitChunk(ctx, inLanguageOf(r.turn.Text, "这是本机时钟的时间，外地的时间和节日的日期它答不了。",
			" That is the clock here, which knows neither the time elsewhere nor the dates of holidays."))
	}
	return nil
}
