package eval

import (
	"context"
	"fmt"

	"evalctl/agent/clock"
	"evalctl/agent/trace"
)

// Judge gives the score, 0..1, of the Attempt of a Review.
type Judge func(ctx context.Context, attempt any) (score float64, err error)

// Rejudged is a second judgement of a turn's first attempt. It knows nothing of
// the first judgement, or of the later attempts, and counts to no turn: an
// attempt goes round because its first score was low, which is partly bad luck;
// the second has luck of its own, and what the next attempt gained over that is
// no return to the mean.
type Rejudged struct {
	Score  *float64      `json:"score"` // null: the judge failed
	Error  string        `json:"error,omitempty"`
	Events []trace.Event `json:"events"`
}

// rejudge has the first attempt judged once more of every turn that went round.
func (t Trial) rejudge(ctx context.Context, o *Outcome) {
	if t.Cell.Judge == nil {
		return
	}
	for i, p := range o.Turns {
		if first := sentBack(p.Events); first != nil {
			again := t
			again.Again = i + 1
			o.Turns[i].Second = again.second(ctx, first.Attempt)
		}
	}
}

// sentBack is the judgement with which a turn went round once more, nil where it
// did not.
func sentBack(events []trace.Event) (first *trace.Review) {
	for _, e := range events {
		switch e.Kind {
		case trace.KindReview:
			first = e.Review
		case trace.KindLoop:
			if e.Reason == trace.Exhausted {
				return nil
			}
			return first
		}
	}
	return nil
}

func (t Trial) second(ctx context.Context, attempt any) *Rejudged {
	r := &Rejudged{Events: []trace.Event{}}
	err := clock.Protect("second judgement", func() error {
		judge, err := t.Cell.Judge(t)
		if err != nil {
			return err
		}
		score, err := judge(trace.With(ctx, func(e trace.Event) { r.Events = append(r.Events, e) }), attempt)
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

// Second is what a second judgement came to, and what it took.
type Second struct {
	Score  *float64 `json:"score"` // null: the judge failed
	Calls  int64    `json:"calls"`
	Tokens Tokens   `json:"tokens"`
	Cost   *float64 `json:"cost"` // USD; null: something has no price
}

// row is the second judgement without its events; nil of nil.
func (r *Rejudged) row(prices Prices) *Second {
	if r == nil {
		return nil
	}
	var spent bill
	for _, e := range r.Events {
		if e.Kind == trace.KindSpan && e.Span != nil {
			spent.add(e.Span, prices)
		}
	}
	return &Second{Score: r.Score, Calls: spent.calls, Tokens: spent.tokens, Cost: spent.dollars()}
}
