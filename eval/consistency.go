package eval

import (
	"fmt"
	"slices"
)

// CheckConsistency returns an error if a field of the result contradicts its scores. It also checks
// that the verdict of each score follows from its actual and expected labels. It detects results
// that were edited by hand.
func (r Result) CheckConsistency() error {
	shown := slices.IndexFunc(r.Scores, func(s Score) bool { return s.isWhole() && len(s.Expected) > 0 })
	if shown < 0 {
		return nil
	}
	switch s := r.Scores[shown]; {
	case !slices.Equal(s.Expected, r.Expected):
		return fmt.Errorf("expected is %.60q, where scores.expected is %.60q", r.Expected, s.Expected)
	case s.Actual != r.Predicted:
		return fmt.Errorf("predicted is %.60q, where scores.actual is %.60q", r.Predicted, s.Actual)
	}
	for _, s := range r.Scores {
		if err := s.checkConsistency(); err != nil {
			return err
		}
	}
	correct := r.correctByScores()
	switch {
	case correct == nil && r.Correct == nil, correct != nil && r.Correct != nil && *correct == *r.Correct:
		return nil
	case r.Correct == nil:
		return fmt.Errorf("correct is null, where the scores come to %t", *correct)
	}
	return fmt.Errorf("correct is %t, which is not what the scores come to", *r.Correct)
}

// checkConsistency returns an error if the score contradicts its own turns or labels.
func (s Score) checkConsistency() error {
	if !s.isWhole() {
		return nil
	}
	if len(s.Turns) == 0 {
		return TurnScore{
			Turn:     s.Turn,
			Expected: s.Expected,
			Actual:   s.Actual,
			Verdict:  s.Verdict,
		}.checkConsistency()
	}
	found := false
	for _, j := range s.Turns {
		if err := j.checkConsistency(); err != nil {
			return err
		}
		found = found || j.Turn == s.Turn && j.Actual == s.Actual && j.Verdict == s.Verdict &&
			slices.Equal(j.Expected, s.Expected)
	}
	if !found {
		return fmt.Errorf("scores.turn is %d, and its actual, expected and verdict are not those of scores.turns",
			s.Turn)
	}
	return nil
}

func (j TurnScore) checkConsistency() error {
	if j.Verdict != Unscored && j.Verdict != PassIf(j.Expected.Has(j.Actual)) {
		return fmt.Errorf("scores.verdict is %q, where actual is %.60q and expected %.60q", j.Verdict,
			j.Actual, j.Expected)
	}
	return nil
}

// isWhole reports whether the score covers the whole answer, not only one attribute of it.
func (s Score) isWhole() bool { return s.Name == RouteScore || s.Name == FallbackScore }

// correctByScores returns whether the trial is correct according to its scores; nil means unscored.
// After an error, only the score of the decision counts, and only if the case does not expect a
// fallback.
func (r Result) correctByScores() (correct *bool) {
	for _, s := range r.Scores {
		switch {
		case !s.isWhole():
		case s.Verdict != Unscored:
			correct = new(s.Verdict == Pass && !r.isWrongElsewhere(s))
		case r.Error != nil && s.Name == FallbackScore:
			correct = nil
		}
	}
	return correct
}
