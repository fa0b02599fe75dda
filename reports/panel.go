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

// panel is one of a view's tables, of which every format makes its own.
type panel struct {
	suite, variant string // variant "": rows name it, or it is of all
	lines          []line
	columns        []panelColumn
	rows           [][]cellValue
	shown          int    // rows that a reader sees unless all are asked for; 0: all
	noun           string // what a row is
}

// panelColumn is one by its name for machines, and its head for readers.
type panelColumn struct {
	name, head string
	right      bool
	estimate   bool // values have an interval and a denominator
}

// cellValue is a value, and how it is shown: a string, an int64, a float64 or an
// eval.Estimate; nil where there is none.
type cellValue struct {
	text  string
	value any
}

func nameDatum(name string) cellValue  { return cellValue{text: named(name), value: name} }
func countDatum(n int64) cellValue     { return cellValue{text: grouped(n), value: n} }
func someDatum(n int64) cellValue      { return cellValue{text: some(n), value: n} }
func wordsDatum(text string) cellValue { return cellValue{text: text, value: text} }

// shareDatum shows a proportion with its interval, of few trials as counts.
func shareDatum(e eval.Estimate) cellValue {
	text := finding.Share(e)
	if !finding.IsSmallSample(e) && known(e.Value) {
		text += span(e.Lo, e.Hi, percent)
	}
	return cellValue{text: text, value: e}
}

// plainShare shows it without.
func plainShare(e eval.Estimate) cellValue { return cellValue{text: finding.Share(e), value: e} }

// figureDatum shows a figure alone.
func figureDatum(e eval.Estimate, show func(float64) string) cellValue {
	if !known(e.Value) {
		return cellValue{text: unmeasured, value: e}
	}
	return cellValue{text: show(*e.Value), value: e}
}

func perThousand(usd float64) string { return number.USD(1000 * usd) }

// equals tells tables that show the same.
func (p panel) equals(o panel) bool {
	return (p.variant == "") == (o.variant == "") && reflect.DeepEqual(p.lines, o.lines) && reflect.DeepEqual(p.texts(), o.texts())
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

// block is the table as readers see it, under the suite and the variants of which it is.
// Columns without a value are left out.
func (p panel) block(r Report, variants []string) block {
	b := block{level: 2, heading: p.suite, lines: slices.Clone(p.lines)}
	if len(variants) > 0 {
		b.heading += ": " + listed(variants)
	}
	rows := p.rows
	if n := len(rows) - p.shown; p.shown > 0 && n > 0 && !r.Detail {
		rows = rows[:p.shown]
		b.lines = append(b.lines, line{text: fmt.Sprintf("First %d of %s; -v shows all.", p.shown, counted(int64(len(p.rows)), p.noun))})
	}
	if len(rows) == 0 {
		return b
	}
	b.grid = grid{keys: 1, rows: make([][]cell, len(rows))}
	for i, c := range p.columns {
		if i > 0 && !slices.ContainsFunc(rows, func(row []cellValue) bool { return row[i].text != "" && row[i].text != unmeasured }) {
			continue
		}
		b.grid.columns = append(b.grid.columns, column{head: c.head, right: c.right})
		for n, row := range rows {
			b.grid.rows[n] = append(b.grid.rows[n], cell{text: row[i].text})
		}
	}
	return b
}

// panelsCSV has a line for each row of each table. All tables of a view have the same
// columns.
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
			texts := []string{guarded(p.suite), guarded(p.variant)}
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

// csv are the cells of a value.
func (d cellValue) csv(estimate bool) []string {
	if estimate {
		e, _ := d.value.(eval.Estimate)
		return estimateCells(e)
	}
	switch v := d.value.(type) {
	case string:
		return []string{guarded(v)}
	case int64:
		return []string{strconv.FormatInt(v, 10)}
	case float64:
		return []string{plainNumber(&v)}
	}
	return []string{""}
}

// panelsJSON has the tables with all rows, and values as they are.
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
