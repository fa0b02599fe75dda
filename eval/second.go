package eval

import (
	"context"
	"fmt"

	"evalctl/agent/clock"
	"evalctl/agent/trace"
)

// judgeAgain obtains an independent second judgment of the first attempt, for each turn whose first
// attempt the critic sent back.
func (t Trial) judgeAgain(ctx context.Context, o *Outcome) {
	if t.Condition.NewJudge == nil {
		return
	}
	for i, p := range o.Turns {
		if first := sentBack(p.Events); first != nil {
			again := t
			again.RescoredTurn = i + 1
			o.Turns[i].SecondJudgment = again.judgeFirstAttempt(ctx, first.ReviewedWork)
		}
	}
}

// sentBack returns the review that sent the first attempt back, or nil if none did.
func sentBack(events []trace.Event) (first *trace.Review) {
	for _, e := range events {
		switch e.Kind {
		case trace.KindReview:
			first = e.Review
		case trace.KindCriticLoop:
			if e.Reason == trace.ReasonMaxRounds {
				return nil
			}
			return first
		}
	}
	return nil
}

func (t Trial) judgeFirstAttempt(ctx context.Context, attempt any) *SecondJudgmentTrace {
	r := &SecondJudgmentTrace{Events: []trace.Event{}}
	err := clock.CatchPanic("second judgement", func() error {
		judge, err := t.Condition.NewJudge(t)
		if err != nil {
			return err
		}
		score, err := judge(trace.WithRecorder(ctx, func(e trace.Event) { r.Events = append(r.Events, e) }), attempt)
		switch {
		case err != nil:
			return err
		case !(score >= 0 && score <= 1):
			return fmt.Errorf("score %v is not in 0..1", score)
		}
		r.Score = &score
		return nil
	})
	if err != nil {
		r.Error = err.Error()
	}
	return r
}
