package finding

import (
	"cmp"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
)

// Visits describes the visits to one node (component) of an agent in one condition. A visit lasts
// from the start of its first call to the end of its last call, including polling and waiting.
type Visits struct {
	Node  string  // name of the node
	Calls int64   // number of calls in all visits
	Spent float64 // total duration of all visits in milliseconds, including visits whose calls all failed
	Share float64 // share of the total time of all nodes in the condition
}

// Quantile returns a quantile of the duration of a visit, in milliseconds; q is its name, such as
// "p95".
func (v Visits) Quantile(c eval.ConditionSummary, q string) eval.Estimate {
	return c.Metrics["step."+v.Node+"."+q]
}

// Visited returns the nodes that a condition visited, longest total time first.
func Visited(c eval.ConditionSummary) (list []Visits) {
	whole := 0.0
	for metric, calls := range c.Metrics {
		name, is := strings.CutPrefix(metric, "node.")
		name, counts := strings.CutSuffix(name, ".calls")
		if !is || !counts || !number.IsKnown(calls.Value) {
			continue
		}
		v := Visits{Node: name, Calls: int64(*calls.Value)}
		if mean := c.Metrics["step."+name+".mean"]; number.IsKnown(mean.Value) {
			v.Spent = *mean.Value * float64(mean.N)
		}
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b Visits) int {
		return cmp.Or(cmp.Compare(b.Spent, a.Spent), cmp.Compare(a.Node, b.Node))
	})
	for _, v := range list { // summed in sorted order, so that the floating-point result is reproducible
		whole += v.Spent
	}
	for i := range list {
		if whole > 0 {
			list[i].Share = list[i].Spent / whole
		}
	}
	return list
}
