package scorer

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"evalctl/agent"
	"evalctl/eval"
)

// Retrieval judges what was found: a hit when it holds one of the entries that
// the case expects, or nothing where the case expects nothing. A case of
// several turns is a hit when all of its labelled turns are.
type Retrieval struct {
	Field string // of the expectation that lists the entries' ids
}

var _ eval.Scorer = Retrieval{}

// Score leaves a turn that ended in an apology unjudged, as nobody can tell
// what was not found from what was not looked for; it gives a case without the
// label no name.
func (s Retrieval) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	return labelled{name: "retrieval.hit_rate", want: s.want, rule: found}.score(c, o)
}

// want tells an expectation of nothing from none.
func (s Retrieval) want(step eval.Step) (want eval.OneOf, known bool, err error) {
	if len(step.Want) == 0 {
		return nil, false, nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(step.Want, &fields); err != nil {
		return nil, false, fmt.Errorf("expect: %w", err)
	}
	raw, known := fields[s.Field]
	if !known {
		return nil, false, nil
	}
	var ids []string
	if err := json.Unmarshal(raw, &ids); err != nil {
		return nil, false, fmt.Errorf("expect.%s: %w", s.Field, err)
	}
	return ids, true, nil
}

func found(r agent.Reply, want eval.OneOf) (got string, v eval.Verdict) {
	if r.Failure != nil {
		return "", eval.Unjudged
	}
	hit := len(want) == 0 && len(r.Retrieved) == 0
	ids := make([]string, len(r.Retrieved))
	for i, h := range r.Retrieved {
		ids[i] = h.ID
		hit = hit || want.Has(h.ID)
	}
	return strings.Join(ids, ", "), eval.PassIf(hit)
}
