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

// csvText has a row for every metric of every cell (RFC 4180). A run that did
// not end has a row with the metric PARTIAL at the top and at the bottom.
func csvText(s eval.Summary) ([]byte, error) {
	rows := [][]string{{"suite", "variant", "fault", "metric", "value", "lo", "hi", "n", "missing"}}
	partial := []string{"", "", "", "PARTIAL", "1", "", "", "", ""}
	if s.Partial {
		rows = append(rows, partial)
	}
	for _, suite := range s.Suites {
		for _, cell := range suite.Conditions {
			rows = append(rows, csvRows(suite.Name, cell)...)
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
			guarded(suite), guarded(c.Name), guarded(c.Fault), guarded(name),
			plainNumber(e.Value), plainNumber(e.Lo), plainNumber(e.Hi),
			strconv.FormatInt(e.N, 10), strconv.FormatInt(e.Missing, 10),
		})
	}
	return rows
}

// guarded keeps a spreadsheet from taking a text for a formula, as OWASP advises
// against CSV injection: an apostrophe goes before what begins, after blanks,
// with = + - @ or one of their full-width forms; and after a semicolon, which parts
// cells where a comma is in numbers. Tabs and line ends, which would do as well, are
// blanks by then. Figures have columns of their own and stay as
// they are. Who needs a name to the letter finds it in the JSON report.
func guarded(text string) string {
	text = cellBegin.ReplaceAllString(clean(text), "$1'$2")
	if first, _ := utf8.DecodeRuneInString(strings.TrimSpace(text)); strings.ContainsRune("=+-@＝＋－＠", first) {
		return "'" + text
	}
	return text
}

// cellBegin is a formula in what a semicolon makes a cell of its own.
var cellBegin = regexp.MustCompile(`(;[\s\p{Z}"]*)([=+\-@＝＋－＠])`)

func plainNumber(v *float64) string {
	if !known(v) {
		return ""
	}
	return strconv.FormatFloat(*v, 'f', -1, 64)
}
