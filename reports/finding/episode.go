package finding

import (
	"cmp"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// episode returns the finding on episodes with several decisions: how often the best variant
// follows the labeled path exactly, in how many steps, and how long it takes.
func episode(s suite) *Sentence {
	best, ok := s.best()
	path, steps, duration := best.Metrics["path.exact"], best.Metrics["supervisor.steps_mean"],
		best.Metrics["episode.p95"]
	if !ok || !metric.IsKnown(path.Value) || !metric.IsKnown(steps.Value) {
		return nil
	}
	out := &Sentence{Kind: KindEpisode}
	out.addVariants(best.Variant)
	out.add(" follows the labeled path exactly in " + share(path) + "; " + metric.FormatMean(*steps.Value) +
		" steps per episode (mean of " + metric.FormatInteger(steps.N) + ")")
	if metric.IsKnown(duration.Value) {
		out.add("; p95 " + metric.FormatTime(*duration.Value) + " per case")
	}
	return out
}

// best returns the most accurate variant of the suite, or false if no variant has an accuracy.
func (s suite) best() (eval.ConditionSummary, bool) {
	if ranked := RankedByAccuracy(s.SuiteSummary); len(ranked) > 0 {
		return ranked[0], true
	}
	return eval.ConditionSummary{}, false
}

// correction returns the finding on how often the decisions of the best variant's supervisor were
// corrected, with the most frequent correction.
func correction(s suite) *Sentence {
	best, ok := s.best()
	e := best.Metrics["supervisor.correction_rate"]
	if n := Numerator(e); !ok || n < minConfusions {
		return nil
	}
	out := &Sentence{Kind: KindCorrection}
	out.add(FormatCounts(e) + " decisions of ")
	out.addVariants(best.Variant)
	out.add(" that name an agent are corrected")
	list := best.Corrections
	if len(list) == 0 || len(list) > 1 && list[0].N == list[1].N {
		return out
	}
	out.add(", " + metric.FormatInteger(list[0].N) + " of them ")
	out.addName(list[0].Proposed)
	out.add(" → ")
	out.addName(list[0].Executed)
	return out
}

// batch returns the finding on how many messages the best variant answers in one reply. It compares
// the latency with that of replies to single messages.
func batch(s suite) *Sentence {
	best, ok := s.best()
	messages, several, one := best.Metrics["batch.messages_mean"], best.Metrics["latency.batch.p50"],
		best.Metrics["latency.single.p50"]
	if !ok || !metric.IsKnown(messages.Value) || !metric.IsKnown(several.Value) || !metric.IsKnown(one.Value) ||
		min(several.N, one.N) < minPercentSample {
		return nil
	}
	out := &Sentence{Kind: KindBatch}
	out.addVariants(best.Variant)
	out.add(" answers " + metric.FormatInteger(messages.N) + " batches with " + metric.FormatMean(*messages.Value) +
		" messages on average; reply p50 " +
		metric.FormatTime(*several.Value) + " after the last message of a batch, " + metric.FormatTime(*one.Value) +
		" after a single message")
	return out
}

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
