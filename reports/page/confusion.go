package page

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"reflect"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/finding"
)

// Limits for the size and number of confusion matrices.
const (
	maxUnscrolledLabels = 12 // a matrix with more labels can be scrolled
	maxRows             = 30 // rows of a matrix; if there are more, it shows those with the most errors
	// columns of a matrix; if there are more, it shows the labels of the rows and the most frequent
	// other predictions
	maxColumns  = 40
	maxMatrices = 24 // matrices for conditions with a fault
)

// matrix contains the data of a confusion matrix for the template.
type matrix struct {
	Title   string
	Wide    bool
	Columns [][]string // labels, split where a line may break
	Rows    []matrixRow
	Left    string // note on the labels that the matrix omits; "": it is complete
}

type matrixRow struct {
	Label []string // expected label, split where a line may break
	N     int64
	Cells []matrixCell
}

// matrixCell counts the predictions of one label for an expected label. A cell with count 0 has no
// link.
type matrixCell struct {
	N               int64
	Share, Class    string
	Link, AriaLabel string
	Title           string // if turns are counted, the number of their cases; "": cases are counted
}

// Confusion renders the confusion matrix of each variant and merges equal matrices. It shows a
// matrix under a fault only if it differs from the matrix without the fault, and folds it.
func Confusion(s eval.SuiteSummary, of *SuiteDistribution) template.HTML {
	var plain, faulty []eval.ConditionSummary
	for _, c := range s.Conditions {
		switch {
		case c.Confusion == nil || len(c.Confusion.Counts) == 0:
		case !hasFault(c):
			plain = append(plain, c)
		case !slices.ContainsFunc(plain,
			func(p eval.ConditionSummary) bool { return p.Variant == c.Variant && sameConfusion(p, c) }):
			faulty = append(faulty, c)
		}
	}
	if len(plain) == 0 {
		return ""
	}
	data := struct {
		Plain, Faulty []matrix
		More          int
		Turns         bool // the matrices count turns instead of cases
	}{Turns: slices.ContainsFunc(plain, countsTurns)}
	order := newLabelOrder(plain)
	data.Plain, data.Faulty = matrices(s, of, plain, order), matrices(s, of, faulty, order)
	if n := len(data.Faulty) - maxMatrices; n > 0 {
		data.Faulty, data.More = data.Faulty[:maxMatrices], n
	}
	return fragment("confusion", data)
}

func sameConfusion(a, b eval.ConditionSummary) bool {
	return reflect.DeepEqual(a.Confusion, b.Confusion)
}

func matrices(s eval.SuiteSummary, of *SuiteDistribution, conditions []eval.ConditionSummary,
	order labelOrder) (list []matrix) {
	for _, g := range groups(conditions, sameConfusion) {
		m := newMatrix(g.Confusion, order, casesOf(s, g.ConditionSummary), confusedTrials(s, of, g.ConditionSummary))
		m.Title = g.Title()
		list = append(list, m)
	}
	return list
}

func newMatrix(of *eval.Confusion, order labelOrder, cases CasesLink,
	trials func(expected, got string, n int64) string) matrix {
	rows, columns := order.shownLabels(of)
	m := matrix{Wide: len(columns) > maxUnscrolledLabels}
	if n := expected(of) - len(rows); n > 0 {
		m.Left = fmt.Sprintf("The %d of %s with the most confusions.", len(rows),
			metric.Plural(int64(expected(of)), "label"))
	}
	for _, j := range columns {
		m.Columns = append(m.Columns, splitName(of.Labels[j]))
	}
	for _, i := range rows {
		row := matrixRow{Label: splitName(of.Labels[i]), N: sum(of.Counts[i])}
		counted := int64(0)
		for _, j := range columns {
			cases.Expected, cases.Predicted = of.Labels[i], of.Labels[j]
			row.Cells = append(row.Cells, newMatrixCell(of.Counts[i][j], row.N, i == j, cases, trials))
			counted += of.Counts[i][j]
		}
		if len(columns) < len(of.Labels) {
			row.Cells = append(row.Cells, matrixCell{N: row.N - counted})
		}
		m.Rows = append(m.Rows, row)
	}
	if len(columns) < len(of.Labels) {
		m.Columns = append(m.Columns, []string{"others"})
	}
	return m
}

// labelOrder has the number of errors and of predictions of each label over all variants, so that
// all matrices of a suite show the same labels.
type labelOrder struct{ errors, predicted map[string]int64 }

