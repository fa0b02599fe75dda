package reports

import "evalctl/eval"

// oosLabel shows how well a suite's variants know what is none of their
// business. Nothing where no label stands for that.
func oosLabel(s eval.SuiteSummary, cells []eval.ConditionSummary) []block {
	if s.OOSLabel == "" {
		return nil
	}
	g := grid{keys: 1, columns: []column{{head: "variant"}}}
	for _, c := range cells {
		g.rows = append(g.rows, []cell{{text: title(c)}})
	}
	g.add([]figure{
		{head: "recall", show: metric("oos.recall", rate)},
		{head: "precision", show: metric("oos.precision", rate)},
		{head: "false acceptance", show: metric("oos.false_acceptance", rate)},
		{head: "false rejection", show: metric("oos.false_rejection", rate)},
		{head: "accuracy in scope", show: metric("oos.in_scope_accuracy", rate)},
	}, cells)
	return []block{{level: 3, heading: "Out of scope: " + s.OOSLabel, grid: g}}
}
