package document

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
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

// MarkPartial adds a row with these values at the top and at the bottom, which shows programs that the
// run did not end. Further columns stay empty.
func (g *Table) MarkPartial(values ...any) {
	for i := range g.Columns {
		var mark Cell
		if i < len(values) {
			mark.Value = values[i]
		}
		g.Columns[i].Cells = slices.Concat([]Cell{mark}, g.Columns[i].Cells, []Cell{mark})
	}
}

// UTC formats a time as a value of a table.
func UTC(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

// CSV renders the rows of a document as CSV, with one line for each row. Estimates have additional
// columns for their interval and n. It returns [ErrNoRows] if d.Rows is nil: the report has no CSV form.
func CSV(d Document, _ Options) ([]byte, error) {
	if d.Rows == nil {
		return nil, ErrNoRows
	}
	return d.Rows().csv()
}

// ErrNoRows is the error of [CSV] for a report without a CSV form.
var ErrNoRows = errors.New("the report has no CSV form")

func (g Table) csv() ([]byte, error) {
	rows := [][]string{g.csvHeads()}
	for i := range g.Rows() {
		cells, err := g.csvCells(i)
		if err != nil {
			return nil, err
		}
		rows = append(rows, cells)
	}
	return csvOf(rows)
}

// ScopedRows joins the tables of the blocks that have a scope. Each row starts with the suite and the
// variant. All tables must have the same columns. A partial run has a PARTIAL row at the top and at
// the bottom.
func ScopedRows(blocks []Block, partial bool) *Table {
	g := ValueTable("suite", "variant")
	for _, b := range blocks {
		if b.Suite == "" {
			continue
		}
		if len(g.Columns) == 2 {
			for _, c := range b.Table.Columns {
				c.Cells = nil
				g.Columns = append(g.Columns, c)
			}
		}
		for i := range b.Table.Rows() {
			g.AddRow(append([]Cell{{Value: b.Suite}, {Value: b.Variant}}, b.Table.row(i)...))
		}
	}
	if partial {
		g.MarkPartial("PARTIAL")
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

func (g Table) csvCells(row int) (texts []string, err error) {
	for _, c := range g.Columns {
		if c.Key == "" {
			continue
		}
		cells, err := csvValue(c.Cells[row].Value)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Key, err)
		}
		if c.Estimate && c.Cells[row].Value == nil {
			cells = estimateCells(eval.Estimate{})
		}
		texts = append(texts, cells...)
	}
	return texts, nil
}

func csvValue(value any) ([]string, error) {
	switch v := value.(type) {
	case nil:
		return []string{""}, nil
	case string:
		return []string{escapeFormula(v)}, nil
	case bool, int, int64, uint64:
		return []string{fmt.Sprint(v)}, nil
	case float64:
		return []string{plainNumber(&v)}, nil
	case *float64:
		return []string{plainNumber(v)}, nil
	case *int64:
		if v == nil {
			return []string{""}, nil
		}
		return []string{strconv.FormatInt(*v, 10)}, nil
	case eval.Estimate:
		return estimateCells(v), nil
	}
	return nil, fmt.Errorf("no text for a value of type %T", value)
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

// JSON renders the data of a document as JSON.
func JSON(d Document, _ Options) ([]byte, error) { return jsonText(d.Data) }

// jsonText encodes a value as indented JSON. It writes control characters that could affect a
// terminal as \u escapes. They occur only in strings, so the value does not change.
func jsonText(v any) ([]byte, error) {
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
