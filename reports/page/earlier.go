package page

import (
	"cmp"
	"slices"
	"strings"

	"evalctl/eval"
)

// caseKey identifies a case in a condition.
type caseKey struct {
	condition int
	caseID    string
}

// verdict is the verdict on a trial of the baseline run, with its predicted label.
type verdict struct {
	code int // number of the verdict, as in Columns.Verdict
	got  string
}

// addBaseline stores the verdict on a trial of the baseline run. It ignores conditions that this
// run does not have.
func (s *suite) addBaseline(r eval.Result) {
	condition, ok := s.conditions[conditionOf(r)]
	if !ok {
		return
	}
	d, _ := r.Decision()
	at := caseKey{condition: condition, caseID: r.Case}
	s.baselineVerdicts[at] = append(s.baselineVerdicts[at],
		verdict{code: codeOf(d.Verdict), got: strings.Clone(cmp.Or(d.Actual, r.Predicted))})
}

// codeOf returns the number that represents a verdict in the columns: 0 unscored, 1 right, 2 wrong.
func codeOf(v eval.Verdict) int {
	switch v {
	case eval.Pass:
		return 1
	case eval.Fail:
		return 2
	}
	return 0
}

// countRight counts the right trials and the scored trials.
func countRight(list []verdict) (right, scored int) {
	for _, v := range list {
		if v.code != 0 {
			scored++
		}
		if v.code == 1 {
			right++
		}
	}
	return right, scored
}

// majorityVerdict returns the most frequent verdict, and the most frequent label among its trials.
// A tie goes to the worse verdict, and to the first label in alphabetical order.
func majorityVerdict(list []verdict) verdict {
	most := func(key func(verdict) verdict) (best verdict) {
		n := map[verdict]int{}
		for _, v := range list {
			n[key(v)]++
		}
		for v, times := range n {
			if cmp.Or(cmp.Compare(times, n[best]), cmp.Compare(v.code, best.code), cmp.Compare(best.got, v.got)) > 0 {
				best = v
			}
		}
		return best
	}
	code := most(func(v verdict) verdict { return verdict{code: v.code} }).code
	list = slices.DeleteFunc(slices.Clone(list), func(v verdict) bool { return v.code != code })
	return most(func(v verdict) verdict { return v })
}
