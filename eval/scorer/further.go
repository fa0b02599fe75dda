package scorer

import (
	"context"
	"fmt"

	"evalctl/agent"
	"evalctl/eval"
)

// Further judges one further label of how an answer came about, such as the strategy
// that was taken: right when the reply tells one of those that the case accepts. A case
// of several turns is right when all of its labelled turns are.
type Further struct {
	Field string // of the expectation, and of the reply's Aspects
}

var _ eval.Scorer = Further{}

// Score leaves an apology that tells no such label unjudged, and gives a case without the
// label no name.
func (s Further) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	return labelled{name: s.Field + ".accuracy", want: s.want, rule: s.rule}.score(c, o)
}

func (s Further) want(step eval.Step) (want eval.OneOf, known bool, err error) {
	want, err = step.Labels(s.Field)
	if err != nil {
		return nil, false, fmt.Errorf("expect.%s: %w", s.Field, err)
	}
	return want, want != nil, nil
}

func (s Further) rule(r agent.Reply, want eval.OneOf) (got string, v eval.Verdict) {
	got, told := r.Aspects[s.Field]
	if !told && r.Failure != nil {
		return "", eval.Unjudged
	}
	return got, eval.PassIf(want.Has(got))
}
