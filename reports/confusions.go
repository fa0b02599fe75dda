package reports

import (
	"cmp"
	"strings"

	"evalctl/eval"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

const shortPairs = 3

// confusionTable returns the table of the top confusions (expected → predicted label), each with
// the ids of example cases.
func confusionTable(r Report, c eval.ConditionSummary) document.Block {
	list := c.ConfusedPairs
	if !r.ShowAll {
		list = list[:min(len(list), shortPairs)]
	}
	g := document.Table{Keys: 1, Narrow: document.WrapLast, Columns: []document.Column{{Head: "confusion"}, {Head: "n", Right: true},
		{Head: "cases: evalctl show " + cmp.Or(r.Dir, "DIR") + " CASE"}}}
	for _, p := range list {
		cases := strings.Join(p.Cases, ", ")
		if int64(len(p.Cases)) < p.N {
			cases = strings.TrimPrefix(cases+", "+ellipsis, ", ")
		}
		g.AddRow([]document.Cell{{Text: named(p.Expected) + " → " + predictedLabel(c, p.Predicted)},
			{Text: thousands(p.N)}, {Text: cases}})
	}
	return document.Block{Table: g}
}

// predictedLabel returns the predicted label, or "invalid label" if the answer contained no valid
// label.
func predictedLabel(c eval.ConditionSummary, predicted string) string {
	if finding.IsInvalidLabel(c, predicted) {
		return noLabel
	}
	return named(predicted)
}

// noLabel is shown in place of an answer that contained no valid label.
const noLabel = "invalid label"
