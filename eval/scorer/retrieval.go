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

// HitRate scores retrieval: a hit if an expected entry is found, or if nothing is found and nothing
// is expected. A case of several turns is a hit if all labeled turns are.
type HitRate struct {
	Field       string                 // field of the expectation with the entries' ids
	CanonicalID func(id string) string // maps a retrieved id to the expectation's id; nil: identical
}

var _ eval.Scorer = HitRate{}

// Score leaves a turn that ended in an error reply unscored, because an empty result may mean that
// no search took place. For a case without the label the score has no name.
func (s HitRate) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	return labeled{name: "retrieval.hit_rate", want: s.want, rule: s.found}.score(c, o)
}

// want distinguishes an expectation of nothing from no expectation.
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
	ids := foundIDs(r, s.CanonicalID)
	hit := len(want) == 0 && len(ids) == 0 || slices.ContainsFunc(ids, want.Has)
	return strings.Join(ids, ", "), eval.PassIf(hit)
}

// foundIDs returns the retrieved ids, best first, as used in expectations.
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
