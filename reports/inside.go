package reports

import "evalctl/eval"

// inside shows details of a condition: classes, confusions, and latency of nodes.
func inside(r Report, c eval.ConditionSummary) []block {
	var blocks []block
	if c.Confusion != nil && len(c.Confusion.Labels) > 0 {
		blocks = append(blocks, classes(c, r.Detail))
	}
	if len(c.ConfusedPairs) > 0 {
		blocks = append(blocks, pairs(r, c))
	}
	if g := nodes(c); len(g.rows) > 0 {
		blocks = append(blocks, block{grid: g})
	}
	if len(blocks) > 0 {
		blocks[0].level, blocks[0].heading = 3, title(c)
	}
	return blocks
}

// nodes has the latency of a condition's external calls, for each node.
func nodes(c eval.ConditionSummary) grid {
	g := grid{keys: 1, joinedFrom: 4,
		columns: []column{{head: "node"}, {head: "calls", right: true}, {head: "p50"}, {head: "p95"}, {head: "p99"}}}
	for _, n := range nodeNames(c, "node.") {
		row := []cell{{text: n}, {text: thousands(c.Metrics["node."+n+".p50"].N)}}
		for _, q := range []string{"p50", "p95", "p99"} {
			row = append(row, cell{text: duration(c.Metrics["node."+n+"."+q])})
		}
		g.rows = append(g.rows, row)
	}
	return g
}
