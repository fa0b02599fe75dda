package finding

import (
	"cmp"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
)

// Visits are those of one part of an agent, in one cell. A visit lasts from the first
// call to the end of the last, with the polls and the waiting between them.
type Visits struct {
	Node  string
	Calls int64
	Spent float64 // milliseconds of all visits, also of those of which every call failed
	Share float64 // of what all parts of the variant take
}

// Quantile is of how long a visit takes, such as p95.
func (v Visits) Quantile(c eval.ConditionSummary, q string) eval.Estimate {
	return c.Metrics["step."+v.Node+"."+q]
}

// Visited are a cell's parts, those that take most first.
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
	for _, v := range list { // in order: floats are added
		whole += v.Spent
	}
	for i := range list {
		if whole > 0 {
			list[i].Share = list[i].Spent / whole
		}
	}
	return list
}
