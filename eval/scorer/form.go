package scorer

import (
	"context"

	"evalctl/agent/trace"
	"evalctl/eval"
)

// FormatCheck scores whether every model answer had the format that its component requires, such as
// JSON. It does not matter how the agent handled an invalid answer.
type FormatCheck struct {
	Node string // component whose answers are checked; "": all
}

var _ eval.Scorer = FormatCheck{}

// Score passes if all checked answers had the required format. Otherwise its reason quotes the
// first one that did not. For a case without a checked answer, it returns a score without a name,
// which is not counted.
func (s FormatCheck) Score(_ context.Context, _ eval.Case, o eval.Outcome) (eval.Score, error) {
	var score eval.Score
	for i, turn := range o.Turns {
		for _, e := range turn.Events {
			if e.Kind != trace.KindFormCheck || s.Node != "" && e.Node != s.Node {
				continue
			}
			score = attributeScore(s.name(), i+1, eval.PassIf(e.Reason == ""))
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

func (s FormatCheck) name() string {
	if s.Node == "" {
		return "form.conformity"
	}
	return "form.conformity." + s.Node
}
