package pack

import (
	"cmp"

	"evalctl/eval"
)

// CaseOf is all that is known of a case of a suite, as a block has it: for a server that
// is asked for what the file has not. Trials of other suites, and of cells that the
// suite's summary has not, are left out.
func CaseOf(s eval.SuiteSummary, trials []eval.Result) (c Case, found bool) {
	c.Trials, c.Inputs = []Trial{}, []Input{}
	conditions := map[Condition]int{}
	for i, of := range s.Conditions {
		conditions[Condition{Variant: of.Name, Fault: cmp.Or(of.Fault, eval.NoFault)}] = i
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

// inputsOf are what a trial's user says.
func inputsOf(r eval.Result) []Input {
	list := make([]Input, 0, len(r.Outcome.Turns))
	for _, p := range r.Outcome.Turns {
		list = append(list, inputOf(p.Input))
	}
	return list
}
