package page

import (
	"html/template"
	"slices"

	"evalctl/eval/metric"
)

// table is an HTML table with column heads. The first column contains the names of the rows.
type table struct {
	AriaLabel string
	Heads     []string
	Rows      []tableRow
	Left      string // note on the rows that the table omits; "": it is complete
}

type tableRow struct {
	Name  string
	First bool            // first row of a group, which has a line above
	Cells []template.HTML // "": unknown
}

// HTML renders the table. It omits columns without values.
func (t table) HTML() template.HTML {
	for i := len(t.Heads) - 1; i > 0; i-- {
		if slices.ContainsFunc(t.Rows, func(r tableRow) bool { return r.Cells[i-1] != "" }) {
			continue
		}
		t.Heads = slices.Delete(slices.Clone(t.Heads), i, i+1)
		for j := range t.Rows {
			t.Rows[j].Cells = slices.Delete(slices.Clone(t.Rows[j].Cells), i-1, i)
		}
	}
	for _, r := range t.Rows {
		for i, c := range r.Cells {
			if c == "" {
				r.Cells[i] = metric.MissingText
			}
		}
	}
	return fragment("table", t)
}

// mergeEqualRows merges rows that differ only in their names.
func (t table) mergeEqualRows() table {
	var rows []tableRow
	var names [][]string
	for _, r := range t.Rows {
		at := slices.IndexFunc(rows, func(one tableRow) bool { return slices.Equal(one.Cells, r.Cells) })
		if at < 0 {
			at, rows, names = len(rows), append(rows, r), append(names, nil)
		}
		names[at] = append(names[at], r.Name)
		rows[at].Name = joinNames(names[at])
	}
	t.Rows = rows
	return t
}
