package compare

import (
	"evalctl/eval"
	"evalctl/eval/stats"
)

// scoreDifferences contains the mean difference B − A of each retrieval score that both variants
// measured.
type scoreDifferences map[string]*stats.Mean

// add adds a case: the mean over the epochs of B minus the mean over the epochs of A.
func (m scoreDifferences) add(a, b []eval.Result) {
	for _, name := range []string{eval.RecallScore, eval.MRRScore} {
		was, okA := meanScore(a, name)
		is, okB := meanScore(b, name)
		if !okA || !okB {
			continue
		}
		if m[name] == nil {
			m[name] = &stats.Mean{}
		}
		m[name].Add(is - was)
	}
}

// meanScore returns the mean of a score over the epochs of a case; false if an epoch lacks it.
func meanScore(rows []eval.Result, name string) (float64, bool) {
	var of stats.Mean
	for _, r := range rows {
		for _, s := range r.Scores {
			switch {
			case s.Name != name:
			case s.Verdict == eval.Unscored:
				return 0, false
			default:
				of.Add(s.Value)
			}
		}
	}
	return of.Value()
}

func (m scoreDifferences) contrasts() map[string]eval.Contrast {
	if len(m) == 0 {
		return nil
	}
	found := map[string]eval.Contrast{}
	for name, of := range m {
		found[name] = contrast(of, of.N())
	}
	return found
}
