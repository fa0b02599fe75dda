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

// panel is a table of a view, such as the classes of one variant. The functions for CSV, JSON and
// text each render it.
type panel struct {
	suite, variant string // variant "": the rows name the variants, or the table is about all of them
	lines          []line
	columns        []panelColumn
	rows           [][]cellValue
	visibleRows    int    // number of rows in a text report without [Report.ShowAll]; 0: all
	noun           string // singular noun for what a row represents, such as "class"
}

// panelColumn is a column of a panel. The CSV and JSON formats use name, the text formats use head.
type panelColumn struct {
	name, head string
	right      bool
	estimate   bool // the values are estimates, so that CSV also has columns for interval and n
}

// cellValue is a value of a panel and its text for readers. The value is a string, an int64, a
// float64 or an eval.Estimate; nil if there is none.
type cellValue struct {
	text  string
	value any
}

func nameValue(name string) cellValue { return cellValue{text: named(name), value: name} }
func countValue(n int64) cellValue    { return cellValue{text: thousands(n), value: n} }
func nonzeroValue(n int64) cellValue  { return cellValue{text: countOrEmpty(n), value: n} }
func textValue(text string) cellValue { return cellValue{text: text, value: text} }

// shareValue formats a rate with its confidence interval. For a small sample, it formats counts
// such as "3 of 4".
func shareValue(e eval.Estimate) cellValue {
	text := finding.FormatShare(e)
	if !finding.IsSmallSample(e) && isKnown(e.Value) {
		text += span(e.Lo, e.Hi, percent)
	}
	return cellValue{text: text, value: e}
}

// shareOnlyValue formats a rate without its confidence interval.
func shareOnlyValue(e eval.Estimate) cellValue {
	return cellValue{text: finding.FormatShare(e), value: e}
}

// estimateValue formats the value of an estimate without its confidence interval; show formats the
// number.
func estimateValue(e eval.Estimate, show func(float64) string) cellValue {
	if !isKnown(e.Value) {
		return cellValue{text: noValue, value: e}
	}
	return cellValue{text: show(*e.Value), value: e}
}

func perThousand(usd float64) string { return number.USD(1000 * usd) }

// equals reports whether two panels show the same content, so that one table can represent both
// variants.
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

// block converts the panel to a block of a text report. The heading names the suite and all
// variants for which the table is the same. Columns without values are omitted.
func (p panel) block(r Report, variants []string) block {
	b := block{level: 2, heading: p.suite, lines: slices.Clone(p.lines)}
	if len(variants) > 0 {
		b.heading += ": " + listed(variants)
	}
	rows := p.rows
	if n := len(rows) - p.visibleRows; p.visibleRows > 0 && n > 0 && !r.ShowAll {
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

// panelsCSV renders panels as CSV, with one line for each row of each panel. All panels of a view
// have the same columns.
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

// csv returns the CSV cells of a value: four cells for an estimate, otherwise one.
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

// panelsJSON renders panels as JSON, with all rows and unformatted values.
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
	}{View: r.View, Partial: r.Summary.Partial, Tables: []table{}}
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
