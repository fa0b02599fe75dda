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
	Field string // of the expectation that lists the entries' ids
}

var _ eval.Scorer = Retrieval{}

// Score leaves a case without the label, and a turn that ended in an apology,
// unjudged, without a name.
func (s Retrieval) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	var score eval.Score
	for i, step := range c.Turns {
		want, labelled, err := s.want(step)
		if err != nil {
			return score, fmt.Errorf("%s: expect.%s: %w", c.Pos, s.Field, err)
		}
		if !labelled || score.Verdict == eval.Fail || i >= len(o.Turns) || o.Turns[i].Reply.Failure != nil {
			continue
		}
		got := ids(o.Turns[i].Reply.Retrieved)
		hit := len(want) == 0 && len(got) == 0 ||
			slices.ContainsFunc(got, func(id string) bool { return slices.Contains(want, id) })
		score = aspect("retrieval.hit_rate", i, hit)
		score.Got, score.Want = strings.Join(got, ", "), want
	}
	return score, nil
}

// want tells an expectation of nothing from none.
func (s Retrieval) want(step eval.Step) (want []string, labelled bool, err error) {
	if len(step.Want) == 0 {
		return nil, false, nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(step.Want, &fields); err != nil {
		return nil, false, err
	}
	raw, labelled := fields[s.Field]
	if !labelled {
		return nil, false, nil
	}
	return want, true, json.Unmarshal(raw, &want)
}

func ids(hits []agent.Hit) (list []string) {
	for _, h := range hits {
		list = append(list, h.ID)
	}
	return list
}
