package scorer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
)

// Path judges the labels that a turn comes by in which it is decided again and
// again: what was done each time, without the decisions that were asked for again,
// is the labelled path from its first label to its last, where each may have
// alternatives. A case of several turns is right when all of its labelled turns are.
type Path struct {
	Field string // of the expectation that holds the path
}

var _ eval.Scorer = Path{}

// Score is of the first turn that did not come by its path, else of the last that
// has one. A turn that was not played, or in which nothing was decided for a call
// failed, is unjudged; a case without a path has no name.
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

// pathText is a path in a line, alternatives beside each other: a → b | c → END.
func pathText(path []eval.OneOf) string {
	parts := make([]string, len(path))
	for i, accepted := range path {
		parts[i] = strings.Join(accepted, " | ")
	}
	return strings.Join(parts, arrow)
}
