package reports

import (
	"cmp"
	"strings"

	"evalctl/eval"
	"evalctl/reports/finding"
)

// shortPairs is how many the short report shows of a cell.
const shortPairs = 3

// pairs has the most frequent kinds of wrong answer, with cases to look at.
func pairs(r Report, c eval.ConditionSummary) block {
	list := c.ConfusedPairs
	if !r.Detail {
		list = list[:min(len(list), shortPairs)]
	}
	g := grid{keys: 1, flex: true, columns: []column{{head: "confusion"}, {head: "n", right: true},
		{head: "cases: evalctl show " + cmp.Or(r.Dir, "DIR") + " CASE"}}}
	for _, p := range list {
		cases := strings.Join(p.Cases, ", ")
		if int64(len(p.Cases)) < p.N {
			cases = strings.TrimPrefix(cases+", "+ellipsis, ", ")
		}
		g.rows = append(g.rows, []cell{{text: named(p.Expected) + " → " + pathGroup(c, p.Predicted)}, {text: grouped(p.N)}, {text: cases}})
	}
	return block{grid: g}
}

// pathGroup is what a label was taken for, which need not be one.
func pathGroup(c eval.ConditionSummary, predicted string) string {
	if finding.IsNoLabel(c, predicted) {
		return noLabel
	}
	return named(predicted)
}

// noLabel stands for an answer that is none of the labels.
const noLabel = "invalid label"
