package figure

import (
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
)

// mostNodes is how many rows a table of nodes has.
const mostNodes = 300

// node is a part of an agent that calls something outside.
type node struct {
	name  string
	calls float64
	spent float64 // milliseconds, of all calls
}

// nodes has a row for each part of each variant: how often it calls, how long its single
// calls take, and its share of what all calls of the variant take.
func nodes(s eval.SuiteSummary) template.HTML {
	t := table{Spoken: "Calls by part of the agent", Heads: []string{"variant", "part", "calls", "p50 s", "p95 s", "p99 s", "not answered", "share of time"}}
	all := 0
	for _, c := range sound(s) {
		list, whole := nodesOf(c)
		all += len(list)
		for i, n := range list {
			if len(t.Rows) == mostNodes {
				break
			}
			row := tableRow{Name: c.Name, First: i == 0}
			p50 := c.Metrics["node."+n.name+".p50"]
			row.Cells = []template.HTML{said(word{Text: Name(n.name)}), said(word{Text: number.Whole(n.calls)})}
			for _, q := range []string{"p50", "p95", "p99"} {
				row.Cells = append(row.Cells, said(valued(c.Metrics["node."+n.name+"."+q], number.Seconds, "")...))
			}
			share := 0.0
			if whole > 0 {
				share = n.spent / whole
			}
			row.Cells = append(row.Cells, said(word{Text: number.Grouped(p50.Missing)}), fragment("share", struct {
				Bar  template.HTML
				Text string
			}{Bar(12, Piece{Share: share, Class: "found"}), number.Share(share)}))
			t.Rows = append(t.Rows, row)
		}
	}
	if len(t.Rows) == 0 {
		return ""
	}
	if len(t.Rows) < all {
		t.Left = fmt.Sprintf("%d of %s.", len(t.Rows), number.Counted(int64(all), "part"))
	}
	return t.HTML()
}

// nodesOf are a variant's, those that take most first, and what all take.
func nodesOf(c eval.CellSummary) (list []node, whole float64) {
	for _, metric := range slices.Sorted(maps.Keys(c.Metrics)) {
		name, is := strings.CutSuffix(strings.TrimPrefix(metric, "node."), ".calls")
		calls := c.Metrics[metric].Value
		if !is || !strings.HasPrefix(metric, "node.") || !number.Known(calls) {
			continue
		}
		n := node{name: name, calls: *calls}
		if mean := c.Metrics["node."+name+".mean"]; number.Known(mean.Value) {
			n.spent = *mean.Value * float64(mean.N)
		}
		list = append(list, n)
		whole += n.spent
	}
	slices.SortStableFunc(list, func(a, b node) int {
		switch {
		case a.spent > b.spent:
			return -1
		case a.spent < b.spent:
			return 1
		}
		return 0
	})
	return list, whole
}
