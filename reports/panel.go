package reports

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
)

// panel is a table of a view; each format renders it in its own way.
type panel struct {
	suite, variant string // variant "": rows contain it, or the table is about all variants
	lines          []line
	columns        []panelColumn
	rows           [][]cellValue
	visibleRows    int    // number of rows to show unless all are requested; 0: all
	noun           string // what a row represents, in the singular
}

// panelColumn is a column; name is for machines, head for readers.
type panelColumn struct {
	name, head string
	right      bool
	estimate   bool // values have an interval and a denominator
}

// cellValue is a value and its text. The value is a string, an int64, a float64 or an
// eval.Estimate; nil if there is none.
type cellValue struct {
	text  string
	value any
}

func nameValue(name string) cellValue { return cellValue{text: named(name), value: name} }
func countValue(n int64) cellValue    { return cellValue{text: thousands(n), value: n} }
func nonzeroValue(n int64) cellValue  { return cellValue{text: countOrEmpty(n), value: n} }
func textValue(text string) cellValue { return cellValue{text: text, value: text} }

// shareValue formats a proportion with its interval, or as counts for a small sample.
func shareValue(e eval.Estimate) cellValue {
	text := finding.Share(e)
	if !finding.IsSmallSample(e) && isKnown(e.Value) {
		text += span(e.Lo, e.Hi, percent)
	}
	return cellValue{text: text, value: e}
}

// shareOnlyValue formats a proportion without its interval.
func shareOnlyValue(e eval.Estimate) cellValue { return cellValue{text: finding.Share(e), value: e} }

// estimateValue formats a value without its interval.
func estimateValue(e eval.Estimate, show func(float64) string) cellValue {
	if !isKnown(e.Value) {
		return cellValue{text: noValue, value: e}
	}
	return cellValue{text: show(*e.Value), value: e}
}

func perThousand(usd float64) string { return number.USD(1000 * usd) }

// equals reports whether two tables show the same content.
func (p panel) equals(o panel) bool {
	return (p.variant == "") == (o.variant == "") && reflect.DeepEqual(p.lines, o.lines) &&
		reflect.DeepEqual(p.texts(), o.texts())
}

func (p panel) texts() (texts [][]string) {
	for _, row := range p.rows {
		var line []string
		for _, d := range row {
			line = append(line, d.text)
		}
		texts = append(texts, line)
	}
	return texts
}

// block returns the table for readers, under the names of the suite and the variants. Columns
// without values are omitted.
func (p panel) block(r Report, variants []string) block {
	b := block{level: 2, heading: p.suite, lines: slices.Clone(p.lines)}
	if len(variants) > 0 {
		b.heading += ": " + listed(variants)
	}
	rows := p.rows
	if n := len(rows) - p.visibleRows; p.visibleRows > 0 && n > 0 && !r.Detail {
		rows = rows[:p.visibleRows]
		b.lines = append(b.lines,
			line{text: fmt.Sprintf("First %d of %s; -v shows all.", p.visibleRows, plural(int64(len(p.rows)), p.noun))})
	}
	if len(rows) == 0 {
		return b
	}
	b.grid = grid{keys: 1, rows: make([][]cell, len(rows))}
	for i, c := range p.columns {
		if i > 0 && !slices.ContainsFunc(rows,
			func(row []cellValue) bool { return row[i].text != "" && row[i].text != noValue }) {
			continue
		}
		b.grid.columns = append(b.grid.columns, column{head: c.head, right: c.right})
		for n, row := range rows {
			b.grid.rows[n] = append(b.grid.rows[n], cell{text: row[i].text})
		}
	}
	return b
}

// panelsCSV has one line for each row of each table. All tables of a view have the same columns.
func panelsCSV(r Report, panels []panel) ([]byte, error) {
	heads := []string{"suite", "variant"}
	if len(panels) > 0 {
		for _, c := range panels[0].columns {
			if heads = append(heads, c.name); c.estimate {
				heads = append(heads, c.name+"_lo", c.name+"_hi", c.name+"_n")
			}
		}
	}
	rows := [][]string{heads}
	partial := make([]string, len(heads))
	if partial[0] = "PARTIAL"; r.Summary.Partial {
		rows = append(rows, partial)
	}
	for _, p := range panels {
		for _, row := range p.rows {
			texts := []string{escapeFormula(p.suite), escapeFormula(p.variant)}
			for i, d := range row {
				texts = append(texts, d.csv(p.columns[i].estimate)...)
			}
			rows = append(rows, texts)
		}
	}
	if r.Summary.Partial {
		rows = append(rows, partial)
	}
	return csvOf(rows)
}

// csv returns the CSV cells of a value.
func (d cellValue) csv(estimate bool) []string {
	if estimate {
		e, _ := d.value.(eval.Estimate)
		return estimateCells(e)
	}
	switch v := d.value.(type) {
	case string:
		return []string{escapeFormula(v)}
	case int64:
		return []string{strconv.FormatInt(v, 10)}
	case float64:
		return []string{plainNumber(&v)}
	}
	return []string{""}
}

// panelsJSON encodes the tables with all rows and unformatted values.
func panelsJSON(r Report, panels []panel) ([]byte, error) {
	type table struct {
		Suite   string           `json:"suite"`
		Variant string           `json:"variant,omitempty"`
		Rows    []map[string]any `json:"rows"`
	}
	out := struct {
		View    View    `json:"view"`
		Partial bool    `json:"partial,omitempty"`
		Tables  []table `json:"tables"`
	}{View: r.By, Partial: r.Summary.Partial, Tables: []table{}}
	for _, p := range panels {
		t := table{Suite: p.suite, Variant: p.variant, Rows: []map[string]any{}}
		for _, row := range p.rows {
			values := map[string]any{}
			for i, d := range row {
				values[p.columns[i].name] = d.value
			}
			t.Rows = append(t.Rows, values)
		}
		out.Tables = append(out.Tables, t)
	}
	return jsonText(out)
}
