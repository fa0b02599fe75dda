package reports

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/reports/document"
)

// retrievalBlocks returns three tables: retrieval, facts in the answers, and cache and compressed
// sessions. It omits a table without measured values.
func retrievalBlocks(conditions []eval.ConditionSummary) []document.Block {
	return slices.Concat(
		measuredBlock(conditions, "Retrieval",
			"Means over the cases with expected items. recall@k is the share of them among the first k results. MRR is 1 over the rank of the first one.", retrievalColumns(), nil),
		measuredBlock(conditions, "Facts",
			"Means over the cases with facts: the share that the answer states. The column facts ignores width, spaces, punctuation and number formats. The column verbatim does not.", factColumns(), graderRemarks),
		measuredBlock(conditions, "Cache and sessions",
			"Cache hits are a share of lookups; calls saved are per trial. Compressed sessions: the share of tokens left, and of the labeled facts of earlier turns that remain.", cacheColumns(), nil))
}

// measuredBlock returns a table with one row for each condition that has at least one of the listed
// metrics. It returns nil if no condition has any.
func measuredBlock(conditions []eval.ConditionSummary, heading, text string, list []columnSpec,
	remarks func([]eval.ConditionSummary) []document.Line) []document.Block {
	has := func(c eval.ConditionSummary) bool {
		return slices.ContainsFunc(list, func(f columnSpec) bool { return f.applies(c) })
	}
	conditions = slices.DeleteFunc(slices.Clone(conditions), func(c eval.ConditionSummary) bool { return !has(c) })
	if len(conditions) == 0 {
		return nil
	}
	g := document.Table{Keys: 1, Columns: []document.Column{{Head: "variant"}}}
	for _, c := range conditions {
		g.AddRow([]document.Cell{{Text: title(c)}})
	}
	addMetrics(&g, list, conditions)
	b := document.Block{
		Level:   3,
		Heading: heading,
		Lines:   []document.Line{{Text: text}},
		Table:   g,
	}
	if remarks != nil {
		b.Lines = append(b.Lines, remarks(conditions)...)
	}
	return []document.Block{b}
}

// hasMRR reports whether a condition has the metric MRR (mean reciprocal rank). If it has none, its
// recall@5 is in the table of answers.
var hasMRR = hasMetric(eval.MRRScore)

func retrievalColumns() (list []columnSpec) {
	for _, first := range eval.RecallDepths() {
		name := eval.RecallScoreAt(first)
		list = append(list, columnSpec{head: fmt.Sprintf("recall@%d", first), show: metricText(name, meanShare),
			applies: func(c eval.ConditionSummary) bool { return hasMRR(c) && hasMetric(name)(c) }})
	}
	mrr := func(e eval.Estimate) string { return withDenominator(e, scoreText(e), "unscored") }
	return append(list, columnSpec{head: "MRR", show: metricText(eval.MRRScore, mrr), applies: hasMRR})
}

func factColumns() []columnSpec {
	kappa := func(e eval.Estimate) string { return withDenominator(e, scoreText(e), "ungraded") }
	return []columnSpec{
		{head: "verbatim", show: metricText(eval.VerbatimScore, meanShare), applies: hasMetric(eval.VerbatimScore)},
		{head: "facts", show: metricText(eval.CoverageScore, meanShare), applies: hasMetric(eval.CoverageScore)},
		{head: "graded", show: metricText(eval.GradedScore, meanShare), applies: hasMetric(eval.GradedScore)},
		{head: "grader agrees", show: metricText(agreement, scoredRate), applies: hasMetric(agreement)},
		{head: "κ", show: metricText("facts.grader_kappa", kappa), applies: hasMetric("facts.grader_kappa")},
		{head: "grading USD", show: metricText("facts.grader.cost", usd), applies: hasMetric("facts.grader.cost")},
	}
}

const agreement = "facts.grader_agreement"

// graderRemarks states how often the model that grades facts disagrees with the simple comparison
// of words.
func graderRemarks(conditions []eval.ConditionSummary) (lines []document.Line) {
	for _, c := range conditions {
		e := c.Metrics[agreement]
		if fault(c) != eval.NoFault || !isKnown(e.Value) || *e.Value == 1 {
			continue
		}
		differ := e.N - int64(*e.Value*float64(e.N)+0.5)
		lines = append(lines, document.Line{Text: fmt.Sprintf("%s: the grader and the word comparison disagree on %s of %s.",
			title(c), thousands(differ), plural(e.N, "fact"))})
	}
	return lines
}

func cacheColumns() []columnSpec {
	total := func(e eval.Estimate) string { return roundedEstimate(e) }
	return []columnSpec{
		{head: "cache hits", show: metricText("cache.hit_rate", rateText), applies: hasMetric("cache.hit_rate")},
		{head: "calls saved", show: metricText("cache.calls_saved", meanText), applies: hasMetric("cache.calls_saved")},
		{head: "cache errors", show: metricText("cache.errors", total), applies: isPositive("cache.errors")},
		{head: "history left", show: metricText("compression.ratio", meanShare),
			applies: hasMetric("compression.ratio")},
		{head: "facts kept", show: metricText(eval.FactsKeptScore, meanShare), applies: hasMetric(eval.FactsKeptScore)},
	}
}

func isPositive(name string) func(eval.ConditionSummary) bool {
	return func(c eval.ConditionSummary) bool { v := c.Metrics[name].Value; return isKnown(v) && *v > 0 }
}

func isParallel(c eval.ConditionSummary) bool {
	v := c.Metrics["calls.peak"].Value
	return isKnown(v) && *v > 1
}

// furtherLabelColumns lists a column for the accuracy of each label other than the route. It
// returns nil if the supervisor's table contains them.
func furtherLabelColumns(conditions []eval.ConditionSummary) (list []columnSpec) {
	if slices.ContainsFunc(conditions, isSupervised) {
		return nil
	}
	for _, name := range furtherLabels(conditions) {
		list = append(list, columnSpec{head: strings.TrimSuffix(name, accuracySuffix),
			show: metricText(name, scoredRate), applies: hasMetric(name)})
	}
	return list
}
