package reports

import (
	"evalctl/eval"
	"evalctl/reports/document"
)

// conditionDetails returns the details of a condition: a table of its classes, its top confusions,
// and the latency of its nodes.
func conditionDetails(r Report, c eval.ConditionSummary) []document.Block {
	var blocks []document.Block
	if c.Confusion != nil && len(c.Confusion.Labels) > 0 {
		blocks = append(blocks, classes(c, r.ShowAll))
	}
	if len(c.ConfusedPairs) > 0 {
		blocks = append(blocks, confusionTable(r, c))
	}
	if g := nodeLatencyTable(c); g.Rows() > 0 {
		blocks = append(blocks, document.Block{Table: g})
	}
	if len(blocks) > 0 {
		blocks[0].Level, blocks[0].Heading = 3, title(c)
	}
	return blocks
}

// nodeLatencyTable returns the latency of calls, with one row for each node of the agent. A node
// is, for example, a model call or a search.
func nodeLatencyTable(c eval.ConditionSummary) document.Table {
	g := document.Table{Keys: 1, JoinedFrom: 4,
		Columns: []document.Column{{Head: "node"}, {Head: "calls", Right: true}, {Head: "p50"}, {Head: "p95"}, {Head: "p99"}}}
	for _, n := range nodeNames(c, "node.") {
		row := []document.Cell{{Text: n}, {Text: thousands(c.Metrics["node."+n+".p50"].N)}}
		for _, q := range []string{"p50", "p95", "p99"} {
			row = append(row, document.Cell{Text: duration(c.Metrics["node."+n+"."+q])})
		}
		g.AddRow(row)
	}
	return g
}
