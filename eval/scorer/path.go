package scorer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
)

// DecisionPath scores the sequence of labels that an agent decides in one turn. The executed
// sequence, without repeated calls, must equal the expected one. Each expected label may have
// alternatives. All turns with an expected sequence must pass.
type DecisionPath struct {
	Field string // field of the case's expect object that contains the sequence
}

var _ eval.Scorer = DecisionPath{}

// Score returns the score of the first turn that does not match, or else of the last turn with an
// expected sequence. A turn is unscored if it did not run or if a failed call prevented its
// decision. For a case without an expected sequence, it returns a score without a name, which is
// not counted.
func (s DecisionPath) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	var score eval.Score
	for i, step := range c.Turns {
		want, err := step.DecisionPath(s.Field)
		if err != nil {
			return attributeScore("path.exact", i+1, eval.Unscored),
				fmt.Errorf("%s: expect.%s: %w", c.Pos, s.Field, err)
		}
		if want == nil {
			continue
		}
		score = attributeScore("path.exact", i+1, eval.Unscored)
		score.Expected = eval.OneOf{pathText(want)}
		if i < len(o.Turns) && o.Turns[i].HasDecision() {
			taken := o.Turns[i].Reply.ExecutedPath()
			score = attributeScore("path.exact", i+1, eval.PassIf(follows(taken, want)))
			score.Actual, score.Expected = strings.Join(taken, arrow), eval.OneOf{pathText(want)}
		}
		if score.Verdict != eval.Pass {
			break
		}
	}
	return score, nil
}

func follows(taken []string, want []eval.OneOf) bool {
	return slices.EqualFunc(taken, want, func(label string, accepted eval.OneOf) bool { return accepted.Has(label) })
}

const arrow = " → "

// pathText formats a sequence of labels with alternatives on one line: a → b | c → END.
func pathText(path []eval.OneOf) string {
	parts := make([]string, len(path))
	for i, accepted := range path {
		parts[i] = strings.Join(accepted, " | ")
	}
	return strings.Join(parts, arrow)
}
