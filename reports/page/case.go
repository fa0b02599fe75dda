package page

import (
	"cmp"

	"evalctl/eval"
)

// CaseOf returns the full data of a case, in the same form as in a [Block]. A server delivers them
// for cases whose traces the file does not contain. It ignores trials of other suites, and of
// conditions that are not in the summary. found is false if no trial remains.
func CaseOf(s eval.SuiteSummary, trials []eval.Result) (c Case, found bool) {
	c.Trials, c.Inputs = []Trial{}, []Input{}
	conditions := map[Condition]int{}
	for i, of := range s.Conditions {
		conditions[Condition{Variant: of.Variant, Fault: cmp.Or(of.Fault, eval.NoFault)}] = i
	}
	for _, r := range trials {
		condition, known := conditions[conditionOf(r)]
		if r.Suite != s.Name || !known {
			continue
		}
		found = true
		c.Trials = append(c.Trials, trialOf(r, condition))
		if len(r.Outcome.Turns) > len(c.Inputs) {
			c.Inputs = inputsOf(r)
		}
	}
	return c, found
}

func inputsOf(r eval.Result) []Input {
	list := make([]Input, 0, len(r.Outcome.Turns))
	for _, p := range r.Outcome.Turns {
		list = append(list, inputOf(p.Input))
	}
	return list
}
