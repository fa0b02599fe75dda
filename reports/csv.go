package reports

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"evalctl/eval"
)

// csvText renders a summary as CSV (RFC 4180), with one row for each metric of each condition. A
// partial run has a row with the metric PARTIAL at the top and at the bottom.
func csvText(s eval.Summary) ([]byte, error) {
	rows := [][]string{{"suite", "variant", "fault", "metric", "value", "lo", "hi", "n", "missing"}}
	partial := []string{"", "", "", "PARTIAL", "1", "", "", "", ""}
	if s.Partial {
		rows = append(rows, partial)
	}
	for _, suite := range s.Suites {
		for _, condition := range suite.Conditions {
			rows = append(rows, csvRows(suite.Name, condition)...)
		}
	}
	if s.Partial {
		rows = append(rows, partial)
	}
	return csvOf(rows)
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

func csvRows(suite string, c eval.ConditionSummary) [][]string {
	var rows [][]string
	for _, name := range slices.Sorted(maps.Keys(c.Metrics)) {
		e := c.Metrics[name]
		rows = append(rows, []string{
			escapeFormula(suite), escapeFormula(c.Variant), escapeFormula(c.Fault), escapeFormula(name),
			plainNumber(e.Value), plainNumber(e.Lo), plainNumber(e.Hi),
			strconv.FormatInt(e.N, 10), strconv.FormatInt(e.Missing, 10),
		})
	}
	return rows
}

// escapeFormula prevents a spreadsheet from reading a text as a formula (CSV injection, see OWASP).
// It puts an apostrophe before a leading = + - @ or their full-width forms, ignoring blanks. The
// same applies after a semicolon, which separates cells in locales with a decimal comma. Tabs and
// line breaks have already been replaced. Numbers have their own columns and are not changed. The
// JSON report contains unchanged names.
func escapeFormula(text string) string {
	text = formulaAfterSemicolon.ReplaceAllString(clean(text), "$1'$2")
	if first, _ := utf8.DecodeRuneInString(strings.TrimSpace(text)); strings.ContainsRune("=+-@＝＋－＠", first) {
		return "'" + text
	}
	return text
}

// formulaAfterSemicolon matches the start of a formula after a semicolon.
var formulaAfterSemicolon = regexp.MustCompile(`(;[\s\p{Z}"]*)([=+\-@＝＋－＠])`)

func plainNumber(v *float64) string {
	if !isKnown(v) {
		return ""
	}
	return strconv.FormatFloat(*v, 'f', -1, 64)
}
