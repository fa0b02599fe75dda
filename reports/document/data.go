package document

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"evalctl/agent/text"
	"evalctl/eval"
	"evalctl/eval/metric"
)

// ValueTable returns a table for CSV, without heads and texts, whose columns have the given keys.
func ValueTable(keys ...string) *Table {
	g := &Table{}
	for _, key := range keys {
		g.Columns = append(g.Columns, Column{Key: key})
	}
	return g
}

// AddValues appends a row with one value for each column.
func (g *Table) AddValues(values ...any) {
	for i := range g.Columns {
		g.Columns[i].Cells = append(g.Columns[i].Cells, Cell{Value: values[i]})
	}
}

// UTC formats a time as a value of a table.
func UTC(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

// CSV renders the values of a table as CSV, with one line for each row. Estimates have
// additional columns for their interval and n.
func CSV(g Table) ([]byte, error) {
	rows := [][]string{g.csvHeads()}
	for i := range g.Rows() {
		rows = append(rows, g.csvCells(i))
	}
	return csvOf(rows)
}

// ScopedRows joins the tables of the blocks that have a scope. Each row starts with the suite and the
// variant. All tables must have the same columns. A partial run has a PARTIAL row at the top and at
// the bottom.
func ScopedRows(blocks []Block, partial bool) *Table {
	g := ValueTable("suite", "variant")
	mark := []any{"PARTIAL", ""}
	for _, b := range blocks {
		if b.Suite == "" {
			continue
		}
		if len(g.Columns) == 2 {
			for _, c := range b.Table.Columns {
				c.Cells = nil
				g.Columns = append(g.Columns, c)
				mark = append(mark, nil)
			}
			if partial {
				g.AddValues(mark...)
			}
		}
		for i := range b.Table.Rows() {
			g.AddRow(append([]Cell{{Value: b.Suite}, {Value: b.Variant}}, b.Table.row(i)...))
		}
	}
	if partial {
		g.AddValues(mark...)
	}
	return g
}

func (g Table) csvHeads() (heads []string) {
	for _, c := range g.Columns {
		if c.Key == "" {
			continue
		}
		key := escapeFormula(c.Key)
		if heads = append(heads, key); c.Estimate {
			heads = append(heads, key+"_lo", key+"_hi", key+"_n")
		}
	}
	return heads
}

func (g Table) csvCells(row int) (texts []string) {
	for _, c := range g.Columns {
		switch {
		case c.Key == "":
		case c.Estimate:
			e, _ := c.Cells[row].Value.(eval.Estimate)
			texts = append(texts, estimateCells(e)...)
		default:
			texts = append(texts, csvValue(c.Cells[row].Value))
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

// ScopedTables is the JSON form of the blocks of a view, with all rows and unformatted values.
type ScopedTables struct {
	View    string        `json:"view"`
	Partial bool          `json:"partial,omitempty"`
	Tables  []scopedTable `json:"tables"`
}

func NewScopedTables(view string, blocks []Block, partial bool) ScopedTables {
	out := ScopedTables{View: view, Partial: partial, Tables: []scopedTable{}}
	for _, b := range blocks {
		if b.Suite == "" {
			continue
		}
		t := scopedTable{Suite: b.Suite, Variant: b.Variant, Rows: []map[string]any{}}
		for i := range b.Table.Rows() {
			values := map[string]any{}
			for _, c := range b.Table.Columns {
				if c.Key != "" {
					values[c.Key] = c.Cells[i].Value
				}
			}
			t.Rows = append(t.Rows, values)
		}
		out.Tables = append(out.Tables, t)
	}
	return out
}

func csvOf(rows [][]string) ([]byte, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.UseCRLF = true
	if err := w.WriteAll(rows); err != nil {
		return nil, fmt.Errorf("encode csv: %w", err)
	}
	return out.Bytes(), nil
}

// escapeFormula prevents a spreadsheet from reading a text as a formula (CSV injection, see OWASP).
// It puts an apostrophe before a leading = + - @ or their full-width forms, ignoring blanks. The
// same applies after a semicolon, which separates cells in locales with a decimal comma. Tabs and
// line breaks have already been replaced. Numbers have their own columns and are not changed. The
// JSON report contains unchanged names.
func escapeFormula(text string) string {
	text = formulaAfterSemicolon.ReplaceAllString(escapeLine(text), "$1'$2")
	if first, _ := utf8.DecodeRuneInString(strings.TrimSpace(text)); strings.ContainsRune("=+-@＝＋－＠", first) {
		return "'" + text
	}
	return text
}

// formulaAfterSemicolon matches the start of a formula after a semicolon.
var formulaAfterSemicolon = regexp.MustCompile(`(;[\s\p{Z}"]*)([=+\-@＝＋－＠])`)

func plainNumber(v *float64) string {
	if !metric.IsKnown(v) {
		return ""
	}
	return strconv.FormatFloat(*v, 'f', -1, 64)
}

// estimateCells returns the four cells of a metric: value, lower bound, upper bound and n. All are
// empty if the value is unknown.
func estimateCells(e eval.Estimate) []string {
	if !metric.IsKnown(e.Value) {
		return make([]string, 4)
	}
	return []string{plainNumber(e.Value), plainNumber(e.Lo), plainNumber(e.Hi), strconv.FormatInt(e.N, 10)}
}

// JSON encodes a value as indented JSON. It writes control characters that could affect a
// terminal as \u escapes. They occur only in strings, so the value does not change.
func JSON(v any) ([]byte, error) {
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	var out bytes.Buffer
	for _, r := range raw.String() {
		if r != '\n' && text.IsControl(r) {
			for _, half := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&out, `\u%04x`, half)
			}
			continue
		}
		out.WriteRune(r)
	}
	return out.Bytes(), nil
}
