package finding

import (
	"cmp"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// NodeVisits describes the visits to one node (component) of an agent in one condition. A visit
// lasts from the start of its first call to the end of its last call, including polling and
// waiting.
type NodeVisits struct {
	Node        string  // name of the node
	Calls       int64   // number of calls in all visits
	TotalMillis float64 // total duration of all visits in milliseconds, including visits whose calls all failed
	TimeShare   float64 // share of the total time of all nodes in the condition
}

// Quantile returns a quantile of the duration of a visit, in milliseconds; q is its name, such as
// "p95".
func (v NodeVisits) Quantile(c eval.ConditionSummary, q string) eval.Estimate {
	return c.Metrics["step."+v.Node+"."+q]
}

// VisitedNodes returns the nodes that a condition visited, longest total time first.
func VisitedNodes(c eval.ConditionSummary) (list []NodeVisits) {
	whole := 0.0
	for key, calls := range c.Metrics {
		name, is := strings.CutPrefix(key, "node.")
		name, counts := strings.CutSuffix(name, ".calls")
		if !is || !counts || !metric.IsKnown(calls.Value) {
			continue
		}
		v := NodeVisits{Node: name, Calls: int64(*calls.Value)}
		if mean := c.Metrics["step."+name+".mean"]; metric.IsKnown(mean.Value) {
			v.TotalMillis = *mean.Value * float64(mean.N)
		}
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b NodeVisits) int {
		return cmp.Or(cmp.Compare(b.TotalMillis, a.TotalMillis), cmp.Compare(a.Node, b.Node))
	})
	for _, v := range list { // summed in sorted order, so that the floating-point result is reproducible
		whole += v.TotalMillis
	}
	for i := range list {
		if whole > 0 {
			list[i].TimeShare = list[i].TotalMillis / whole
		}
	}
	return list
}
