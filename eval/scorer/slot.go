package scorer

import (
	"context"
	"fmt"

	"evalctl/agent"
	"evalctl/eval"
)

// Slot scores one slot: a value that the decision extracts besides the route, such as the subject
// of an image. It passes if the value contains an accepted word, or is empty if "" is accepted. All
// turns with an expectation must pass.
type Slot struct {
	Name  string // name of the slot, in cases and in the reply
	Exact bool   // the value must equal an accepted word, not just contain it
}

var _ eval.Scorer = Slot{}

// Score returns Unscored if there is no decision. A decision without slots counts as one with empty
// slots. For a case without an expectation, it returns a score without a name, which is not
// counted.
func (s Slot) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	return turnScorer{name: "slots." + s.Name, want: s.want, rule: s.rule}.score(c, o)
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
