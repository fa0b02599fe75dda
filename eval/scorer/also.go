package scorer

import (
	"context"
	"fmt"

	"evalctl/agent"
	"evalctl/eval"
)

// ExtraLabel judges the decision in the light of a further label, such as where work
// that is not good enough is to go back to.
type ExtraLabel struct {
	Field string // of the expectation that holds the label
}

var _ eval.Scorer = ExtraLabel{}

// Score leaves a decision that could not be made unjudged, and gives a case
// without the label no name.
func (s ExtraLabel) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	return labeled{name: s.Field + ".accuracy", want: s.want, rule: decidedOn}.score(c, o)
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
