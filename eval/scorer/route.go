// Package scorer judges outcomes, one question a file.
package scorer

import (
	"context"
	"fmt"

	"evalctl/eval"
)

// Route judges the decision: is the route that the agent took one of those
// that the user wants? A case of several turns is right when all of its judged
// turns are; Got and Want are those of the first wrong turn, else of the last.
type Route struct {
	Field string // of the expectation that holds the label: route, intent, action …
}

var _ eval.Scorer = Route{}

// Score leaves a case without a label unjudged, and one in which no decision
// could be made before any was wrong.
func (s Route) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	score := eval.Score{Name: eval.RouteScore}
	for i, step := range c.Turns {
		want, err := step.Labels(s.Field)
		if err != nil {
			return score, fmt.Errorf("%s: expect.%s: %w", c.Pos, s.Field, err)
		}
		if want == nil || score.Verdict == eval.Fail {
			continue
		}
		score.Want, score.Got, score.Turn = want, "", i+1
		if i < len(o.Turns) {
			score.Got = o.Turns[i].Reply.Predicted
		}
		if i >= len(o.Turns) || !o.Turns[i].Decided() {
			score.Verdict, score.Reason = eval.Unjudged, "no decision was made"
			return score, nil
		}
		score.Verdict = eval.PassIf(want.Has(score.Got))
	}
	if score.Verdict == eval.Pass {
		score.Value = 1
	}
	return score, nil
}
