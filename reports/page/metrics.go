package page

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/finding"
)

// metricTable contains the metrics of a suite in the order of the catalog, with one row for each
// metric and one column for each variant.
type metricTable struct {
	Open     bool
	Variants []string
	Rows     []metricRow
	Others   []metricRow // metrics that the table shows only on a click
	Equal    []metricRow // metrics of Rows that have the same value for all variants
}

// Main returns the part of the table that is always shown.
func (t metricTable) Main() metricTable { return metricTable{Variants: t.Variants, Rows: t.Rows} }

// Further returns the part of the table that is shown on a click.
func (t metricTable) Further() metricTable { return metricTable{Variants: t.Variants, Rows: t.Others} }

type metricRow struct {
	Name  string
	Cells []metricCell
}

type metricCell struct{ Value, Interval string }

// maxUnfoldedVariants is the maximum number of variants for which the table fits the page, so that
// it is shown without a click.
const maxUnfoldedVariants = 6

func newMetricTable(s eval.SuiteSummary) metricTable {
	conditions := finding.ConditionsWithoutFault(s)
	t := metricTable{Open: len(conditions) <= maxUnfoldedVariants}
	keys := map[string]struct{}{}
	for _, c := range conditions {
		t.Variants = append(t.Variants, c.Variant)
		for name := range c.Metrics {
			keys[name] = struct{}{}
		}
	}
	isMultiTurn := finding.HasMultiTurnCases(s)
	for _, k := range metric.InOrder(slices.Collect(maps.Keys(keys))) {
		if k.Name == accuracy || k.Group.HasOwnTable() || !isMultiTurn && strings.HasPrefix(k.Name, "episode.") {
			continue // without multi-turn cases, a case takes as long as its turn
		}
		row := metricRow{Name: k.RowLabel(s.Epochs)}
		if isMultiTurn {
			row.Name += unitOf(k.Name)
		}
		for _, c := range conditions {
			row.Cells = append(row.Cells, metricCellOf(k.Def, c.Metrics[k.Name]))
		}
		t.add(row, k.IsSecondary())
	}
	return t
}

// unitOf returns " per turn" or " per case" for a metric that is measured per turn or per case. It
// is used if cases have several turns.
func unitOf(key string) string {
	switch family, _, _ := strings.Cut(key, "."); family {
	case "latency", "ttft":
		return " per turn"
	case "episode", "calls":
		return " per case"
	}
	return ""
}

// metricCellOf formats a metric with its confidence interval. It formats shares of small samples as
// counts.
func metricCellOf(d metric.Def, e eval.Estimate) (m metricCell) {
	if !metric.IsKnown(e.Value) {
		return m
	}
	m.Value, m.Interval = minus(d.Format(*e.Value)), strings.ReplaceAll(d.FormatInterval(e), "-", "−")
	if d.IsCounted() {
		m.Value = finding.FormatShare(e)
	}
	return m
}

// add adds a row. It omits a metric without values, and moves one with equal values to t.Equal.
func (t *metricTable) add(row metricRow, isSecondary bool) {
	first := row.Cells[0]
	isDifferent := slices.ContainsFunc(row.Cells, func(m metricCell) bool { return !reflect.DeepEqual(m, first) })
	switch {
	case !slices.ContainsFunc(row.Cells, func(m metricCell) bool { return m.Value != "" }):
	case isSecondary:
		t.Others = append(t.Others, row)
	case len(row.Cells) > 1 && !isDifferent:
		t.Equal = append(t.Equal, row)
	default:
		t.Rows = append(t.Rows, row)
	}
}
