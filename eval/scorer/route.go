// Package scorer judges outcomes, one question a file.
package scorer

import (
	"context"
	"fmt"
	"slices"

	"evalctl/eval"
)

// Route judges the decision: is the route that the agent took one of those
// that the user wants? Every labelled turn is judged on its own, also after a
// wrong one: what the user wants is as the label says, whatever was answered
// before. A case of several turns is right when all of them are, and unjudged where
// one was lost, whether or not another is wrong: else what a failed call costs
// would depend on the answers.
type Route struct {
	Field string // of the expectation that holds the label: route, intent, action …
}

var _ eval.Scorer = Route{}

// Score leaves a case without a label unjudged. Turn, Got and Want are those of
// the first turn without a decision, else of the first wrong one, else of the last.
func (s Route) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	score := eval.Score{Name: eval.RouteScore}
	var turns []eval.TurnScore
	for i, step := range c.Turns {
		want, err := step.Labels(s.Field)
		if err != nil {
			return score, fmt.Errorf("%s: expect.%s: %w", c.Pos, s.Field, err)
		}
		if want != nil {
			turns = append(turns, judge(i, want, o))
		}
	}
	if len(turns) == 0 {
		return score, nil
	}
	tells := telling(turns)
	score.Turn, score.Expected, score.Actual, score.Verdict = tells.Turn, tells.Expected, tells.Actual, tells.Verdict
	if len(turns) > 1 {
		score.Turns = turns
	}
	switch score.Verdict {
	case eval.Pass:
		score.Value = 1
	case eval.Unscored:
		score.Reason = "no decision was made"
	}
	return score, nil
}

// judge is of turn i, from 0.
func judge(i int, want eval.OneOf, o eval.Outcome) eval.TurnScore {
	j := eval.TurnScore{Turn: i + 1, Expected: want}
	if i >= len(o.Turns) {
		return j
	}
	played := o.Turns[i]
	j.Actual, j.Answered = played.Reply.Predicted, played.Reply.AnsweredBy != ""
	if played.HasDecision() {
		j.Verdict = eval.PassIf(want.Has(j.Actual))
	}
	return j
}

// telling is the judgement that makes out the conversation's.
func telling(turns []eval.TurnScore) eval.TurnScore {
	for _, v := range []eval.Verdict{eval.Unscored, eval.Fail} {
		if i := slices.IndexFunc(turns, func(j eval.TurnScore) bool { return j.Verdict == v }); i >= 0 {
			return turns[i]
		}
	}
	return turns[len(turns)-1]
}
