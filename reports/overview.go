package reports

import (
	"fmt"

	"evalctl/eval"
	"evalctl/reports/document"
)

// overviewColumns lists the metric columns of the first table of a suite. Their order places
// related metrics in the same part when the table is split at 80 columns.
func overviewColumns(epochs int) []columnSpec {
	return []columnSpec{
		{head: "accuracy", show: metricText("route.accuracy", rateText)},
		{head: "first label", show: metricText("route.primary", rateText), applies: acceptsOtherLabels},
		{head: "unscored", show: unscoredText},
		{head: "macro-F1", show: metricText("route.macro_f1", scoreText)},
		{head: "same answer twice", show: metricText("route.consistency", rateText),
			applies: hasMetric("route.consistency")},
		{head: fmt.Sprintf("right in all %d", epochs), show: metricText("route.pass_k", completeRate),
			applies: hasMetric("route.pass_k")},
		{head: "fell back", show: metricText("fallback.rate", rateText)},
		{head: "correct fallback", show: metricText("fallback.correct", rateText),
			applies: hasMetric("fallback.correct")},
		{head: "right part", show: metricText("answered_by.correct", rateText),
			applies: hasMetric("answered_by.correct")},
		{head: "recovered", show: metricText("fallback.recovered", rateText), applies: hasMetric("fallback.recovered")},
		{head: "answer used", show: metricText("router.answer_used", rateText), applies: hasUnusedAnswers},
		{head: "error replies", show: metricText("error_reply.rate", rateText), applies: hasErrorReplies},
		{head: "p50", show: metricText("latency.p50", duration)},
		{head: "p95", show: metricText("latency.p95", duration)},
		{head: "first text p50", show: metricText("ttft.p50", duration), applies: hasMetric("ttft.p50")},
		{head: "queued p95", show: metricText("queue.p95", duration), applies: hasMetric("queue.p95")},
		{head: "back-off p95", show: metricText("backoff.p95", duration), applies: hasMetric("queue.p95")},
		{head: "rate-limited", show: metricText("calls.rate_limited", roundedEstimate), applies: isRateLimited},
		{head: "calls", show: metricText("calls.mean", meanText)},
		{head: "calls at once", show: metricText("calls.peak", roundedEstimate), applies: isParallel},
		{head: "USD, total", show: metricText("cost.usd", usd), applies: hasMetric("cost.usd")},
		{head: "ECE", show: metricText("confidence.ece", scoreText), applies: hasMetric("confidence.ece")},
		{head: "Brier", show: metricText("confidence.brier", scoreText), applies: hasMetric("confidence.brier")},
		{head: "AUROC", show: metricText("confidence.auroc", scoreText), applies: hasMetric("confidence.auroc")},
		{head: "worst–best", show: metricText("route.accuracy", worstToBest), applies: hasBounds},
	}
}

// acceptsOtherLabels reports whether some right answers have an accepted label that is not the
// first expected label.
func acceptsOtherLabels(c eval.ConditionSummary) bool {
	strict, right := c.Metrics["route.primary"], c.Metrics["route.accuracy"]
	return isKnown(strict.Value) && isKnown(right.Value) && *strict.Value != *right.Value
}

func hasErrorReplies(c eval.ConditionSummary) bool {
	e := c.Metrics["error_reply.rate"]
	return isKnown(e.Value) && *e.Value > 0
}

// hasUnusedAnswers reports whether the agent sometimes discards the answer of the model that
// decides, for example because of low confidence.
func hasUnusedAnswers(c eval.ConditionSummary) bool {
	e := c.Metrics["router.answer_used"]
	return isKnown(e.Value) && *e.Value < 1
}

func isRateLimited(c eval.ConditionSummary) bool {
	e := c.Metrics["calls.rate_limited"]
	return isKnown(e.Value) && *e.Value > 0
}

func hasBounds(c eval.ConditionSummary) bool {
	e := c.Metrics["route.accuracy"]
	return isKnown(e.WorstCase) && isKnown(e.BestCase)
}

// unscoredText formats the number of trials without a scored decision. For a suite that scores no
// decisions, it formats the number of trials without an answer.
func unscoredText(c eval.ConditionSummary) string {
	if text := unscoredCount(c.Metrics["route.accuracy"]); text != noValue {
		return text
	}
	e := c.Metrics["missing.rate"]
	if !isKnown(e.Value) {
		return noValue
	}
	missing := int64(*e.Value*float64(e.N) + 0.5)
	return unscoredCount(eval.Estimate{N: e.N - missing, Missing: missing})
}

// overview returns the first table of a suite. It has one row for each condition and columns for
// the most important metrics.
func overview(s eval.SuiteSummary) document.Block {
	g := document.Table{Keys: 2, Columns: []document.Column{{Head: "variant"}, {Head: "fault"}}}
	for i, c := range s.Conditions {
		g.AddRow([]document.Cell{{Text: c.Variant}, {Text: fault(c)}})
		g.ShortKeys = append(g.ShortKeys, shortKey(s.Conditions, i))
	}
	addMetrics(&g, overviewColumns(s.Epochs), s.Conditions)
	return document.Block{
		Level:   2,
		Heading: s.Name,
		Lines:   runLines(s),
		Table:   g,
	}
}
