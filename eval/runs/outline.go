package runs

import (
	"fmt"

	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/suite"
)

// outline collects the suites and conditions that occur in a results file, in order of appearance.
// It replaces the plan of a run, which a results file alone does not contain.
type outline struct {
	list         []eval.SuiteSummary
	cases        []map[string]struct{}
	suiteIndexes map[string]int // index of a suite in list and cases, by name
	conditions   map[condition]struct{}
}

// add adds the suite and condition of a result. It returns an error if there are too many
// conditions.
func (o *outline) add(r journal.TrialName) error {
	c := conditionOf(r)
	_, known := o.conditions[c]
	if !known && len(o.conditions) == suite.MaxConditions {
		return fmt.Errorf("there are more than %d suites, variants and faults", suite.MaxConditions)
	}
	at := o.suiteIndex(r.Suite)
	s := &o.list[at]
	o.cases[at][r.Case] = struct{}{}
	s.Epochs = max(s.Epochs, r.Epoch)
	if !known {
		o.conditions[c] = struct{}{}
		s.Conditions = append(s.Conditions, eval.ConditionSummary{Variant: c.variant, Fault: c.fault})
	}
	return nil
}

// suiteIndex returns the index of a suite in list. A new suite is appended.
func (o *outline) suiteIndex(name string) int {
	if at, ok := o.suiteIndexes[name]; ok {
		return at
	}
	if o.suiteIndexes == nil {
		o.suiteIndexes, o.conditions = map[string]int{}, map[condition]struct{}{}
	}
	at := len(o.list)
	o.suiteIndexes[name] = at
	o.list = append(o.list, eval.SuiteSummary{Name: name})
	o.cases = append(o.cases, map[string]struct{}{})
	return at
}

func (o *outline) suites() []eval.SuiteSummary {
	for i := range o.list {
		o.list[i].Cases = int64(len(o.cases[i]))
	}
	return o.list
}
