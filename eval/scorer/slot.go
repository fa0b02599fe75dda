package scorer

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"evalctl/agent"
	"evalctl/eval"
)

// Slot judges one value that the decision names besides the route, such as the
// subject of a picture: right when it holds one of the accepted words; where ""
// is accepted, when it is empty. A case of several turns is right when all of
// its labelled turns are.
type Slot struct {
	Name string // of the slot, in the expectation and in the reply
}

var _ eval.Scorer = Slot{}

// Score leaves a decision that could not be made unjudged, and gives a case
// without the label no name.
func (s Slot) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	return labelled{name: "slots." + s.Name, want: s.want, rule: s.rule}.score(c, o)
}

func (s Slot) want(step eval.Step) (want eval.OneOf, known bool, err error) {
	if len(step.Want) == 0 {
		return nil, false, nil
	}
	var expect struct {
		Slots map[string]eval.OneOf `json:"slots"`
	}
	if err := json.Unmarshal(step.Want, &expect); err != nil {
		return nil, false, fmt.Errorf("expect.slots: %w", err)
	}
	want = expect.Slots[s.Name]
	return want, want != nil, nil
}

func (s Slot) rule(r agent.Reply, want eval.OneOf) (got string, v eval.Verdict) {
	if r.Failure != nil && r.Slots == nil {
		return "", eval.Unjudged
	}
	got = r.Slots[s.Name]
	return got, eval.PassIf(holds(got, want))
}

// holds compares without regard to case, width and spaces.
func holds(got string, want eval.OneOf) bool {
	got = fold(got)
	for _, w := range want {
		if w = fold(w); w == got || w != "" && strings.Contains(got, w) {
			return true
		}
	}
	return false
}

func fold(text string) string {
	return strings.Join(strings.Fields(strings.ToLower(norm.NFKC.String(text))), "")
}
