package reports

import (
	"slices"

	"evalctl/eval"
	"evalctl/reports/document"
)

// columnSpec describes a metric column of a table whose rows are conditions.
type columnSpec struct {
	head string
	show func(eval.ConditionSummary) string
	// reports whether a condition has the metric; a column that applies to no condition is omitted;
	// nil: always shown
	applies func(eval.ConditionSummary) bool
}

func metricText(name string, show func(eval.Estimate) string) func(eval.ConditionSummary) string {
	return func(c eval.ConditionSummary) string { return show(c.Metrics[name]) }
}

func hasMetric(name string) func(eval.ConditionSummary) bool {
	return func(c eval.ConditionSummary) bool { return isKnown(c.Metrics[name].Value) }
}

// addMetrics appends a column for each metric that at least one condition has.
func addMetrics(g *document.Table, figures []columnSpec, conditions []eval.ConditionSummary) {
	for _, f := range figures {
		if f.applies != nil && !slices.ContainsFunc(conditions, f.applies) {
			continue
		}
		of := document.Column{Head: f.head}
		for _, c := range conditions {
			of.Cells = append(of.Cells, document.Cell{Text: f.show(c)})
		}
		g.Columns = append(g.Columns, of)
	}
}
