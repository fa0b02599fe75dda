package scorer

import (
	"context"
	"encoding/json"
	"fmt"

	"evalctl/eval"
)

// Fallback scores which component answered. Under an injected fault, it must be the one that the
// case expects for this fault (expect.under_fault). Without a fault, it must be the one in
// expect.answered_by.
type Fallback struct {
	Fault string // fault of the condition; eval.NoFault: none
}

var _ eval.Scorer = Fallback{}

// Score scores every turn with an expectation; a turn that did not run is unscored. Its details are
// those of the first unscored turn, or else of the first wrong one, or else of the last. For a case
// without an expectation, it returns a score without a name, which is not counted.
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

// expectedUnderFault returns the components that a case accepts as answering; nil: none.
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
