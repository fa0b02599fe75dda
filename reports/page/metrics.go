package page

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/gate"
	"evalctl/eval/number"
	"evalctl/reports/finding"
)

// metricTable contains the metrics of a suite, with one row for each metric and one column for each
// variant.
type metricTable struct {
	Open     bool
	Variants []string
	Rows     []metricRow
	Others   []metricRow // metrics that have no descriptive title and are shown by their names
	Equal    []metricRow // metrics with a title that have the same value for all variants
}

// Main returns the part of the table with the metrics that have a title and differ.
func (t metricTable) Main() metricTable { return metricTable{Variants: t.Variants, Rows: t.Rows} }

// Further returns the part of the table with the metrics that are shown by their names.
func (t metricTable) Further() metricTable { return metricTable{Variants: t.Variants, Rows: t.Others} }

type metricRow struct {
	Name  string
	Cells []metricCell
}

type metricCell struct{ Value, Interval string }

// metricsWithHead lists the metrics that have a title (head), in the order of the table. All other
// metrics follow, sorted by name.
var metricsWithHead = []struct {
	metric, head string
	show         func(float64) string
}{
	{"route.macro_f1", "macro-F1", number.Score},
	{"route.primary", "accuracy, first label", number.Share},
	{"route.consistency", "same answer twice", number.Share},
	{"route.pass_k", "right in all epochs", number.Share},
	{"missing.rate", "no answer", number.Share},
	{"error_reply.rate", "error replies", number.Share},
	{"fallback.rate", "fell back", number.Share},
	{"fallback.correct", "correct fallback", number.Share},
	{"fallback.recovered", "recovered", number.Share},
	{"critic.first_attempt_good", "first attempt good", number.Share},
	{"critic.delivered_good", "delivered good", number.Share},
	{"critic.good_gain", "delivered − first attempt, points", number.PercentagePoints},
	{"critic.false_accept", "false accept", number.Share},
	{"critic.false_reject", "false reject", number.Share},
	{"path.exact", "path exact", number.Share},
	{"supervisor.correction_rate", "corrected", number.Share},
	{"latency.p50", "p50", number.Time},
	{"latency.p95", "p95", number.Time},
	{"latency.p99", "p99", number.Time},
	{"ttft.p50", "first text p50", number.Time},
	{"episode.p50", "p50", number.Time},
	{"episode.p95", "p95", number.Time},
	{"queue.p95", "queued p95", number.Time},
	{"calls.rate_limited", "rate-limited requests", number.RoundedInteger},
	{"calls.mean", "calls", number.Mean},
	{"tokens.in_mean", "tokens in", number.RoundedInteger},
	{"tokens.out_mean", "tokens out", number.RoundedInteger},
	{"tokens.in_total", "tokens in, total", number.RoundedInteger},
	{"tokens.out_total", "tokens out, total", number.RoundedInteger},
}

func newMetricTable(s eval.SuiteSummary) metricTable {
	conditions := finding.ConditionsWithoutFault(s)
	t, turns := metricTable{Open: len(conditions) <= maxUnfoldedVariants}, finding.HasMultiTurnCases(s)
	for _, c := range conditions {
		t.Variants = append(t.Variants, c.Variant)
	}
	for _, k := range metricsWithHead {
		if turns {
			k.head += unitOf(k.metric)
		} else if strings.HasPrefix(k.metric, "episode.") {
			continue // without multi-turn cases, a case takes as long as its turn
		}
		t.add(&t.Rows, k.head, conditions,
			func(c eval.ConditionSummary) metricCell { return metricCellOf(k.metric, c.Metrics[k.metric], k.show) })
		if k.metric == "calls.mean" {
			t.add(&t.Rows, "USD per 1,000 cases", conditions, func(c eval.ConditionSummary) (m metricCell) {
				if v, ok := finding.USDPer1000Cases(c); ok {
					m.Value = number.USD(v)
				}
				return m
			})
		}
	}
	for _, name := range otherMetrics(conditions) {
		t.add(&t.Others, name, conditions, func(c eval.ConditionSummary) (m metricCell) {
			if e := c.Metrics[name]; number.IsKnown(e.Value) {
				m.Value, m.Interval = gate.FormatWithInterval(name, e)
				m.Value, m.Interval = minus(m.Value), strings.ReplaceAll(m.Interval, "-", "−")
				if gate.IsShareMetric(name) {
					m.Value = finding.FormatShare(e)
				}
			}
			return m
		})
	}
	return t
}

// maxUnfoldedVariants is the maximum number of variants for which the table fits the page, so that
// it is shown without a click.
const maxUnfoldedVariants = 6

// unitOf returns " per turn" or " per case" for a metric that is measured per turn or per case. It
// is used if cases have several turns.
func unitOf(metric string) string {
	switch family, _, _ := strings.Cut(metric, "."); family {
	case "latency", "ttft":
		return " per turn"
	case "episode", "calls":
		return " per case"
	}
	return ""
}

// metricCellOf formats a metric with its confidence interval. It formats shares of small samples as
// counts.
func metricCellOf(metric string, e eval.Estimate, show func(float64) string) (m metricCell) {
	if !number.IsKnown(e.Value) {
		return m
	}
	m.Value = minus(show(*e.Value))
	if gate.IsShareMetric(metric) {
		m.Value = finding.FormatShare(e)
	}
	bound := func(v float64) string { return strings.TrimSuffix(show(v), " %") }
	if gate.IsTimeMetric(metric) {
		bound = number.TimeFormatter(*e.Value)
	}
	m.Interval = bracketed(e.Lo, e.Hi, bound)
	return m
}

// add appends a row to the given list. It omits a metric without values, and moves one with a title
// and equal values to t.Equal.
func (t *metricTable) add(to *[]metricRow, name string, conditions []eval.ConditionSummary,
	show func(eval.ConditionSummary) metricCell) {
	row := metricRow{Name: name}
	for _, c := range conditions {
		row.Cells = append(row.Cells, show(c))
	}
	switch first := row.Cells[0]; {
	case !slices.ContainsFunc(row.Cells, func(m metricCell) bool { return m.Value != "" }):
	case to == &t.Rows && len(conditions) > 1 &&
		!slices.ContainsFunc(row.Cells, func(m metricCell) bool { return !reflect.DeepEqual(m, first) }):
		t.Equal = append(t.Equal, row)
	default:
		*to = append(*to, row)
	}
}

// otherMetrics returns the sorted names of the metrics that have neither a title nor a figure of
// their own.
func otherMetrics(conditions []eval.ConditionSummary) []string {
	names := map[string]bool{}
	for _, c := range conditions {
		for name := range c.Metrics {
			names[name] = true
		}
	}
	for _, k := range metricsWithHead {
		delete(names, k.metric)
	}
	delete(names, accuracy)
	// the row "USD per 1,000 cases" shows them
	for _, shown := range []string{"cost.total_usd", "cost.usd_per_1000"} {
		delete(names, shown)
	}
	maps.DeleteFunc(names, func(name string, _ bool) bool {
		family, rest, _ := strings.Cut(name, ".")
		switch family {
		case "node", "step", "episode", "latency":
			return true
		case "route":
			return strings.Contains(rest, ".")
		}
		return false
	})
	return slices.Sorted(maps.Keys(names))
}
