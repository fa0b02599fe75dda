package scorer

import (
	"context"
	"fmt"

	"evalctl/agent"
	"evalctl/eval"
)

// ExtraLabel scores the decision against a second label of the case, such as the step that
// insufficient work must return to.
type ExtraLabel struct {
	Field string // field of the case's expect object that contains the label
}

var _ eval.Scorer = ExtraLabel{}

// Score returns Pass if the decision is an accepted label, and Unscored if there is no decision.
// For a case without the label, it returns a score without a name, which is not counted.
func (s ExtraLabel) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	return turnScorer{name: s.Field + ".accuracy", want: s.want, rule: decidedOn}.score(c, o)
}

func (s ExtraLabel) want(step eval.LabeledTurn) (want eval.OneOf, known bool, err error) {
	want, err = step.Labels(s.Field)
	if err != nil {
		return nil, false, fmt.Errorf("expect.%s: %w", s.Field, err)
	}
	return want, want != nil, nil
}

func decidedOn(r agent.Reply, want eval.OneOf) (got string, v eval.Verdict) {
	if !r.HasDecision() {
		return r.Predicted, eval.Unscored
	}
	return r.Predicted, eval.PassIf(want.Has(r.Predicted))
}
