// Package scorer compares the outcome of a trial with what its case expects. Each scorer checks one
// criterion, such as the route or the stated facts.
package scorer

import (
	"context"
	"fmt"
	"slices"

	"evalctl/eval"
)

// Route scores the decision: the predicted route must be a label that the case accepts. Each
// labeled turn is scored separately, because its label does not depend on earlier answers. A
// conversation passes if all labeled turns do. It is unscored if one of them has no decision, even
// if another is wrong. Otherwise the effect of a failed call would depend on the other answers.
type Route struct {
	Field string // field of the case's expect object that contains the label, such as route or intent
}

var _ eval.Scorer = Route{}

// Score returns the score of a case; it is unscored if the case has no label. Its details are those
// of the first turn without a decision, or else of the first wrong turn, or else of the last.
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

// judge scores the decision of turn i, from 0.
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

// decidingTurn returns the turn whose details are those of the conversation: the first unscored
// one, or else the first wrong one, or else the last.
func decidingTurn(turns []eval.TurnScore) eval.TurnScore {
	for _, v := range []eval.Verdict{eval.Unscored, eval.Fail} {
		if i := slices.IndexFunc(turns, func(j eval.TurnScore) bool { return j.Verdict == v }); i >= 0 {
			return turns[i]
		}
	}
	return turns[len(turns)-1]
}
