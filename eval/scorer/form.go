package scorer

import (
	"context"

	"evalctl/agent/trace"
	"evalctl/eval"
)

// FormCheck judges whether all answers that a form was asked of were in that form,
// whatever was made of those that were not. A case of several turns is right when
// all of them are.
type FormCheck struct {
	Node string // whose answers; "": anybody's
}

var _ eval.Scorer = FormCheck{}

// Score names the first answer that was not in its form. A case in which no answer
// was asked for in a form, or none came, has no name.
func (s FormCheck) Score(_ context.Context, _ eval.Case, o eval.Outcome) (eval.Score, error) {
	var score eval.Score
	for i, turn := range o.Turns {
		for _, e := range turn.Events {
			if e.Kind != trace.KindFormCheck || s.Node != "" && e.Node != s.Node {
				continue
			}
			score = aspect(s.name(), i+1, eval.PassIf(e.Reason == ""))
			if e.Reason == "" {
				continue
			}
			score.Reason = e.Node + ": " + e.Reason
			if e.Text != "" {
				score.Reason += ": " + e.Text
			}
			return score, nil
		}
	}
	return score, nil
}

func (s FormCheck) name() string {
	if s.Node == "" {
		return "form.conformity"
	}
	return "form.conformity." + s.Node
}
