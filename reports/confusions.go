package reports

import (
	"cmp"
	"strings"

	"evalctl/eval"
	"evalctl/reports/finding"
)

const shortPairs = 3

// confusionTable returns the table of the top confusions (expected → predicted label), each with
// the ids of example cases.
func confusionTable(r Report, c eval.ConditionSummary) block {
	list := c.ConfusedPairs
	if !r.ShowAll {
		list = list[:min(len(list), shortPairs)]
	}
	g := grid{keys: 1, narrow: wrapLast, columns: []column{{head: "confusion"}, {head: "n", right: true},
		{head: "cases: evalctl show " + cmp.Or(r.Dir, "DIR") + " CASE"}}}
	for _, p := range list {
		cases := strings.Join(p.Cases, ", ")
		if int64(len(p.Cases)) < p.N {
			cases = strings.TrimPrefix(cases+", "+ellipsis, ", ")
		}
		g.addRow([]cell{{text: named(p.Expected) + " → " + predictedLabel(c, p.Predicted)},
			{text: thousands(p.N)}, {text: cases}})
	}
	return block{grid: g}
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
