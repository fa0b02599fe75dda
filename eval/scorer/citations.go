package scorer

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"evalctl/agent/trace"
	"evalctl/eval"
)

// Citations scores the share of the sources cited in a trial's answers that the answering model was
// shown. The agent reports them in its trace. A trial without citations gets a score without a
// name, which is not counted.
type Citations struct{}

var _ eval.Scorer = Citations{}

// Score returns the share and passes if all cited sources were shown. Its details are those of the
// first turn that cites another source, or else of the last turn.
func (Citations) Score(_ context.Context, _ eval.Case, o eval.Outcome) (eval.Score, error) {
	var score eval.Score
	count, wrong := 0, 0
	for i, turn := range o.Turns {
		for _, e := range turn.Events {
			var cited trace.Citations
			if e.Kind != trace.KindCitations || json.Unmarshal(e.Data, &cited) != nil {
				continue
			}
			if wrong == 0 {
				score = attributeScore(eval.CitationsScore, i+1, eval.PassIf(cited.NotInPrompt == nil))
				if cited.NotInPrompt != nil {
					score.Reason = "without " + strings.Join(cited.NotInPrompt, ", ")
				}
			}
			count, wrong = count+cited.Count, wrong+len(cited.NotInPrompt)
		}
	}
	if count == 0 {
		return eval.Score{}, nil
	}
	score.Value = float64(count-wrong) / float64(count)
	score.Actual = fmt.Sprintf("%d of %d", count-wrong, count)
	return score, nil
}
