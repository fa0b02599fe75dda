package scorer

import (
	"context"
	"fmt"
	"strings"

	"evalctl/eval"
)

// RecallAtK judges how much of what is to be found stands among the first of what was
// found: the share of the entries that the case expects. Turns that expect none do
// not count. Of a case of several turns it is the mean of those that count.
type RecallAtK struct {
	Field       string                 // of the expectation that lists the entries' ids
	K           int                    // so many of what was found count
	CanonicalID func(id string) string // what the expectation calls what was found under an id; nil: the same
}

var _ eval.Scorer = RecallAtK{}

// Score has the share as its value, and passes where it is all of them; Turn, Got
// and Want are of the first turn in which it is not, else of the last. A turn that
// was not played or ended in an apology leaves the case unjudged.
func (s RecallAtK) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	return sought{name: eval.RecallAt(s.K), field: s.Field, first: s.K, as: s.CanonicalID, measure: recalled}.score(c, o)
}

// MRR judges how soon something that is to be found is found: 1 over the rank of the
// first such entry among all that was found, 0 where none is. The mean of it is known as
// MRR. Turns count as those of Recall do.
type MRR struct {
	Field string
	As    func(id string) string
}

var _ eval.Scorer = MRR{}

// Score passes where the first that was found is one to be found.
func (s MRR) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	return sought{name: eval.MRRScore, field: s.Field, as: s.As, measure: reciprocal}.score(c, o)
}

// sought measures what was found against what is to be.
type sought struct {
	name, field string
	first       int // so many of what was found count; 0: all
	as          func(id string) string
	measure     func(want eval.OneOf, got []string) (value float64, reason string)
}

func (s sought) score(c eval.Case, o eval.Outcome) (eval.Score, error) {
	return meanOfTurns(s.name, c, func(i int) (eval.Score, bool, error) {
		want, _, err := HitRate{Field: s.field}.want(c.Turns[i])
		if err != nil || len(want) == 0 {
			return eval.Score{}, false, err
		}
		score := aspect(s.name, i+1, eval.Unscored)
		score.Expected = eval.OneOf{strings.Join(want, ", ")}
		if !isAnswered(i, o) {
			return score, true, nil
		}
		got := foundIDs(o.Turns[i].Reply, s.as)
		if s.first > 0 {
			got = got[:min(len(got), s.first)]
		}
		score.Value, score.Reason = s.measure(want, got)
		score.Actual, score.Verdict = strings.Join(got, ", "), eval.PassIf(score.Value == 1)
		return score, true, nil
	})
}

func recalled(want eval.OneOf, got []string) (value float64, reason string) {
	var lacks []string
	for _, id := range want {
		if !eval.OneOf(got).Has(id) {
			lacks = append(lacks, id)
		}
	}
	n := len(want) - len(lacks)
	if lacks != nil {
		reason = fmt.Sprintf("%d of %d, without %s", n, len(want), strings.Join(lacks, ", "))
	}
	return float64(n) / float64(len(want)), reason
}

func reciprocal(want eval.OneOf, got []string) (value float64, reason string) {
	for i, id := range got {
		if want.Has(id) {
			return 1 / float64(i+1), fmt.Sprintf("the first is number %d", i+1)
		}
	}
	return 0, "none is found"
}

// meanOfTurns is the mean of the turns that count, with whose score of each is: the first
// that does not pass tells, else the last. The first that is unjudged leaves all unjudged,
// and a case in which none counts has no name.
func meanOfTurns(name string, c eval.Case, of func(turn int) (score eval.Score, counts bool, err error)) (eval.Score, error) {
	var tells eval.Score
	var unscored *eval.Score
	sum, n := 0.0, 0
	for i := range c.Turns {
		one, counts, err := of(i)
		switch {
		case err != nil:
			return aspect(name, i+1, eval.Unscored), fmt.Errorf("%s: %w", c.Pos, err)
		case !counts:
			continue
		case one.Verdict == eval.Unscored && unscored == nil:
			unscored = &one
		}
		sum += one.Value
		if n++; n == 1 || tells.Verdict == eval.Pass {
			tells = one
		}
	}
	if unscored != nil {
		return *unscored, nil
	}
	if n > 0 {
		tells.Value = sum / float64(n)
	}
	return tells, nil
}
