package scorer

import (
	"context"

	"evalctl/agent/trace"
	"evalctl/eval"
)

// FormCheck scores whether all answers with a required form had this form, regardless of how
// invalid ones were handled. A case of several turns passes if all of them pass.
type FormCheck struct {
	Node string // node whose answers count; "": all
}

var _ eval.Scorer = FormCheck{}

// Score names the first answer without its required form. A case without such an answer gets a
// score without a name.
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
