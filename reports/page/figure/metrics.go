package figure

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

// metricTable has a row a metric and a column a variant.
type metricTable struct {
	Open     bool
	Variants []string
	Rows     []metricRow
	Others   []metricRow // that have no head of their own
	Equal    []metricRow // of those with a head, whose cells are all the same
}

// Main is the part that everybody reads.
func (t metricTable) Main() metricTable { return metricTable{Variants: t.Variants, Rows: t.Rows} }

// Further is what has no head of its own.
func (t metricTable) Further() metricTable { return metricTable{Variants: t.Variants, Rows: t.Others} }

type metricRow struct {
	Name  string
	Cells []metricCell
}

type metricCell struct{ Value, Interval string }

// headed are metrics with a head of their own, in the order of the table. The others come
// after them, by their names.
var headed = []struct {
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
	{"critic.good_gain", "delivered − first attempt, points", number.Points},
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
	{"calls.rate_limited", "rate-limited requests", number.Round},
	{"calls.mean", "calls", number.Mean},
	{"tokens.in_mean", "tokens in", number.Round},
	{"tokens.out_mean", "tokens out", number.Round},
	{"tokens.in_total", "tokens in, total", number.Round},
	{"tokens.out_total", "tokens out, total", number.Round},
}

func newMetricTable(s eval.SuiteSummary) metricTable {
	cells := finding.FaultFree(s)
	t, turns := metricTable{Open: len(cells) <= fewVariants}, finding.HasTurns(s)
	for _, c := range cells {
		t.Variants = append(t.Variants, c.Name)
	}
	for _, k := range headed {
		if turns {
			k.head += unitOf(k.metric)
		} else if strings.HasPrefix(k.metric, "episode.") {
			continue // it is what its turn takes
		}
		t.add(&t.Rows, k.head, cells, func(c eval.ConditionSummary) metricCell { return metricIn(k.metric, c.Metrics[k.metric], k.show) })
		if k.metric == "calls.mean" {
			t.add(&t.Rows, "USD per 1,000 cases", cells, func(c eval.ConditionSummary) (m metricCell) {
				if v, ok := finding.USDPer1000(c); ok {
					m.Value = number.USD(v)
				}
				return m
			})
		}
	}
	for _, name := range otherMetrics(cells) {
		t.add(&t.Others, name, cells, func(c eval.ConditionSummary) (m metricCell) {
			if e := c.Metrics[name]; number.IsKnown(e.Value) {
				m.Value, m.Interval = gate.FormatWithInterval(name, e)
				m.Value, m.Interval = minus(m.Value), strings.ReplaceAll(m.Interval, "-", "−")
				if gate.IsShare(name) {
					m.Value = finding.Share(e)
				}
			}
			return m
		})
	}
	return t
}

// fewVariants have their table open: it is no wider than a page.
const fewVariants = 6

// unitOf is what a metric is of, where a case has several turns.
func unitOf(metric string) string {
	switch family, _, _ := strings.Cut(metric, "."); family {
	case "latency", "ttft":
		return " per turn"
	case "episode", "calls":
		return " per case"
	}
	return ""
}

// metricIn is a metric's cell; a share of few is counts.
func metricIn(metric string, e eval.Estimate, show func(float64) string) (m metricCell) {
	if !number.IsKnown(e.Value) {
		return m
	}
	m.Value = minus(show(*e.Value))
	if gate.IsShare(metric) {
		m.Value = finding.Share(e)
	}
	bound := func(v float64) string { return strings.TrimSuffix(show(v), " %") }
	if gate.IsTime(metric) {
		bound = number.TimeIn(*e.Value)
	}
	m.Interval = bracketed(e.Lo, e.Hi, bound)
	return m
}

// add leaves out a metric that no variant has, and puts one with a head apart that is the
// same in all.
func (t *metricTable) add(to *[]metricRow, name string, cells []eval.ConditionSummary, show func(eval.ConditionSummary) metricCell) {
	row := metricRow{Name: name}
	for _, c := range cells {
		row.Cells = append(row.Cells, show(c))
	}
	switch first := row.Cells[0]; {
	case !slices.ContainsFunc(row.Cells, func(m metricCell) bool { return m.Value != "" }):
	case to == &t.Rows && len(cells) > 1 && !slices.ContainsFunc(row.Cells, func(m metricCell) bool { return !reflect.DeepEqual(m, first) }):
		t.Equal = append(t.Equal, row)
	default:
		*to = append(*to, row)
	}
}

// otherMetrics are those without a head or a figure of their own: single classes, nodes
// and codes have one.
func otherMetrics(cells []eval.ConditionSummary) []string {
	names := map[string]bool{}
	for _, c := range cells {
		for name := range c.Metrics {
			names[name] = true
		}
	}
	for _, k := range headed {
		delete(names, k.metric)
	}
	delete(names, accuracy)
	for _, shown := range []string{"cost.total_usd", "cost.usd_per_1000"} { // as USD per 1,000 cases
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
