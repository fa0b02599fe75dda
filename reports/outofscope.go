package reports

import (
	"evalctl/eval"
	"evalctl/reports/document"
)

// oosTable returns the table of the out-of-scope metrics, with one row for each condition. It
// returns nil if the suite has no out-of-scope label.
func oosTable(s eval.SuiteSummary, conditions []eval.ConditionSummary) []document.Block {
	if s.OOSLabel == "" {
		return nil
	}
	g := document.Table{Keys: 1, Columns: []document.Column{{Head: "variant"}}}
	for _, c := range conditions {
		g.AddRow([]document.Cell{{Text: title(c)}})
	}
	addMetrics(&g, []columnSpec{
		{head: "recall", show: metricText("oos.recall", rateText)},
		{head: "precision", show: metricText("oos.precision", rateText)},
		{head: "false acceptance", show: metricText("oos.false_acceptance", rateText)},
		{head: "false rejection", show: metricText("oos.false_rejection", rateText)},
		{head: "accuracy in scope", show: metricText("oos.in_scope_accuracy", rateText)},
	}, conditions)
	return []document.Block{{Level: 3, Heading: "Out of scope: " + s.OOSLabel, Table: g}}
}
