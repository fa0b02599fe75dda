package scorer

import (
	"context"
	"fmt"

	"evalctl/agent"
	"evalctl/eval"
)

// Slot judges one value that the decision names besides the route, such as the
// subject of a picture: right when it holds one of the accepted words; where ""
// is accepted, when it is empty. A case of several turns is right when all of
// its labelled turns are.
type Slot struct {
	Name  string // of the slot, in the expectation and in the reply
	Exact bool   // it is right only when it is one of the accepted words, and nothing besides
}

var _ eval.Scorer = Slot{}

// Score leaves a decision that could not be made unjudged, and gives a case without
// the label no name. A decision that names nothing has empty slots, whatever comes of
// its answer.
func (s Slot) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	return labeled{name: "slots." + s.Name, want: s.want, rule: s.rule}.score(c, o)
}

func (s Slot) want(step eval.LabeledTurn) (want eval.OneOf, known bool, err error) {
	slots, err := step.Slots()
	if err != nil {
		return nil, false, fmt.Errorf("expect.slots: %w", err)
	}
	want = slots[s.Name]
	return want, want != nil, nil
}

func (s Slot) rule(r agent.Reply, want eval.OneOf) (got string, v eval.Verdict) {
	if r.Slots == nil && !r.HasDecision() {
		return "", eval.Unscored
	}
	got = r.Slots[s.Name]
	if s.Exact {
		return got, eval.PassIf(want.Has(got))
	}
	return got, eval.PassIf(holds(got, want))
}
