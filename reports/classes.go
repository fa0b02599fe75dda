package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// Limits for how many classes (expected labels) a report shows.
const (
	maxShownClasses = 12 // up to this number, the report shows all classes and the confusion matrix
	worstClasses    = 10 // number of classes in the short report if there are more than maxShownClasses
	largestMatrix   = 50 // with more classes, the report omits the confusion matrix
)

// classes returns a table with precision, recall, F1 and confusions of each label. Without detail,
// a report with many labels shows only those with the lowest F1.
func classes(c eval.ConditionSummary, detail bool) document.Block {
	labels := c.Confusion.Labels
	all := make([]int, expectedLabels(c.Confusion))
	if !detail && len(all) > maxShownClasses {
		return lowestClasses(c)
	}
	for i := range all {
		all[i] = i
	}
	b := document.Block{Table: classRows(c, all)}
	if len(labels) > largestMatrix {
		b.Lines = []document.Line{{Text: fmt.Sprintf("The confusion matrix of %d classes is in the JSON report.",
			len(labels))}}
		return b
	}
	b.Table.JoinedFrom = len(b.Table.Columns)
	for j, l := range labels {
		of := document.Column{Head: "→ " + named(l), Right: true}
		for i := range all {
			of.Cells = append(of.Cells, matrixCell(c.Confusion, i, j))
		}
		b.Table.Columns = append(b.Table.Columns, of)
	}
	return b
}

// expectedLabels returns how many labels of a confusion matrix some case expects. They come first
// in the matrix; the other labels only occur as predictions.
func expectedLabels(m *eval.Confusion) int { return cmp.Or(m.ExpectedLabels, len(m.Labels)) }

// lowestClasses returns a table of the classes with the lowest F1. Markdown has the others
// in a folded section.
func lowestClasses(c eval.ConditionSummary) document.Block {
	order, supported := worstFirst(c)
	shown := min(worstClasses, supported)
	others := len(order) - shown
	return document.Block{
		Lines: []document.Line{{Text: fmt.Sprintf(
			"The %d of %d classes with the lowest F1; -v shows the other %d and the confusion matrix.",
			shown, len(order), others)}},
		Table: classRows(c, order[:shown]),
		More: &document.Folded{
			Name:   fmt.Sprintf("The other %d classes", others),
			Blocks: []document.Block{{Table: classRows(c, order[shown:])}},
		},
	}
}

func classRows(c eval.ConditionSummary, order []int) document.Table {
	g := document.Table{Keys: 1, Columns: []document.Column{{Head: "expected"}, {Head: "precision"},
		{Head: "recall, n = support"},
		{Head: "F1", Right: true}}}
	for _, i := range order {
		label := c.Confusion.Labels[i]
		g.AddRow([]document.Cell{
			{Text: named(label)},
			{Text: rateText(c.Metrics["route.precision."+label])},
			{Text: rateText(c.Metrics["route.recall."+label])},
			{Text: scoreText(c.Metrics["route.f1."+label])},
		})
	}
	return g
}

// worstFirst returns the indexes of the labels, sorted by F1 (lowest first), then by name. Labels
// that no case expects come last; supported is the number of the other labels.
func worstFirst(c eval.ConditionSummary) (order []int, supported int) {
	unsupported := make([]int, expectedLabels(c.Confusion))
	f1 := make([]float64, len(unsupported))
	for i, l := range c.Confusion.Labels[:len(unsupported)] {
		order = append(order, i)
		f1[i] = 2 // sorts labels without an F1 after all others, because F1 is at most 1
		if e := c.Metrics["route.f1."+l]; isKnown(e.Value) {
			f1[i] = *e.Value
		}
		if support(c.Confusion, i) == 0 {
			unsupported[i] = 1
		} else {
			supported++
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(unsupported[a], unsupported[b]), cmp.Compare(f1[a], f1[b]),
			cmp.Compare(c.Confusion.Labels[a], c.Confusion.Labels[b]))
	})
	return order, supported
}

// support returns the number of trials that expect the label with index i.
func support(m *eval.Confusion, i int) (n int64) {
	if i < len(m.Counts) {
		for _, count := range m.Counts[i] {
			n += count
		}
	}
	return n
}

// matrixCell returns a count of the confusion matrix. Zeros are dots, so that the other counts are
// easy to see.
func matrixCell(m *eval.Confusion, expected, predicted int) document.Cell {
	if expected >= len(m.Counts) || predicted >= len(m.Counts[expected]) {
		return document.Cell{Text: noValue}
	}
	c := document.Cell{Text: "·"}
	if n := m.Counts[expected][predicted]; n != 0 {
		c.Text = thousands(n)
	}
	if expected == predicted {
		c.Tone = document.Strong
	}
	return c
}

const shortPairs = 3

// confusionTable returns the table of the top confusions (expected → predicted label), each with
// the ids of example cases.
func confusionTable(r Report, c eval.ConditionSummary) document.Block {
	list := c.ConfusedPairs
	if !r.ShowAll {
		list = list[:min(len(list), shortPairs)]
	}
	g := document.Table{Keys: 1, Narrow: document.WrapLast,
		Columns: []document.Column{{Head: "confusion"}, {Head: "n", Right: true},
			{Head: "cases: evalctl show " + cmp.Or(r.Dir, "DIR") + " CASE"}}}
	for _, p := range list {
		cases := strings.Join(p.Cases, ", ")
		if int64(len(p.Cases)) < p.N {
			cases = strings.TrimPrefix(cases+", "+ellipsis, ", ")
		}
		g.AddRow([]document.Cell{{Text: named(p.Expected) + " → " + predictedLabel(c, p.Predicted)},
			{Text: thousands(p.N)}, {Text: cases}})
	}
	return document.Block{Table: g}
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
