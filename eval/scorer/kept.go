package scorer

import (
	"context"
	"fmt"

	"evalctl/agent/trace"
	"evalctl/eval"
)

// Kept judges how many facts of earlier turns a session still holds once it was
// compressed: of those that the case lists for a turn, the share that stands, as Covering
// takes it, in what the last compression of the session in that turn or before it left.
// Turns that list none, or before which nothing was compressed, do not count. Of several
// it is the mean.
type Kept struct {
	Field string // of the expectation that lists the facts
}

var _ eval.Scorer = Kept{}

// Score has the share as its value, and passes where it is all of them. A turn that was
// not played leaves the case unjudged, whether or not it would have counted.
func (s Kept) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	left := map[string]string{} // by session
	return meanOfTurns(eval.KeptScore, c, func(i int) (eval.Score, bool, error) {
		facts, err := c.Turns[i].Facts(s.Field)
		if err != nil {
			return eval.Score{}, false, fmt.Errorf("expect.%s: %w", s.Field, err)
		}
		if i >= len(o.Turns) {
			return shareOf(eval.KeptScore, i+1, facts, nil), len(facts) > 0, nil
		}
		session := c.Turns[i].Session
		if session == "" { // none but the turn's own
			delete(left, session)
		}
		if context, ok := lastContext(o.Turns[i].Events); ok {
			left[session] = context
		}
		text, compressed := left[session]
		if len(facts) == 0 || !compressed {
			return eval.Score{}, false, nil
		}
		return shareOf(eval.KeptScore, i+1, facts, covered(text, facts)), true, nil
	})
}

// lastContext is what the last compression of a turn left.
func lastContext(events []trace.Event) (text string, ok bool) {
	for _, e := range events {
		if c, is := eval.Compressed(e); is {
			text, ok = c.Context, true
		}
	}
	return text, ok
}
