package figure

import (
	"html/template"
	"slices"

	"evalctl/eval/number"
)

// table is one with a head, the first column of which names its rows.
type table struct {
	Spoken string
	Heads  []string
	Rows   []tableRow
	Left   string // what is not shown; "": all is
}

type tableRow struct {
	Name  string
	First bool            // of a group: a line stands above
	Cells []template.HTML // "": nothing is known
}

// HTML is the table without columns of which nothing is known in any row.
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
				r.Cells[i] = number.None
			}
		}
	}
	return fragment("table", t)
}

// joined has one row for all that are alike but for their names.
func (t table) joined() table {
	var rows []tableRow
	var names [][]string
	for _, r := range t.Rows {
		at := slices.IndexFunc(rows, func(one tableRow) bool { return slices.Equal(one.Cells, r.Cells) })
		if at < 0 {
			at, rows, names = len(rows), append(rows, r), append(names, nil)
		}
		names[at] = append(names[at], r.Name)
		rows[at].Name = listed(names[at])
	}
	t.Rows = rows
	return t
}