func newLabelOrder(variants []eval.ConditionSummary) labelOrder {
	o := labelOrder{errors: map[string]int64{}, predicted: map[string]int64{}}
	for _, v := range variants {
		for i := range expected(v.Confusion) {
			o.errors[v.Confusion.Labels[i]] += sum(v.Confusion.Counts[i]) - v.Confusion.Counts[i][i]
		}
	}
	for _, v := range variants {
		for _, i := range o.rows(v.Confusion) {
			for j, label := range v.Confusion.Labels {
				o.predicted[label] += v.Confusion.Counts[i][j]
			}
		}
	}
	return o
}

// rows returns the indexes of the labels that a matrix shows as rows. Large matrices show those with
// the most errors over all variants.
func (o labelOrder) rows(of *eval.Confusion) (rows []int) {
	for i := range expected(of) {
		rows = append(rows, i)
	}
	if len(rows) > maxRows {
		slices.SortStableFunc(rows, byCount(of, o.errors))
		rows = rows[:maxRows]
	}
	return rows
}

// shownLabels returns the indexes of the labels that a matrix shows as rows and as columns. Large
// matrices show the labels of the rows and the most frequent other predictions over all variants.
func (o labelOrder) shownLabels(of *eval.Confusion) (rows, columns []int) {
	rows = o.rows(of)
	for j := range of.Labels {
		columns = append(columns, j)
	}
	if len(columns) <= maxColumns {
		return rows, columns
	}
	columns = slices.DeleteFunc(columns, func(j int) bool { return slices.Contains(rows, j) })
	slices.SortStableFunc(columns, byCount(of, o.predicted))
	return rows, append(slices.Clone(rows), columns[:maxColumns-len(rows)]...)
}

// byCount compares two labels of a matrix by their counts, the largest first, then by name.
func byCount(of *eval.Confusion, counts map[string]int64) func(a, b int) int {
	return func(a, b int) int {
		return cmp.Or(cmp.Compare(counts[of.Labels[b]], counts[of.Labels[a]]), cmp.Compare(of.Labels[a], of.Labels[b]))
	}
}

// expected returns how many labels of a confusion matrix are expected by at least one case. These
// labels come first; the others only occur as predictions.
func expected(of *eval.Confusion) int {
	return min(cmp.Or(of.ExpectedLabels, len(of.Labels)), len(of.Counts))
}

func newMatrixCell(n, of int64, right bool, cases CasesLink,
	trials func(expected, got string, n int64) string) matrixCell {
	c := matrixCell{N: n}
	if n == 0 {
		return c
	}
	share := float64(n) / float64(of)
	c.Share, c.Link = cellShare(n, of), cases.String()
	how := "predicted as"
	switch {
	case right:
		c.Class, how = "b"+colorLevel(share), "found as"
	default:
		c.Class = "o" + colorLevel(math.Sqrt(share))
	}
	in := trials(cases.Expected, cases.Predicted, n)
	if in != "" {
		c.Title = "turns " + in
		in = " turns, " + in
	}
	c.AriaLabel = fmt.Sprintf("%s %s %s: %s of %s%s", ShortName(cases.Expected), how, ShortName(cases.Predicted),
		metric.FormatInteger(n),
		metric.FormatInteger(of), in)
	if !isSmall(of) {
		c.AriaLabel += ", " + c.Share
	}
	return c
}

// countsTurns reports whether the metrics of labels count turns instead of trials, because some
// trial has several turns. The accuracy always counts each trial once.
func countsTurns(c eval.ConditionSummary) bool {
	return c.Metrics["route.macro_f1"].N > c.Metrics[accuracy].N
}

// confusedTrials returns a function that formats how many cases (or trials) contain the n turns
// with a confusion. The text is "" if each case has one turn.
func confusedTrials(s eval.SuiteSummary, of *SuiteDistribution, c eval.ConditionSummary) func(expected,
	got string, n int64) string {
	return func(expected, got string, n int64) string {
		if of == nil || !countsTurns(c) {
			return ""
		}
		return "in " + metric.Plural(of.TrialsWithConfusion(c, expected, got, n), TrialNoun(s))
	}
}

// colorLevel converts a share to a level of the color scale, from 0 to 9.
func colorLevel(v float64) string { return string(rune('0' + min(int(v*10), 9))) }

func isSmall(of int64) bool { return finding.IsSmallSample(eval.Estimate{N: of}) }

// cellShare formats a share for a narrow cell. It has decimals only below 10 % and close to 100 %.
func cellShare(n, of int64) string {
	v := float64(n) / float64(of)
	if isSmall(of) {
		return "of " + metric.FormatInteger(of)
	}
	if whole := math.Round(v * 100); v >= 0.0995 && (v == 1 || whole < 100) {
		return metric.FormatRounded(whole) + " %"
	}
	return metric.FormatShare(v)
}

func sum(counts []int64) (n int64) {
	for _, c := range counts {
		n += c
	}
	return n
}

func splitName(text string) []string { return strings.SplitAfter(ShortName(text), "_") }
