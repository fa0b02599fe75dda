package reports

import (
	"strconv"
	"time"

	"evalctl/eval"
)

// valueTable returns a table for CSV, without heads and texts, whose columns have the given keys.
func valueTable(keys ...string) *grid {
	g := &grid{}
	for _, key := range keys {
		g.columns = append(g.columns, column{key: key})
	}
	return g
}

// addValues appends a row with one value for each column.
func (g *grid) addValues(values ...any) {
	for i := range g.columns {
		g.columns[i].cells = append(g.columns[i].cells, cell{value: values[i]})
	}
}

// utc formats a time as a value of a table.
func utc(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

// tableCSV renders the values of a table as CSV, with one line for each row. Estimates have
// additional columns for their interval and n.
func tableCSV(g grid) ([]byte, error) {
	rows := [][]string{g.csvHeads()}
	for i := range g.rows() {
		rows = append(rows, g.csvCells(i))
	}
	return csvOf(rows)
}

// scopedRows joins the tables of the blocks that have a scope. Each row starts with the suite and the
// variant. All tables must have the same columns. A partial run has a PARTIAL row at the top and at
// the bottom.
func scopedRows(blocks []block, partial bool) *grid {
	g := valueTable("suite", "variant")
	mark := []any{"PARTIAL", ""}
	for _, b := range blocks {
		if b.suite == "" {
			continue
		}
		if len(g.columns) == 2 {
			for _, c := range b.grid.columns {
				c.cells = nil
				g.columns = append(g.columns, c)
				mark = append(mark, nil)
			}
			if partial {
				g.addValues(mark...)
			}
		}
		for i := range b.grid.rows() {
			g.addRow(append([]cell{{value: b.suite}, {value: b.variant}}, b.grid.row(i)...))
		}
	}
	if partial {
		g.addValues(mark...)
	}
	return g
}

func (g grid) csvHeads() (heads []string) {
	for _, c := range g.columns {
		if c.key == "" {
			continue
		}
		key := escapeFormula(c.key)
		if heads = append(heads, key); c.estimate {
			heads = append(heads, key+"_lo", key+"_hi", key+"_n")
		}
	}
	return heads
}

func (g grid) csvCells(row int) (texts []string) {
	for _, c := range g.columns {
		switch {
		case c.key == "":
		case c.estimate:
			e, _ := c.cells[row].value.(eval.Estimate)
			texts = append(texts, estimateCells(e)...)
		default:
			texts = append(texts, csvValue(c.cells[row].value))
		}
	}
	return texts
}

func csvValue(value any) string {
	switch v := value.(type) {
	case string:
		return escapeFormula(v)
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case uint64:
		return strconv.FormatUint(v, 10)
	case float64:
		return plainNumber(&v)
	case *float64:
		return plainNumber(v)
	case *int64:
		if v != nil {
			return strconv.FormatInt(*v, 10)
		}
	}
	return ""
}

// scopedTable is the JSON form of the table of a block with a scope.
type scopedTable struct {
	Suite   string           `json:"suite"`
	Variant string           `json:"variant,omitempty"`
	Rows    []map[string]any `json:"rows"`
}

// scopedData is the JSON form of the blocks of a view, with all rows and unformatted values.
type scopedData struct {
	View    View          `json:"view"`
	Partial bool          `json:"partial,omitempty"`
	Tables  []scopedTable `json:"tables"`
}

func newScopedData(view View, blocks []block, partial bool) scopedData {
	out := scopedData{View: view, Partial: partial, Tables: []scopedTable{}}
	for _, b := range blocks {
		if b.suite == "" {
			continue
		}
		t := scopedTable{Suite: b.suite, Variant: b.variant, Rows: []map[string]any{}}
		for i := range b.grid.rows() {
			values := map[string]any{}
			for _, c := range b.grid.columns {
				if c.key != "" {
					values[c.key] = c.cells[i].value
				}
			}
			t.Rows = append(t.Rows, values)
		}
		out.Tables = append(out.Tables, t)
	}
	return out
}
