package reports

import (
	"slices"

	"evalctl/eval"
)

// figure is a column of a table with a row for each cell.
type figure struct {
	head   string
	show   func(eval.ConditionSummary) string
	wanted func(eval.ConditionSummary) bool // left out where no cell does; nil: always shown
}

func metric(name string, show func(eval.Estimate) string) func(eval.ConditionSummary) string {
	return func(c eval.ConditionSummary) string { return show(c.Metrics[name]) }
}

func measured(name string) func(eval.ConditionSummary) bool {
	return func(c eval.ConditionSummary) bool { return known(c.Metrics[name].Value) }
}

// add gives the grid a column for each figure that some cell wants.
func (g *grid) add(figures []figure, cells []eval.ConditionSummary) {
	for _, f := range figures {
		if f.wanted != nil && !slices.ContainsFunc(cells, f.wanted) {
			continue
		}
		g.columns = append(g.columns, column{head: f.head})
		for i, c := range cells {
			g.rows[i] = append(g.rows[i], cell{text: f.show(c)})
		}
	}
}
