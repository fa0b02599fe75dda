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

// HitRate scores whether a search succeeded: it found an expected entry, or nothing if nothing is
// expected. All turns with an expectation must succeed.
type HitRate struct {
	Field       string                 // field of the case's expect object that lists the IDs of entries
	CanonicalID func(id string) string // maps a retrieved ID to the form used in cases; nil: they are the same
}

var _ eval.Scorer = HitRate{}

// Score passes if the search succeeded. A turn that ended in an error reply is unscored, because it
// may not have searched. For a case without an expectation, it returns a score without a name,
// which is not counted.
func (s HitRate) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	return turnScorer{name: "retrieval.hit_rate", want: s.want, rule: s.found}.score(c, o)
}

// want returns the IDs that a turn expects. known is false if the turn has no expectation; an empty
// list with known set expects that nothing is found.
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

// foundIDs returns the retrieved IDs, best first, in the form used in cases.
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
