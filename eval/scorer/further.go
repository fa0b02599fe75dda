package scorer

import (
	"context"
	"fmt"

	"evalctl/agent"
	"evalctl/eval"
)

// Attribute judges one further label of how an answer came about, such as the strategy
// that was taken: right when the reply tells one of those that the case accepts. A case
// of several turns is right when all of its labelled turns are.
type Attribute struct {
	Field string // of the expectation, and of the reply's Aspects
}

var _ eval.Scorer = Attribute{}

// Score leaves an apology that tells no such label unjudged, and gives a case without the
// label no name.
func (s Attribute) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	return labeled{name: s.Field + ".accuracy", want: s.want, rule: s.rule}.score(c, o)
}

func (s Attribute) want(step eval.LabeledTurn) (want eval.OneOf, known bool, err error) {
	want, err = step.Labels(s.Field)
	if err != nil {
		return nil, false, fmt.Errorf("expect.%s: %w", s.Field, err)
	}
	return want, want != nil, nil
}

func (s Attribute) rule(r agent.Reply, want eval.OneOf) (got string, v eval.Verdict) {
	got, told := r.Attributes[s.Field]
	if !told && r.ErrorReply != nil {
		return "", eval.Unscored
	}
	return got, eval.PassIf(want.Has(got))
}
