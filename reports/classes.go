package reports

import (
	"cmp"
	"fmt"
	"slices"

	"evalctl/eval"
)

// How many classes can be taken in.
const (
	fewClasses    = 12 // all are shown, with their confusion matrix
	worstClasses  = 10 // of more, the short report shows these
	largestMatrix = 50 // of still more, a matrix would be sheets of dots
)

// classes has a row for every label: how it fares, and what it is taken for.
func classes(c eval.ConditionSummary, detail bool) block {
	labels := c.Confusion.Labels
	all := make([]int, expected(c.Confusion))
	if !detail && len(all) > fewClasses {
		return lowest(c)
	}
	for i := range all {
		all[i] = i
	}
	b := block{grid: classRows(c, all)}
	if len(labels) > largestMatrix {
		b.lines = []line{{text: fmt.Sprintf("The confusion matrix of %d classes is in the JSON report.", len(labels))}}
		return b
	}
	b.grid.joint = len(b.grid.columns)
	for _, l := range labels {
		b.grid.columns = append(b.grid.columns, column{head: "→ " + named(l), right: true})
	}
	for i := range all {
		b.grid.rows[i] = append(b.grid.rows[i], matrixRow(c.Confusion, i)...)
	}
	return b
}

// expected is how many of the labels are classes; the others were only predicted.
func expected(m *eval.Confusion) int { return cmp.Or(m.ExpectedLabels, len(m.Labels)) }

// lowest shows the classes that fare worst; pages have the rest folded away.
func lowest(c eval.ConditionSummary) block {
	order, supported := worst(c)
	shown := min(worstClasses, supported)
	rest := len(order) - shown
	return block{
		lines: []line{{text: fmt.Sprintf("The %d of %d classes with the lowest F1; -v shows the other %d and the confusion matrix.",
			shown, len(order), rest)}},
		grid:   classRows(c, order[:shown]),
		hidden: classRows(c, order[shown:]), restName: fmt.Sprintf("The other %d classes", rest),
	}
}

func classRows(c eval.ConditionSummary, order []int) grid {
	g := grid{keys: 1, columns: []column{{head: "expected"}, {head: "precision"}, {head: "recall, n = support"}, {head: "F1", right: true}}}
	for _, i := range order {
		label := c.Confusion.Labels[i]
		g.rows = append(g.rows, []cell{
			{text: named(label)},
			{text: rate(c.Metrics["route.precision."+label])},
			{text: rate(c.Metrics["route.recall."+label])},
			{text: score(c.Metrics["route.f1."+label])},
		})
	}
	return g
}

// worst orders labels by F1, the lowest first and equal ones by name. Those
// that no case expects come last; supported counts the others.
func worst(c eval.ConditionSummary) (order []int, supported int) {
	without := make([]int, expected(c.Confusion))
	f1 := make([]float64, len(without))
	for i, l := range c.Confusion.Labels[:len(without)] {
		order = append(order, i)
		f1[i] = 2 // unmeasured: after all that is
		if e := c.Metrics["route.f1."+l]; known(e.Value) {
			f1[i] = *e.Value
		}
		if support(c.Confusion, i) == 0 {
			without[i] = 1
		} else {
			supported++
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(without[a], without[b]), cmp.Compare(f1[a], f1[b]),
			cmp.Compare(c.Confusion.Labels[a], c.Confusion.Labels[b]))
	})
	return order, supported
}

// support is how many trials expect the label.
func support(m *eval.Confusion, i int) (n int64) {
	if i < len(m.Counts) {
		for _, count := range m.Counts[i] {
			n += count
		}
	}
	return n
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
