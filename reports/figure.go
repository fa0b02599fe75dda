package reports

import (
	"slices"

	"evalctl/eval"
)

// figure is a column of a table with a row for each cell.
type figure struct {
	head   string
	show   func(eval.CellSummary) string
	wanted func(eval.CellSummary) bool // left out where no cell does; nil: always shown
}

func metric(name string, show func(eval.Estimate) string) func(eval.CellSummary) string {
	return func(c eval.CellSummary) string { return show(c.Metrics[name]) }
}

func measured(name string) func(eval.CellSummary) bool {
	return func(c eval.CellSummary) bool { return known(c.Metrics[name].Value) }
}

// add gives the grid a column for each figure that some cell wants.
func (g *grid) add(figures []figure, cells []eval.CellSummary) {
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
