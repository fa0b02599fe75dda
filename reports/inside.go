package reports

import "evalctl/eval"

// conditionDetails returns the details of a condition: a table of its classes, its top confusions,
// and the latency of its nodes.
func conditionDetails(r Report, c eval.ConditionSummary) []block {
	var blocks []block
	if c.Confusion != nil && len(c.Confusion.Labels) > 0 {
		blocks = append(blocks, classes(c, r.ShowAll))
	}
	if len(c.ConfusedPairs) > 0 {
		blocks = append(blocks, confusionTable(r, c))
	}
	if g := nodeLatencyTable(c); g.rows() > 0 {
		blocks = append(blocks, block{grid: g})
	}
	if len(blocks) > 0 {
		blocks[0].level, blocks[0].heading = 3, title(c)
	}
	return blocks
}

// nodeLatencyTable returns the latency of calls, with one row for each node of the agent. A node
// is, for example, a model call or a search.
func nodeLatencyTable(c eval.ConditionSummary) grid {
	g := grid{keys: 1, joinedFrom: 4,
		columns: []column{{head: "node"}, {head: "calls", right: true}, {head: "p50"}, {head: "p95"}, {head: "p99"}}}
	for _, n := range nodeNames(c, "node.") {
		row := []cell{{text: n}, {text: thousands(c.Metrics["node."+n+".p50"].N)}}
		for _, q := range []string{"p50", "p95", "p99"} {
			row = append(row, cell{text: duration(c.Metrics["node."+n+"."+q])})
		}
		g.addRow(row)
	}
	return g
}
