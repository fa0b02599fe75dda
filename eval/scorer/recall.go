package scorer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/eval"
)

// first is how many of what was found count.
const first = 5

// Recall judges how much of what is to be found stands among the first five that were
// found: the share of the entries that the case expects. Turns that expect none do
// not count. Of a case of several turns it is the mean of those that count.
type Recall struct {
	Field string // of the expectation that lists the entries' ids
}

var _ eval.Scorer = Recall{}

// Score has the share as its value, and passes where it is all of them; Turn, Got
// and Want are of the first turn in which it is not, else of the last. A turn that
// was not played or ended in an apology leaves the case unjudged.
func (s Recall) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	var tells eval.Score
	sum, n := 0.0, 0
	for i, step := range c.Turns {
		want, _, err := Retrieval(s).want(step)
		if err != nil {
			return aspect(eval.RecallScore, i+1, eval.Unjudged), fmt.Errorf("%s: %w", c.Pos, err)
		}
		if len(want) == 0 {
			continue
		}
		one := recallIn(i, want, o)
		if one.Verdict == eval.Unjudged {
			return one, nil
		}
		sum += one.Value
		if n++; n == 1 || tells.Verdict == eval.Pass {
			tells = one
		}
	}
	if n > 0 {
		tells.Value = sum / float64(n)
	}
	return tells, nil
}

// recallIn is of turn i, from 0, in which some are to be found.
func recallIn(i int, want eval.OneOf, o eval.Outcome) eval.Score {
	score := aspect(eval.RecallScore, i+1, eval.Unjudged)
	score.Want = eval.OneOf{strings.Join(want, ", ")}
	if i >= len(o.Turns) || o.Turns[i].Failed || o.Turns[i].Reply.Failure != nil {
		return score
	}
	got := bestOf(o.Turns[i].Reply.Retrieved)
	hits := hitsOf(want, got)
	score.Got, score.Verdict = strings.Join(got, ", "), eval.PassIf(hits == len(want))
	score.Value = float64(hits) / float64(len(want))
	if hits < len(want) {
		score.Reason = fmt.Sprintf("%d of %d", hits, len(want))
	}
	return score
}

func bestOf(list []agent.Hit) (ids []string) {
	for _, h := range list[:min(len(list), first)] {
		ids = append(ids, h.ID)
	}
	return ids
}

func hitsOf(want eval.OneOf, got []string) (n int) {
	for _, id := range want {
		if slices.Contains(got, id) {
			n++
		}
	}
	return n
}
