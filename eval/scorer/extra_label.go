package scorer

import (
	"context"
	"fmt"

	"evalctl/agent"
	"evalctl/eval"
)

// ExtraLabel scores the decision by an additional label, such as the step that insufficient work
// must return to.
type ExtraLabel struct {
	Field string // field of the expectation with the label
}

var _ eval.Scorer = ExtraLabel{}

// Score leaves a missing decision unscored. For a case without the label the score has no name.
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
