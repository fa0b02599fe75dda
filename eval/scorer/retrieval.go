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

// HitRate judges what was found: a hit when it holds one of the entries that
// the case expects, or nothing where the case expects nothing. A case of
// several turns is a hit when all of its labelled turns are.
type HitRate struct {
	Field string                 // of the expectation that lists the entries' ids
	As    func(id string) string // what the expectation calls what was found under an id; nil: the same
}

var _ eval.Scorer = HitRate{}

// Score leaves a turn that ended in an apology unjudged, as nobody can tell
// what was not found from what was not looked for; it gives a case without the
// label no name.
func (s HitRate) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	return labeled{name: "retrieval.hit_rate", want: s.want, rule: s.found}.score(c, o)
}

// want tells an expectation of nothing from none.
func (s HitRate) want(step eval.LabeledTurn) (want eval.OneOf, known bool, err error) {
	if len(step.Expected) == 0 {
		return nil, false, nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(step.Expected, &fields); err != nil {
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

func (s HitRate) found(r agent.Reply, want eval.OneOf) (got string, v eval.Verdict) {
	if r.ErrorReply != nil {
		return "", eval.Unscored
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
