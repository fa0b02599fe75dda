package scorer

import (
	"context"
	"fmt"

	"evalctl/agent"
	"evalctl/eval"
)

// Attribute scores an additional label of how an answer was produced, such as the strategy. It
// passes if the reply reports an accepted label. A case of several turns passes if all labeled
// turns do.
type Attribute struct {
	Field string // field of the expectation, and key in the reply's Attributes
}

var _ eval.Scorer = Attribute{}

// Score leaves an error reply without the label unscored. For a case without the label the score
// has no name.
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
	got, isReported := r.Attributes[s.Field]
	if !isReported && r.ErrorReply != nil {
		return "", eval.Unscored
	}
	return got, eval.PassIf(want.Has(got))
}
