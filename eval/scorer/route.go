// Package scorer scores outcomes of trials, with one scorer per criterion.
package scorer

import (
	"context"
	"fmt"
	"slices"

	"evalctl/eval"
)

// Route scores the decision: the predicted route must be an accepted label. Every labeled turn is
// scored separately, also after a wrong one, because a label does not depend on earlier answers. A
// case of several turns passes if all of them do. It is unscored if one was lost, even if another
// is wrong. Otherwise the effect of a failed call would depend on the answers.
type Route struct {
	Field string // field of the expectation with the label: route, intent, action …
}

var _ eval.Scorer = Route{}

// Score leaves a case without a label unscored. Turn, Actual and Expected are those of the first
// turn without a decision, else of the first wrong one, else of the last.
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
	deciding := decidingTurn(turns)
	score.Turn = deciding.Turn
	score.Expected = deciding.Expected
	score.Actual = deciding.Actual
	score.Verdict = deciding.Verdict
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

// judge scores turn i, from 0.
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

// decidingTurn returns the turn that determines the score of the conversation.
func decidingTurn(turns []eval.TurnScore) eval.TurnScore {
	for _, v := range []eval.Verdict{eval.Unscored, eval.Fail} {
		if i := slices.IndexFunc(turns, func(j eval.TurnScore) bool { return j.Verdict == v }); i >= 0 {
			return turns[i]
		}
	}
	return turns[len(turns)-1]
}
