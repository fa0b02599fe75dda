package eval

import (
	"fmt"
	"slices"
)

// Incoherent says what of a judged row contradicts its scores: what was expected, or
// whether the trial is correct. Nil: nothing does.
func (r Result) Incoherent() error {
	i := slices.IndexFunc(r.Scores, func(s Score) bool { return s.isWhole() && len(s.Want) > 0 })
	if i < 0 || r.Correct == nil {
		return nil
	}
	if want := r.Scores[i].Want; r.Expected != nil && !slices.Equal(want, r.Expected) {
		return fmt.Errorf("expected is %.60q, where scores.want is %.60q", r.Expected, want)
	}
	if come := r.comesTo(); come == nil || *come != *r.Correct {
		return fmt.Errorf("correct is %t, which is not what the scores come to", *r.Correct)
	}
	return nil
}

// isWhole tells a score of a row that judges the whole answer.
func (s Score) isWhole() bool { return s.Name == RouteScore || s.Name == FallbackScore }

// comesTo is whether the trial is correct by its scores. Beside an error the decision
// alone stands, where no other answer was to be judged.
func (r Result) comesTo() (correct *bool) {
	for _, s := range r.Scores {
		switch {
		case !s.isWhole():
		case s.Verdict != Unjudged:
			correct = new(s.Verdict == Pass && !r.isWrongBeside(s))
		case r.Error != nil && s.Name == FallbackScore:
			correct = nil
		}
	}
	return correct
}
