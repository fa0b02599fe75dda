package pack

import (
	"cmp"
	"slices"
	"strings"

	"evalctl/eval"
)

// place is a case in a cell.
type place struct {
	condition int
	of        string
}

// verdict is one of the earlier run's, with what was got.
type verdict struct {
	code int // as in Columns
	got  string
}

// addEarlier keeps a verdict of a cell that this run has, too.
func (s *suite) addEarlier(r eval.Result) {
	condition, ok := s.conditions[conditionOf(r)]
	if !ok {
		return
	}
	d, _ := r.Decision()
	at := place{condition: condition, of: r.Case}
	s.before[at] = append(s.before[at], verdict{code: codeOf(d.Verdict), got: strings.Clone(cmp.Or(d.Actual, r.Predicted))})
}

// codeOf is a verdict as columns have it.
func codeOf(v eval.Verdict) int {
	switch v {
	case eval.Pass:
		return 1
	case eval.Fail:
		return 2
	}
	return 0
}

// tallied is in how many of the trials with a verdict the case was right.
func tallied(list []verdict) (right, judged int) {
	for _, v := range list {
		if v.code != 0 {
			judged++
		}
		if v.code == 1 {
			right++
		}
	}
	return right, judged
}

// majority is the most frequent verdict, and of the trials that have it the most
// frequent label; of as many the worse one, and the first by name.
func majority(list []verdict) verdict {
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
