package scorer

import (
	"context"
	"fmt"
	"strings"

	"evalctl/eval"
)

// RecallAtK scores retrieval by recall@K: the share of the expected entries that are among the
// first K retrieved. For a conversation, it is the mean over the turns that expect entries.
type RecallAtK struct {
	Field       string                 // field of the case's expect object that lists the IDs of entries
	K           int                    // number of retrieved entries that are considered
	CanonicalID func(id string) string // maps a retrieved ID to the form used in cases; nil: they are the same
}

var _ eval.Scorer = RecallAtK{}

// Score returns the share and passes if all expected entries are found. Its details are those of
// the first turn that lacks one, or else of the last turn. The case is unscored if a turn did not
// run, failed or ended in an error reply.
func (s RecallAtK) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	return retrievalScore{
		name:        eval.RecallScoreAt(s.K),
		field:       s.Field,
		k:           s.K,
		canonicalID: s.CanonicalID,
		measure:     recall,
	}.score(c, o)
}

// MRR scores retrieval by the reciprocal rank of the first expected entry; 0: it was not retrieved.
// The mean over cases is the mean reciprocal rank. Only turns that expect entries are considered.
type MRR struct {
	Field       string                 // field of the case's expect object that lists the IDs of entries
	CanonicalID func(id string) string // maps a retrieved ID to the form used in cases; nil: they are the same
}

var _ eval.Scorer = MRR{}

// Score returns the reciprocal rank and passes if the first retrieved entry is an expected one.
func (s MRR) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	return retrievalScore{
		name:        eval.MRRScore,
		field:       s.Field,
		canonicalID: s.CanonicalID,
		measure:     reciprocalRank,
	}.score(c, o)
}

// retrievalScore compares retrieved with expected entries, for RecallAtK and MRR.
type retrievalScore struct {
	name, field string
	k           int // number of retrieved entries that are considered; 0: all
	canonicalID func(id string) string
	measure     func(want eval.OneOf, got []string) (value float64, reason string)
}

func (s retrievalScore) score(c eval.Case, o eval.Outcome) (eval.Score, error) {
	return meanOfTurns(s.name, c, func(i int) (eval.Score, bool, error) {
		want, _, err := HitRate{Field: s.field}.want(c.Turns[i])
		if err != nil || len(want) == 0 {
			return eval.Score{}, false, err
		}
		score := attributeScore(s.name, i+1, eval.Unscored)
		score.Expected = eval.OneOf{strings.Join(want, ", ")}
		if !isAnswered(i, o) {
			return score, true, nil
		}
		got := foundIDs(o.Turns[i].Reply, s.canonicalID)
		if s.k > 0 {
			got = got[:min(len(got), s.k)]
		}
		score.Value, score.Reason = s.measure(want, got)
		score.Actual, score.Verdict = strings.Join(got, ", "), eval.PassIf(score.Value == 1)
		return score, true, nil
	})
}

func recall(want eval.OneOf, got []string) (value float64, reason string) {
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

func reciprocalRank(want eval.OneOf, got []string) (value float64, reason string) {
	for i, id := range got {
		if want.Has(id) {
			return 1 / float64(i+1), fmt.Sprintf("the first is number %d", i+1)
		}
	}
	return 0, "none is found"
}

// meanOfTurns returns a score with the mean over the turns for which counts is true. Its details
// are those of the first turn that does not pass, or else of the last. If a turn is unscored, so is
// the case. If no turn counts, it returns a score without a name, which is not counted.
func meanOfTurns(name string, c eval.Case, of func(turn int) (score eval.Score, counts bool, err error)) (eval.Score,
	error) {
	var details eval.Score
	var unscored *eval.Score
	sum, n := 0.0, 0
	for i := range c.Turns {
		one, counts, err := of(i)
		switch {
		case err != nil:
			return attributeScore(name, i+1, eval.Unscored), fmt.Errorf("%s: %w", c.Pos, err)
		case !counts:
			continue
		case one.Verdict == eval.Unscored && unscored == nil:
			unscored = &one
		}
		sum += one.Value
		if n++; n == 1 || details.Verdict == eval.Pass {
			details = one
		}
	}
	if unscored != nil {
		return *unscored, nil
	}
	if n > 0 {
		details.Value = sum / float64(n)
	}
	return details, nil
}
