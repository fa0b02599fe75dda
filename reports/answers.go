package reports

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/reports/document"
)

// answerTable returns the table of metrics about the answer text, such as slots and retrieval. It
// has one row for each condition. It returns nil if none was measured.
func answerTable(conditions []eval.ConditionSummary) []document.Block {
	g := document.Table{Keys: 1, Columns: []document.Column{{Head: "variant"}}}
	for _, c := range conditions {
		g.AddRow([]document.Cell{{Text: title(c)}})
	}
	addMetrics(&g, contentColumns(conditions), conditions)
	g.JoinedFrom = len(g.Columns)
	if addMetrics(&g, contractColumns(), conditions); len(g.Columns) == g.Keys {
		return nil
	}
	return []document.Block{{Level: 3, Heading: "Answers", Table: g}}
}

// contentColumns lists the columns for the content of an answer: additional labels, slots,
// retrieval and the form of the text.
func contentColumns(conditions []eval.ConditionSummary) []columnSpec {
	list := furtherLabelColumns(conditions)
	for _, name := range metricsWithPrefix("slots.", conditions) {
		list = append(list, columnSpec{head: strings.TrimPrefix(name, "slots."), show: metricText(name, rateText),
			applies: hasMetric(name)})
	}
	list = append(list,
		columnSpec{head: "hit rate", show: metricText("retrieval.hit_rate", rateText),
			applies: hasMetric("retrieval.hit_rate")},
		columnSpec{head: "recall@5", show: metricText(eval.RecallScore, meanShare),
			applies: func(c eval.ConditionSummary) bool { return hasMetric(eval.RecallScore)(c) && !hasMRR(c) }},
		columnSpec{head: "citations", show: metricText(eval.CitationsScore, meanShare),
			applies: hasMetric(eval.CitationsScore)},
		columnSpec{head: "valid form", show: metricText("form.conformity", rateText),
			applies: hasMetric("form.conformity")})
	for _, name := range metricsWithPrefix("form.conformity.", conditions) {
		list = append(list, columnSpec{head: "form: " + strings.TrimPrefix(name, "form.conformity."),
			show: metricText(name, rateText), applies: hasMetric(name)})
	}
	return list
}

func meanShare(e eval.Estimate) string {
	return withDenominator(e, estimate(e, percent, " %"), "unscored")
}

// metricsWithPrefix lists the metrics with a name prefix, sorted by number of trials (most first),
// then by name.
func metricsWithPrefix(prefix string, conditions []eval.ConditionSummary) []string {
	most := map[string]int64{}
	for _, c := range conditions {
		for name, e := range c.Metrics {
			if strings.HasPrefix(name, prefix) {
				most[name] = max(most[name], e.N)
			}
		}
	}
	return slices.SortedFunc(maps.Keys(most), func(a, b string) int {
		return cmp.Or(cmp.Compare(most[b], most[a]), cmp.Compare(a, b))
	})
}

// contractColumns lists the columns for the output contract of an agent: the order of its events
// and the validity of its user interface components.
func contractColumns() []columnSpec {
	return []columnSpec{
		{head: "events in order", show: metricText("events.in_order", rateText), applies: hasMetric("events.in_order")},
		{head: "GenUI valid", show: metricText("genui.conform", rateText), applies: hasMetric("genui.conform")},
	}
}
