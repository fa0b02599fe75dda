package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
)

// How much of a cell the short report shows.
const (
	shortPairs   = 3
	shortClasses = 12
)

// inside shows what a cell's averages hide: classes, confusions, nodes. Brief
// tables leave out the matrix and the p99 where there is no room beside the rest.
func inside(r Report, c eval.CellSummary, brief bool) []block {
	var blocks []block
	if c.Confusion != nil && len(c.Confusion.Labels) > 0 {
		blocks = append(blocks, classes(c, r.Detail))
	}
	if len(c.Pairs) > 0 {
		blocks = append(blocks, pairs(r, c))
	}
	if g := nodes(c); len(g.rows) > 0 {
		blocks = append(blocks, block{grid: g})
	}
	if len(blocks) > 0 {
		blocks[0].level, blocks[0].heading = 3, title(c)
	}
	for i := range blocks {
		blocks[i].grid.brief = brief
	}
	return blocks
}

// classes has a row for every label: how it fares, and what it is taken for.
func classes(c eval.CellSummary, detail bool) block {
	var b block
	labels := c.Confusion.Labels
	short := !detail && len(labels) > shortClasses
	g := grid{keys: 1, columns: []column{{head: "expected"}, {head: "precision"}, {head: "recall, n = support"}, {head: "F1", right: true}}}
	if !short {
		g.joint = len(g.columns)
		for _, l := range labels {
			g.columns = append(g.columns, column{head: "→ " + named(l), right: true})
		}
	}
	order := make([]int, len(labels))
	for i := range order {
		order[i] = i
	}
	if short {
		order = worst(c)[:shortClasses]
		b.lines = []line{{text: fmt.Sprintf("The %d classes of %d with the lowest F1; the detailed report has all, and the confusion matrix.",
			shortClasses, len(labels))}}
	}
	for _, i := range order {
		row := classRow(c, labels[i])
		if !short {
			row = append(row, matrixRow(c.Confusion, i)...)
		}
		g.rows = append(g.rows, row)
	}
	b.grid = g
	return b
}

func classRow(c eval.CellSummary, label string) []cell {
	return []cell{
		{text: named(label)},
		{text: rate(c.Metrics["route.precision."+label])},
		{text: rate(c.Metrics["route.recall."+label])},
		{text: score(c.Metrics["route.f1."+label])},
	}
}

// matrixRow shows a zero as a dot: the eye is to find the others.
func matrixRow(m *eval.Confusion, i int) []cell {
	row := make([]cell, len(m.Labels))
	for j := range row {
		row[j].text = unmeasured
		if i >= len(m.Counts) || j >= len(m.Counts[i]) {
			continue
		}
		row[j].text = "·"
		if n := m.Counts[i][j]; n != 0 {
			row[j].text = grouped(n)
		}
		if i == j {
			row[j].tone = strong
		}
	}
	return row
}

// worst orders labels by F1, the lowest first; unmeasured ones come last.
func worst(c eval.CellSummary) []int {
	f1 := func(i int) float64 {
		e := c.Metrics["route.f1."+c.Confusion.Labels[i]]
		if !known(e.Value) {
			return 2
		}
		return *e.Value
	}
	order := make([]int, len(c.Confusion.Labels))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(f1(a), f1(b)) })
	return order
}

// pairs has the most frequent kinds of wrong answer, with cases to look at.
func pairs(r Report, c eval.CellSummary) block {
	list := c.Pairs
	if !r.Detail {
		list = list[:min(len(list), shortPairs)]
	}
	g := grid{keys: 1, flex: true, columns: []column{{head: "confused"}, {head: "n", right: true},
		{head: "cases: evalctl show " + cmp.Or(r.Dir, "DIR") + " CASE"}}}
	for _, p := range list {
		cases := strings.Join(p.Cases, ", ")
		if int64(len(p.Cases)) < p.N {
			cases = strings.TrimPrefix(cases+", "+ellipsis, ", ")
		}
		g.rows = append(g.rows, []cell{{text: named(p.Expected) + " → " + named(p.Predicted)}, {text: grouped(p.N)}, {text: cases}})
	}
	return block{grid: g}
}

// nodes has the latency of a cell's calls to the outside.
func nodes(c eval.CellSummary) grid {
	g := grid{keys: 1, joint: 4, columns: []column{{head: "node"}, {head: "calls", right: true}, {head: "p50 ms"}, {head: "p95 ms"}, {head: "p99 ms"}}}
	var names []string
	for metric := range c.Metrics {
		if name, ok := strings.CutPrefix(metric, "node."); ok {
			if name, ok := strings.CutSuffix(name, ".p50"); ok {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	for _, n := range names {
		row := []cell{{text: n}, {text: grouped(c.Metrics["node."+n+".p50"].N)}}
		for _, q := range []string{"p50", "p95", "p99"} {
			row = append(row, cell{text: millis(c.Metrics["node."+n+"."+q])})
		}
		g.rows = append(g.rows, row)
	}
	return g
}
