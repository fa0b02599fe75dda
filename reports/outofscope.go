package reports

import "evalctl/eval"

// oosTable returns the table of the out-of-scope metrics, with one row for each condition. It
// returns nil if the suite has no out-of-scope label.
func oosTable(s eval.SuiteSummary, conditions []eval.ConditionSummary) []block {
	if s.OOSLabel == "" {
		return nil
	}
	g := grid{keys: 1, columns: []column{{head: "variant"}}}
	for _, c := range conditions {
		g.addRow([]cell{{text: title(c)}})
	}
	g.addMetrics([]columnSpec{
		{head: "recall", show: metricText("oos.recall", rateText)},
		{head: "precision", show: metricText("oos.precision", rateText)},
		{head: "false acceptance", show: metricText("oos.false_acceptance", rateText)},
		{head: "false rejection", show: metricText("oos.false_rejection", rateText)},
		{head: "accuracy in scope", show: metricText("oos.in_scope_accuracy", rateText)},
	}, conditions)
	return []block{{level: 3, heading: "Out of scope: " + s.OOSLabel, grid: g}}
}
