package scorer

import (
	"context"
	"fmt"

	"evalctl/agent"
	"evalctl/eval"
)

// Attribute scores a label that describes how the answer was produced, such as the strategy. It
// passes if the reply reports an accepted label, in every turn that expects one.
type Attribute struct {
	Field string // field of the case's expect object, and key in Reply.Attributes
}

var _ eval.Scorer = Attribute{}

// Score returns Pass or Fail, or Unscored if an error reply does not report the attribute. For a
// case without an expectation, it returns a score without a name, which is not counted.
func (s Attribute) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	return turnScorer{name: s.Field + ".accuracy", want: s.want, rule: s.rule}.score(c, o)
}

func (s Attribute) want(step eval.LabeledTurn) (want eval.OneOf, known bool, err error) {
	want, err = step.Labels(s.Field)
	if err != nil {
		return nil, false, fmt.Errorf("expect.%s: %w", s.Field, err)
	}
	return want, want != nil, nil
}

func (s Attribute) rule(r agent.Reply, want eval.OneOf) (got string, v eval.Verdict) {
	got, isReported := r.Attributes[s.Field]
	if !isReported && r.ErrorReply != nil {
		return "", eval.Unscored
	}
	return got, eval.PassIf(want.Has(got))
}
