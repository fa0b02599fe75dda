package scorer

import (
	"context"
	"fmt"

	"evalctl/agent"
	"evalctl/eval"
)

// Slot scores one value that the decision extracts in addition to the route, such as the subject of
// an image. It passes if the value contains an accepted word, or is empty where "" is accepted. A
// case of several turns passes if all labeled turns do.
type Slot struct {
	Name  string // of the slot, in the expectation and in the reply
	Exact bool   // the value must equal an accepted word
}

var _ eval.Scorer = Slot{}

// Score leaves a missing decision unscored. For a case without the label the score has no name. A
// decision without slots has empty slots, regardless of its answer.
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
	return got, eval.PassIf(containsAccepted(got, want))
}
