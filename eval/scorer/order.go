package scorer

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"evalctl/agent/trace"
	"evalctl/eval"
)

// Order judges the stream of events that a user interface is sent: every turn
// has them in the right order, no component twice, and the answer at the end.
type Order struct {
	Pattern *regexp.Regexp // matches a right stream as a whole: words of "KIND:NODE "
}

var _ eval.Scorer = Order{}

// Score names the first turn that is out of order.
func (s Order) Score(_ context.Context, _ eval.Case, o eval.Outcome) (eval.Score, error) {
	score := aspect("events.in_order", max(len(o.Turns)-1, 0), true)
	for i, turn := range o.Turns {
		if wrong := s.check(turn.Events); wrong != "" {
			score = aspect("events.in_order", i, false)
			score.Reason = wrong
			break
		}
	}
	return score, nil
}

// check says what is wrong with a stream, "" when nothing is.
func (s Order) check(events []trace.Event) string {
	var stream strings.Builder
	shown := map[string]bool{}
	for i, e := range events {
		switch e.Kind {
		case trace.KindComponent:
			if shown[string(e.Data)] {
				return fmt.Sprintf("%s shows a component twice", e.Node)
			}
			shown[string(e.Data)] = true
		case trace.KindDone:
			if i != len(events)-1 {
				return "events follow the end"
			}
			continue
		case trace.KindThought, trace.KindError:
		default:
			continue
		}
		stream.WriteString(string(e.Kind) + ":" + e.Node + " ")
	}
	if !s.Pattern.MatchString(stream.String()) {
		return "out of order: " + strings.TrimSpace(stream.String())
	}
	return ""
}
