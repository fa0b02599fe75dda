package reports

import (
	"fmt"

	"evalctl/eval"
)

// figures of the overview. Their order is such that a table that is folded at
// 80 columns has what belongs together side by side.
func figures(epochs int) []figure {
	return []figure{
		{head: "accuracy", show: metric("route.accuracy", rate)},
		{head: "first label", show: metric("route.primary", rate), wanted: stricter},
		{head: "unscored", show: unanswered},
		{head: "macro-F1", show: metric("route.macro_f1", score)},
		{head: "same answer twice", show: metric("route.consistency", rate), wanted: measured("route.consistency")},
		{head: fmt.Sprintf("right in all %d", epochs), show: metric("route.pass_k", complete), wanted: measured("route.pass_k")},
		{head: "fell back", show: metric("fallback.rate", rate)},
		{head: "correct fallback", show: metric("fallback.correct", rate), wanted: measured("fallback.correct")},
		{head: "right part", show: metric("answered_by.correct", rate), wanted: measured("answered_by.correct")},
		{head: "recovered", show: metric("fallback.recovered", rate), wanted: measured("fallback.recovered")},
		{head: "answer used", show: metric("router.answer_used", rate), wanted: leavesUnused},
		{head: "error replies", show: metric("error_reply.rate", rate), wanted: apologises},
		{head: "p50", show: metric("latency.p50", duration)},
		{head: "p95", show: metric("latency.p95", duration)},
		{head: "first text p50", show: metric("ttft.p50", duration), wanted: measured("ttft.p50")},
		{head: "queued p95", show: metric("queue.p95", duration), wanted: measured("queue.p95")},
		{head: "back-off p95", show: metric("backoff.p95", duration), wanted: measured("queue.p95")},
		{head: "rate-limited", show: metric("calls.rate_limited", whole), wanted: refuses},
		{head: "calls", show: metric("calls.mean", mean)},
		{head: "calls at once", show: metric("calls.peak", whole), wanted: isParallel},
		{head: "USD, total", show: metric("cost.usd", usd), wanted: measured("cost.usd")},
		{head: "ECE", show: metric("confidence.ece", score), wanted: measured("confidence.ece")},
		{head: "Brier", show: metric("confidence.brier", score), wanted: measured("confidence.brier")},
		{head: "AUROC", show: metric("confidence.auroc", score), wanted: measured("confidence.auroc")},
		{head: "worst–best", show: metric("route.accuracy", bounds), wanted: bounded},
	}
}

// stricter tells that some right answers are not the first of the accepted labels.
func stricter(c eval.ConditionSummary) bool {
	strict, right := c.Metrics["route.primary"], c.Metrics["route.accuracy"]
	return known(strict.Value) && known(right.Value) && *strict.Value != *right.Value
}

// apologises is false for a system that never does.
func apologises(c eval.ConditionSummary) bool {
	e := c.Metrics["error_reply.rate"]
	return known(e.Value) && *e.Value > 0
}

// leavesUnused reports whether some answers of the deciding model were not used.
func leavesUnused(c eval.ConditionSummary) bool {
	e := c.Metrics["router.answer_used"]
	return known(e.Value) && *e.Value < 1
}

// refuses tells that an endpoint had no room for some requests.
func refuses(c eval.ConditionSummary) bool {
	e := c.Metrics["calls.rate_limited"]
	return known(e.Value) && *e.Value > 0
}

func bounded(c eval.ConditionSummary) bool {
	e := c.Metrics["route.accuracy"]
	return known(e.WorstCase) && known(e.BestCase)
}

// unanswered is missing from the accuracy, or from the trials of a suite that
// does not judge decisions.
func unanswered(c eval.ConditionSummary) string {
	if text := missing(c.Metrics["route.accuracy"]); text != unmeasured {
		return text
	}
	e := c.Metrics["missing.rate"]
	if !known(e.Value) {
		return unmeasured
	}
	lost := int64(*e.Value*float64(e.N) + 0.5)
	return missing(eval.Estimate{N: e.N - lost, Missing: lost})
}

// overview has a row for every variant and fault of a suite.
func overview(s eval.SuiteSummary) block {
	g := grid{keys: 2, columns: []column{{head: "variant"}, {head: "fault"}}}
	for i, c := range s.Conditions {
		g.rows = append(g.rows, []cell{{text: c.Name}, {text: fault(c)}})
		g.narrow = append(g.narrow, shortKey(s.Conditions, i))
	}
	g.add(figures(s.Epochs), s.Conditions)
	return block{level: 2, heading: s.Name, lines: ran(s), grid: g}
}
