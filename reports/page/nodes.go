package page

import (
	"fmt"
	"html/template"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/finding"
)

const maxNodes = 300

// nodes returns a table with one row for each node of each variant: calls, latency of a visit,
// failed calls, and its share of the time of all visits.
func nodes(s eval.SuiteSummary, distribution *SuiteDistribution) template.HTML {
	t := table{AriaLabel: "Calls by part of the agent",
		Heads: []string{"variant", "part", "calls", "p50", "p95", "p99", "failed calls", "share of time"}}
	all := 0
	for _, c := range faultFree(s) {
		list := finding.VisitedNodes(c)
		all += len(list)
		for i, n := range list {
			if len(t.Rows) == maxNodes {
				break
			}
			row := tableRow{Name: c.Variant, First: i == 0}
			row.Cells = []template.HTML{renderText(textPart{Text: ShortName(n.Node)}),
				renderText(textPart{Text: metric.FormatInteger(n.Calls)})}
			for _, q := range []string{"p50", "p95", "p99"} {
				row.Cells = append(row.Cells, renderText(valueText(n.Quantile(c, q), metric.FormatTime, "")...))
			}
			row.Cells = append(row.Cells,
				renderText(textPart{Text: metric.FormatInteger(distribution.Variant(c.Variant).Errors[n.Node])}),
				fragment("share", struct {
					Bar  template.HTML
					Text string
				}{stackedBar(12, barPart{Share: n.TimeShare, Class: "found"}), metric.FormatShare(n.TimeShare)}))
			t.Rows = append(t.Rows, row)
		}
	}
	if len(t.Rows) == 0 {
		return ""
	}
	if len(t.Rows) < all {
		t.Left = fmt.Sprintf("%d of %s.", len(t.Rows), metric.Plural(int64(all), "part"))
	}
	return t.HTML()
}
