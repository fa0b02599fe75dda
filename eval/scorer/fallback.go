package scorer

import (
	"context"
	"encoding/json"
	"fmt"

	"evalctl/eval"
)

// Fallback judges the degraded answer: under an injected fault, is the route
// that finally answered the one that the case expects there (expect.under);
// without a fault, the one that a closed gate leaves (expect.served)?
type Fallback struct {
	Fault string // of the cell; eval.NoFault without one
}

var _ eval.Scorer = Fallback{}

// Score leaves a case that expects nothing of the kind unjudged, without a name: most
// cases are such. Every turn that expects something is judged, and one that was not
// played is unjudged. Turn, Got and Want are of the first that was not, else of the
// first wrong one, else of the last.
func (s Fallback) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	var turns []eval.TurnScore
	for i, step := range c.Turns {
		want, err := s.want(step)
		if err != nil {
			return eval.Score{}, fmt.Errorf("%s: expect: %w", c.Pos, err)
		}
		if want == nil {
			continue
		}
		j := eval.TurnScore{Turn: i + 1, Expected: want}
		if i < len(o.Turns) {
			j.Actual = o.Turns[i].Reply.AnsweredBy
			j.Answered, j.Verdict = j.Actual != "", eval.PassIf(want.Has(j.Actual))
		}
		turns = append(turns, j)
	}
	if len(turns) == 0 {
		return eval.Score{}, nil
	}
	tells := telling(turns)
	score := eval.Score{Name: eval.FallbackScore, Turn: tells.Turn, Expected: tells.Expected, Actual: tells.Actual, Verdict: tells.Verdict}
	if len(turns) > 1 {
		score.Turns = turns
	}
	if score.Verdict == eval.Pass {
		score.Value = 1
	}
	return score, nil
}

func (s Fallback) want(step eval.LabeledTurn) (eval.OneOf, error) {
	if s.Fault == eval.NoFault {
		return step.Labels("answered_by")
	}
	return underOf(step, s.Fault)
}

// underOf is what a turn expects to answer under a fault; nil: it does not say.
func underOf(step eval.LabeledTurn, fault string) (eval.OneOf, error) {
	if len(step.Expected) == 0 {
		return nil, nil
	}
	var expect struct {
		Under map[string]eval.OneOf `json:"under_fault"`
	}
	err := json.Unmarshal(step.Expected, &expect)
	return expect.Under[fault], err
}
