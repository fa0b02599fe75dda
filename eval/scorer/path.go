package scorer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
)

// Path scores the labels of a turn with several decisions. The executed labels, without repeated
// calls, must equal the labeled path, in which each label may have alternatives. A case of several
// turns passes if all labeled turns do.
type Path struct {
	Field string // field of the expectation with the path
}

var _ eval.Scorer = Path{}

// Score returns the score of the first turn that did not follow its path, else of the last turn
// with one. A turn that did not run, or without a decision because of a failed call, is unscored.
// For a case without a path the score has no name.
func (s Path) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	var score eval.Score
	for i, step := range c.Turns {
		want, err := step.Path(s.Field)
		if err != nil {
			return aspect("path.exact", i+1, eval.Unscored), fmt.Errorf("%s: expect.%s: %w", c.Pos, s.Field, err)
		}
		if want == nil {
			continue
		}
		score = aspect("path.exact", i+1, eval.Unscored)
		score.Expected = eval.OneOf{pathText(want)}
		if i < len(o.Turns) && o.Turns[i].HasDecision() {
			taken := o.Turns[i].Reply.ExecutedPath()
			score = aspect("path.exact", i+1, eval.PassIf(follows(taken, want)))
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

// pathText formats a path on one line, with alternatives: a → b | c → END.
func pathText(path []eval.OneOf) string {
	parts := make([]string, len(path))
	for i, accepted := range path {
		parts[i] = strings.Join(accepted, " | ")
	}
	return strings.Join(parts, arrow)
}
