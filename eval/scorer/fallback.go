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

// Score leaves a case that expects nothing of the kind unjudged, without a
// name: most cases are such. The last turn is judged.
func (s Fallback) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	last := len(c.Turns) - 1
	want, err := s.want(c.Turns[last])
	if err != nil {
		return eval.Score{}, fmt.Errorf("%s: expect: %w", c.Pos, err)
	}
	if want == nil {
		return eval.Score{}, nil
	}
	score := eval.Score{Name: eval.FallbackScore, Turn: last + 1, Want: want}
	if last < len(o.Turns) {
		score.Got = o.Turns[last].Reply.Served
	}
	score.Verdict = eval.PassIf(want.Has(score.Got))
	if score.Verdict == eval.Pass {
		score.Value = 1
	}
	return score, nil
}

func (s Fallback) want(step eval.Step) (eval.OneOf, error) {
	if s.Fault == eval.NoFault {
		return step.Labels("served")
	}
	if len(step.Want) == 0 {
		return nil, nil
	}
	var expect struct {
		Under map[string]eval.OneOf `json:"under"`
	}
	err := json.Unmarshal(step.Want, &expect)
	return expect.Under[s.Fault], err
}
