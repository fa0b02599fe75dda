package scorer

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/eval"
)

// Retrieval judges what was found: a hit when it holds one of the entries that
// the case expects, or nothing where the case expects nothing. A case of
// several turns is a hit when all of its labelled turns are.
type Retrieval struct {
	Field string                 // of the expectation that lists the entries' ids
	As    func(id string) string // what the expectation calls what was found under an id; nil: the same
}

var _ eval.Scorer = Retrieval{}

// Score leaves a turn that ended in an apology unjudged, as nobody can tell
// what was not found from what was not looked for; it gives a case without the
// label no name.
func (s Retrieval) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	return labelled{name: "retrieval.hit_rate", want: s.want, rule: s.found}.score(c, o)
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

func (s Retrieval) found(r agent.Reply, want eval.OneOf) (got string, v eval.Verdict) {
	if r.Failure != nil {
		return "", eval.Unjudged
	}
	ids := foundIDs(r, s.As)
	hit := len(want) == 0 && len(ids) == 0 || slices.ContainsFunc(ids, want.Has)
	return strings.Join(ids, ", "), eval.PassIf(hit)
}

// foundIDs are what was found, best first, as expectations call it.
func foundIDs(r agent.Reply, as func(id string) string) []string {
	ids := make([]string, len(r.Retrieved))
	for i, h := range r.Retrieved {
		ids[i] = h.ID
		if as != nil {
			ids[i] = as(h.ID)
		}
	}
	return ids
}
