package document

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"evalctl/eval"
	"evalctl/eval/metric"
)

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
