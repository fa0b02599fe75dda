package figure

import (
	"fmt"
	"html/template"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
	"evalctl/reports/page/spread"
)

// mostNodes is how many rows a table of nodes has.
const mostNodes = 300

// nodes has a row for each part of each variant: how often it calls, how long a visit
// takes, how many calls failed, and its share of what all visits of the variant take.
func nodes(s eval.SuiteSummary, counted *spread.SuiteDistribution) template.HTML {
	t := table{Spoken: "Calls by part of the agent", Heads: []string{"variant", "part", "calls", "p50", "p95", "p99", "failed calls", "share of time"}}
	all := 0
	for _, c := range sound(s) {
		list := finding.Visited(c)
		all += len(list)
		for i, n := range list {
			if len(t.Rows) == mostNodes {
				break
			}
			row := tableRow{Name: c.Name, First: i == 0}
			row.Cells = []template.HTML{said(word{Text: Name(n.Node)}), said(word{Text: number.Thousands(n.Calls)})}
			for _, q := range []string{"p50", "p95", "p99"} {
				row.Cells = append(row.Cells, said(valued(n.Quantile(c, q), number.Time, "")...))
			}
			row.Cells = append(row.Cells, said(word{Text: number.Thousands(counted.Of(c.Name).Errors[n.Node])}), fragment("share", struct {
				Bar  template.HTML
				Text string
			}{bar(12, Piece{Share: n.Share, Class: "found"}), number.Share(n.Share)}))
			t.Rows = append(t.Rows, row)
		}
	}
	if len(t.Rows) == 0 {
		return ""
	}
	if len(t.Rows) < all {
		t.Left = fmt.Sprintf("%d of %s.", len(t.Rows), number.Plural(int64(all), "part"))
	}
	return t.HTML()
}
