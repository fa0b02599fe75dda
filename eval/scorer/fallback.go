package scorer

import (
	"context"
	"encoding/json"
	"fmt"

	"evalctl/eval"
)

// Fallback scores the degraded answer. Under an injected fault the route that answered must be the
// expected one (expect.under_fault). Without a fault it must be the one that a closed gate leaves
// (expect.answered_by).
type Fallback struct {
	Fault string // of the condition; eval.NoFault: no fault
}

var _ eval.Scorer = Fallback{}

// Score returns a score without a name for a case without such an expectation, as most cases. Every
// turn with an expectation is scored; a turn that did not run is unscored. Turn, Actual and
// Expected are of the first unscored turn, else of the first wrong one, else of the last.
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
	deciding := decidingTurn(turns)
	score := eval.Score{
		Name:     eval.FallbackScore,
		Turn:     deciding.Turn,
		Expected: deciding.Expected,
		Actual:   deciding.Actual,
		Verdict:  deciding.Verdict,
	}
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
	return expectedUnderFault(step, s.Fault)
}

// expectedUnderFault returns the components that a turn expects to answer under a fault; nil: no
// expectation.
func expectedUnderFault(step eval.LabeledTurn, fault string) (eval.OneOf, error) {
	if len(step.Expected) == 0 {
		return nil, nil
	}
	var expect struct {
		Under map[string]eval.OneOf `json:"under_fault"`
	}
	err := json.Unmarshal(step.Expected, &expect)
	return expect.Under[fault], err
}
