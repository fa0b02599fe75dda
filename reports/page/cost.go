package page

import (
	"html/template"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// Cost renders a table with the cost, tokens and calls of each variant. Metrics that are equal for
// all variants are summarized in one line.
func Cost(s eval.SuiteSummary) template.HTML {
	conditions := faultFree(s)
	t := table{AriaLabel: "Cost", Heads: []string{"of a case"}}
	for _, c := range conditions {
		t.Heads = append(t.Heads, ShortName(c.Variant))
	}
	var equal []string
	for _, row := range costRows() {
		if !slices.ContainsFunc(conditions, func(c eval.ConditionSummary) bool { return row.words(c) != nil }) {
			continue
		}
		texts := make([]template.HTML, len(conditions))
		for i, c := range conditions {
			texts[i] = renderText(row.words(c)...)
		}
		if len(conditions) > 1 &&
			!slices.ContainsFunc(texts, func(text template.HTML) bool { return text != texts[0] }) {
			equal = append(equal, row.head+" "+plainText(row.words(conditions[0])))
			continue
		}
		t.Rows = append(t.Rows, tableRow{Name: row.head, Cells: texts})
	}
	if len(t.Rows)+len(equal) == 0 {
		return ""
	}
	data := struct {
		Table template.HTML
		Same  string
	}{Same: strings.Join(equal, " · ")}
	if len(t.Rows) > 0 {
		data.Table = t.HTML()
	}
	return fragment("cost", data)
}

// costRow is a row of the cost table. words formats its value for a condition; nil: the value is
// unknown.
type costRow struct {
	head  string
	words func(eval.ConditionSummary) []textPart
}

func costRows() []costRow {
	return []costRow{
		{"USD per 1,000 cases", costPerThousand},
		{"tokens in", meanPerTrial("tokens.in_total")},
		{"tokens out", meanPerTrial("tokens.out_total")},
		{"calls", metricWords("calls.mean", metric.FormatMean, "")},
		{"calls at once", metricWords("calls.peak", metric.FormatRounded, "")},
		{"cache hits", func(c eval.ConditionSummary) []textPart { return shareText(c.Metrics["cache.hit_rate"]) }},
		{"calls saved", metricWords("cache.calls_saved", metric.FormatScore, "")},
		{"cache errors", metricWords("cache.errors", metric.FormatRounded, "")},
		{"history left", metricWords("compression.ratio", metric.FormatPercent, " %")},
		{"second-judgment calls", metricWords("critic.second.calls", metric.FormatRounded, "")},
		{"second-judgment USD", metricWords("critic.second.cost", metric.FormatUSD, "")},
		{"grading calls", metricWords("facts.grader.calls", metric.FormatRounded, "")},
		{"grading USD", metricWords("facts.grader.cost", metric.FormatUSD, "")},
	}
}

// metricWords returns a function that formats a metric of a condition. The function returns nil if
// the metric is unknown.
func metricWords(name string, show func(float64) string, unit string) func(eval.ConditionSummary) []textPart {
	return func(c eval.ConditionSummary) []textPart {
		e := c.Metrics[name]
		if !metric.IsKnown(e.Value) {
			return nil
		}
		return estimateText(e, show, unit)
	}
}

// costPerThousand formats the cost of 1,000 cases. If some trials have no price, it returns how
// many.
func costPerThousand(c eval.ConditionSummary) []textPart {
	e := c.Metrics["cost.total_usd"]
	switch {
	case c.Trials == 0 || e.N+e.Missing == 0:
		return nil
	case metric.IsKnown(e.Value):
		return []textPart{{Text: metric.FormatUSD(*e.Value / float64(c.Trials) * 1000), Strong: true}}
	case e.Missing >= c.Trials:
		return []textPart{{Text: "no price", Mute: true}}
	}
	return []textPart{{Text: "no price for " + metric.Plural(e.Missing, "trial"), Mute: true}}
}

// meanPerTrial returns a function that formats a total of a condition, divided by the number of its
// trials.
func meanPerTrial(name string) func(eval.ConditionSummary) []textPart {
	return func(c eval.ConditionSummary) []textPart {
		e := c.Metrics[name]
		if c.Trials == 0 || !metric.IsKnown(e.Value) {
			return nil
		}
		return []textPart{{Text: metric.FormatRounded(*e.Value / float64(c.Trials)), Strong: true}}
	}
}

func plainText(words []textPart) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w.Text)
	}
	return b.String()
}
