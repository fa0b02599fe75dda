package figure

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"reflect"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
	"evalctl/reports/page/address"
	"evalctl/reports/page/spread"
)

// How much of confusions a page shows.
const (
	fewLabels    = 12 // more have a box of their own to scroll in
	mostRows     = 30 // of labels: of more, those that are mistaken most
	mostColumns  = 40 // of more, those that are got most in these rows
	mostMatrices = 24 // under faults
)

// matrix is a confusion as a table.
type matrix struct {
	Title   string
	Wide    bool
	Columns [][]string // in syllables
	Rows    []matrixRow
	Left    string // what is not shown; "": all is
}

type matrixRow struct {
	Label []string // in syllables
	N     int64
	Cells []matrixCell
}

// matrixCell counts the cases that expect one label and got another. A cell of none has
// no link.
type matrixCell struct {
	N            int64
	Share, Class string
	Link, Spoken string
	Title        string // of turns, in how many cases they are; "": cases are counted
}

// Confusion shows for which label others were taken: a table for each variant, equal ones
// once, and folded away those under a fault that are not as without it.
func Confusion(s eval.SuiteSummary, of *spread.SuiteDistribution) template.HTML {
	var plain, faulty []eval.ConditionSummary
	for _, c := range s.Conditions {
		switch {
		case c.Confusion == nil || len(c.Confusion.Counts) == 0:
		case !isFaulty(c):
			plain = append(plain, c)
		case !slices.ContainsFunc(plain, func(p eval.ConditionSummary) bool { return p.Name == c.Name && sameConfusion(p, c) }):
			faulty = append(faulty, c)
		}
	}
	if len(plain) == 0 {
		return ""
	}
	data := struct {
		Plain, Faulty []matrix
		More          int
		Turns         bool // what is counted, and not cases
	}{Plain: matrices(s, of, plain), Faulty: matrices(s, of, faulty), Turns: slices.ContainsFunc(plain, countsTurns)}
	if n := len(data.Faulty) - mostMatrices; n > 0 {
		data.Faulty, data.More = data.Faulty[:mostMatrices], n
	}
	return fragment("confusion", data)
}

func sameConfusion(a, b eval.ConditionSummary) bool {
	return reflect.DeepEqual(a.Confusion, b.Confusion)
}

func matrices(s eval.SuiteSummary, of *spread.SuiteDistribution, cells []eval.ConditionSummary) (list []matrix) {
	for _, g := range groups(cells, sameConfusion) {
		m := newMatrix(g.Confusion, casesOf(s, g.ConditionSummary), confusedTrials(s, of, g.ConditionSummary))
		m.Title = g.Title()
		list = append(list, m)
	}
	return list
}

func newMatrix(of *eval.Confusion, cases address.CasesLink, trials func(expected, got string, n int64) string) matrix {
	rows, columns := shownLabels(of)
	m := matrix{Wide: len(columns) > fewLabels}
	if n := expected(of) - len(rows); n > 0 {
		m.Left = fmt.Sprintf("The %d of %s with the most confusions.", len(rows), number.Plural(int64(expected(of)), "label"))
	}
	for _, j := range columns {
		m.Columns = append(m.Columns, syllables(of.Labels[j]))
	}
	for _, i := range rows {
		row := matrixRow{Label: syllables(of.Labels[i]), N: sum(of.Counts[i])}
		shown := int64(0)
		for _, j := range columns {
			cases.Expected, cases.Got = of.Labels[i], of.Labels[j]
			row.Cells = append(row.Cells, newMatrixCell(of.Counts[i][j], row.N, i == j, cases, trials))
			shown += of.Counts[i][j]
		}
		if len(columns) < len(of.Labels) {
			row.Cells = append(row.Cells, matrixCell{N: row.N - shown})
		}
		m.Rows = append(m.Rows, row)
	}
	if len(columns) < len(of.Labels) {
		m.Columns = append(m.Columns, []string{"others"})
	}
	return m
}

// shownLabels are the places of the rows and columns: all, or those with the most
// mistakes and what was got there most.
func shownLabels(of *eval.Confusion) (rows, columns []int) {
	mistaken, got := make([]int64, expected(of)), make([]int64, len(of.Labels))
	for i := range mistaken {
		rows = append(rows, i)
		mistaken[i] = sum(of.Counts[i]) - of.Counts[i][i]
	}
	if len(rows) > mostRows {
		slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(mistaken[b], mistaken[a]) })
		rows = rows[:mostRows]
	}
	for j := range of.Labels {
		for _, i := range rows {
			got[j] += of.Counts[i][j]
		}
		columns = append(columns, j)
	}
	if len(columns) <= mostColumns {
		return rows, columns
	}
	columns = slices.DeleteFunc(columns, func(j int) bool { return slices.Contains(rows, j) })
	slices.SortStableFunc(columns, func(a, b int) int { return cmp.Compare(got[b], got[a]) })
	return rows, append(slices.Clone(rows), columns[:mostColumns-len(rows)]...)
}

// expected is how many of the labels are classes; the others were only predicted.
func expected(of *eval.Confusion) int {
	return min(cmp.Or(of.ExpectedLabels, len(of.Labels)), len(of.Counts))
}

func newMatrixCell(n, of int64, right bool, cases address.CasesLink, trials func(expected, got string, n int64) string) matrixCell {
	c := matrixCell{N: n}
	if n == 0 {
		return c
	}
	share := float64(n) / float64(of)
	c.Share, c.Link = cellShare(n, of), cases.String()
	how := "taken for"
	switch {
	case right:
		c.Class, how = "b"+level(share), "found as"
	default:
		c.Class = "o" + level(math.Sqrt(share))
	}
	in := trials(cases.Expected, cases.Got, n)
	if in != "" {
		c.Title = "turns " + in
		in = " turns, " + in
	}
	c.Spoken = fmt.Sprintf("%s %s %s: %s of %s%s", Name(cases.Expected), how, Name(cases.Got), number.Thousands(n), number.Thousands(of), in)
	if !few(of) {
		c.Spoken += ", " + c.Share
	}
	return c
}

// countsTurns tells a cell in which labels are counted by turns, and some trial has
// several: accuracy counts each trial once.
func countsTurns(c eval.ConditionSummary) bool {
	return c.Metrics["route.macro_f1"].N > c.Metrics[accuracy].N
}

// confusedTrials says in how many cases turns are, where a case has several.
func confusedTrials(s eval.SuiteSummary, of *spread.SuiteDistribution, c eval.ConditionSummary) func(expected, got string, n int64) string {
	return func(expected, got string, n int64) string {
		if of == nil || !countsTurns(c) {
			return ""
		}
		return "in " + number.Plural(of.Confused(c, expected, got, n), Unit(s))
	}
}

// level is a colour's, from 0 to 9.
func level(v float64) string { return string(rune('0' + min(int(v*10), 9))) }

// few tells of how many no percentage is shown.
func few(of int64) bool { return finding.IsSmallSample(eval.Estimate{N: of}) }

// cellShare has decimals only where a cell has room and they tell something.
func cellShare(n, of int64) string {
	v := float64(n) / float64(of)
	if few(of) {
		return "of " + number.Thousands(of)
	}
	if whole := math.Round(v * 100); v >= 0.0995 && (v == 1 || whole < 100) {
		return number.Round(whole) + " %"
	}
	return number.Share(v)
}

func sum(counts []int64) (n int64) {
	for _, c := range counts {
		n += c
	}
	return n
}

// syllables are a name's parts between which a line may end: labels have no blanks.
func syllables(text string) []string { return strings.SplitAfter(Name(text), "_") }
