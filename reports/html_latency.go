package reports

import (
	"math"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/document"
	"evalctl/reports/finding"
	"evalctl/reports/page"
)

// maxLatencyBars is the maximum number of bars of a latency histogram.
const maxLatencyBars = 60

// latencyChart returns the distribution of the latency of each variant, because quantiles hide that
// a distribution can have several peaks. It returns an empty block without trials that take time.
func latencyChart(s eval.SuiteSummary, of *page.SuiteDistribution) document.Block {
	conditions := slices.DeleteFunc(rankedConditions(s), func(c eval.ConditionSummary) bool {
		return !isKnown(c.Metrics["latency.p50"].Value)
	})
	if !slices.ContainsFunc(conditions, func(c eval.ConditionSummary) bool { return nonzero(c.Metrics["latency.p95"]) }) {
		return document.Block{}
	}
	b := document.Block{Heading: "Latency", Graphics: document.Graphics{
		ID: sectionID(s, "latency"), Note: "Per answered turn, in seconds."},
		Table: document.Table{Keys: 1, Class: "tall",
			Columns: []document.Column{{Head: "variant", Cells: each(conditions,
				func(c eval.ConditionSummary) document.Cell {
					cases := caseList(s, c)
					cases.Sort = page.SlowestFirst
					return document.Cell{Text: named(c.Variant), Link: cases.String()}
				})}}}}
	if column, note, ok := histogramColumn(conditions, of); ok {
		b.Table.Columns = append(b.Table.Columns, column)
		b.Graphics.Note += note
		b.Graphics.Legend = []document.LegendItem{
			{Marks: []document.Mark{{Shape: document.Stroke, From: 0.5}}, Text: "p50"},
			{Marks: []document.Mark{{Shape: document.Rule, From: 0.5}}, Text: "p95"},
			{Text: "Height: square root of the share of the variant's turns."},
		}
	}
	b.Table.Columns = append(b.Table.Columns, document.Column{Head: "turns", Right: true, Rank: 1,
		Cells: each(conditions, func(c eval.ConditionSummary) document.Cell {
			return document.Cell{Text: thousands(c.Metrics["latency.p50"].N), Tone: document.Faint}
		})})
	for _, key := range []string{"latency.p50", "latency.p95", "latency.p99", "ttft.p50"} {
		k := metric.FindOrCustom(key)
		column := document.Column{Head: k.Heading, Right: true, Rank: 1, Cells: each(conditions,
			func(c eval.ConditionSummary) document.Cell {
				e := c.Metrics[key]
				if !isKnown(e.Value) {
					return document.Cell{}
				}
				return document.Cell{Text: k.FormatValue(e)}
			})}
		b.Table.Columns = append(b.Table.Columns, column)
	}
	b.More = latencyByLabel(s, of)
	return b
}

// maxLatencyLabels is the number of expected labels whose latency a page shows.
const maxLatencyLabels = 60

// latencyByLabel returns the latency of the turns of the best variant for each expected label: the
// range from p5 to p95, with a dot at p50. It returns nil for fewer than two labels.
func latencyByLabel(s eval.SuiteSummary, of *page.SuiteDistribution) *document.Folded {
	best, _ := bestCondition(s)
	labels := of.Variant(best.Variant).Classes
	if len(labels) < 2 {
		return nil
	}
	b := document.Block{Table: document.Table{Keys: 1, Columns: []document.Column{{Head: "expected label"}, {},
		{Head: "p5", Right: true}, {Head: "p50", Right: true}, {Head: "p95", Right: true},
		{Head: "turns", Right: true}}}}
	var times valueRange
	for i, l := range labels[:min(len(labels), maxLatencyLabels)] {
		p5, p50, p95 := l.Latencies.Quantile(0.05), l.Latencies.Quantile(0.5), l.Latencies.Quantile(0.95)
		var marks document.Cell
		times.addTimes(&p5, &p95)
		if p5 > 0 {
			marks.Marks = []document.Mark{{Shape: document.Whisker, From: p5, To: p95},
				{Shape: document.Dot, From: p50}}
		}
		cases := caseList(s, best)
		cases.Expected, cases.Sort = labels[i].Label, page.SlowestFirst
		b.Table.AddRow([]document.Cell{{Text: named(l.Label), Link: cases.String()}, marks,
			{Text: lowQuantile(p5, l.Latencies.N)}, {Text: metric.FormatTime(p50)},
			{Text: metric.FormatQuantile("p95", eval.Estimate{Value: &p95, N: l.Latencies.N})},
			{Text: thousands(l.Latencies.N)}})
	}
	b.Table.Columns[1].Axis = times.axis(document.TimeAxis)
	if more := len(labels) - maxLatencyLabels; more > 0 {
		b.Notes = []document.Line{{Text: plural(int64(more), "more label") + " not shown."}}
	}
	return &document.Folded{Name: "Latency of " + named(best.Variant) + " by expected label",
		Blocks: []document.Block{b}}
}

// lowQuantile formats the p5 of n times. It is the smallest of up to 20 values.
func lowQuantile(p5 float64, n int64) string {
	if n <= 20 {
		return "min " + metric.FormatTime(p5)
	}
	return metric.FormatTime(p5)
}

// histogramColumn returns a histogram for each condition, on a common axis and with a common height. The
// note explains the first bar.
func histogramColumn(conditions []eval.ConditionSummary, of *page.SuiteDistribution) (column document.Column,
	note string, ok bool) {
	var all []*page.LatencyHistogram
	for _, c := range conditions {
		all = append(all, &of.Variant(c.Variant).Latencies)
	}
	scale := page.NewScale(maxLatencyBars, all...)
	if scale.Bars == 0 {
		return column, "", false
	}
	column.Axis = document.TimeAxis(scale.BarStart(0), scale.BarStart(scale.Bars))
	highest := 0.0
	for _, one := range all {
		for _, share := range one.BarShares(scale) {
			highest = max(highest, share)
		}
	}
	for i, c := range conditions {
		var cell document.Cell
		if all[i].N > 0 {
			for n, share := range all[i].BarShares(scale) {
				if share > 0 {
					cell.Marks = append(cell.Marks, document.Mark{Shape: document.Bar, From: scale.BarStart(n),
						To: scale.BarStart(n + 1), Height: math.Sqrt(share / highest)})
				}
			}
		}
		if v := c.Metrics["latency.p50"].Value; isKnown(v) && *v > 0 {
			cell.Marks = append(cell.Marks, document.Mark{Shape: document.Stroke, From: *v})
		}
		if v := c.Metrics["latency.p95"].Value; isKnown(v) && *v > 0 {
			cell.Marks = append(cell.Marks, document.Mark{Shape: document.Rule, From: *v})
		}
		column.Cells = append(column.Cells, cell)
	}
	if scale.HasShorter {
		note = " The first bar contains all times below " + metric.FormatTime(scale.BarStart(2)) + "."
	}
	return column, note, true
}

// maxComponents is the number of components that a page shows of a variant.
const maxComponents = 40

// componentChart returns the components that the most accurate variant calls, with their times; other
// variants are folded.
func componentChart(s eval.SuiteSummary, of *page.SuiteDistribution) document.Block {
	var blocks []document.Block
	best, _ := bestCondition(s)
	for _, c := range rankedConditions(s) {
		b := componentTable(c, of.Variant(c.Variant))
		switch {
		case b.Table.Rows() == 0:
		case c.Variant == best.Variant:
			blocks = append([]document.Block{b}, blocks...)
		default:
			blocks = append(blocks, b)
		}
	}
	if len(blocks) == 0 {
		return document.Block{}
	}
	b := blocks[0]
	b.Graphics.Note = b.Heading + ". Time of a visit, with its polls and retries. Visits can overlap, so their " +
		"times can add up to more than the trial. Calls include polls."
	b.Level, b.Heading = 2, "Time and cost by component"
	if !slices.ContainsFunc(b.Table.Columns, func(c document.Column) bool {
		return c.Head == costHead && slices.ContainsFunc(c.Cells,
			func(cell document.Cell) bool { return cell.Text != "" })
	}) {
		b.Heading = "Time by component"
	}
	if len(blocks) > 1 {
		b.More = &document.Folded{Name: plural(int64(len(blocks)-1), "other variant"), Blocks: blocks[1:]}
	}
	return b
}

func componentTable(c eval.ConditionSummary, of *page.Variant) document.Block {
	b := document.Block{Level: 3, Heading: named(c.Variant)}
	visits := slices.DeleteFunc(finding.VisitedNodes(c), func(v finding.NodeVisits) bool {
		cost := of.Costs[v.Node]
		return v.TotalMillis == 0 && cost.Nanos == 0 && len(of.Costs) > 0 && of.Errors[v.Node] == 0
	})
	visits = visits[:min(len(visits), maxComponents)]
	cells := func(show func(finding.NodeVisits) document.Cell) []document.Cell { return each(visits, show) }
	columns := []document.Column{{Head: "component", Cells: cells(func(v finding.NodeVisits) document.Cell {
		return document.Cell{Text: named(v.Node)}
	})}, {Head: "calls", Right: true, Cells: cells(func(v finding.NodeVisits) document.Cell {
		return document.Cell{Text: thousands(v.Calls)}
	})}}
	marks, texts := timeColumns(visits, func(v finding.NodeVisits, q string) eval.Estimate { return v.Quantile(c, q) })
	columns = append(columns, marks, texts,
		document.Column{Head: "time", Right: true, Rank: 1,
			Cells: cells(func(v finding.NodeVisits) document.Cell {
				return document.Cell{Text: metric.FormatShare(v.TimeShare)}
			})},
		componentCosts(c, of, visits),
		document.Column{Head: "failed calls", Right: true, Rank: 1,
			Cells: cells(func(v finding.NodeVisits) document.Cell {
				return document.Cell{Text: countOrEmpty(of.Errors[v.Node])}
			})})
	b.Table = document.Table{Keys: 1, Columns: columns}
	return b
}

// componentCosts returns the cost of each component for 1,000 cases. A component whose calls have no
// price has no cost.
func componentCosts(c eval.ConditionSummary, of *page.Variant, visits []finding.NodeVisits) document.Column {
	return document.Column{Head: costHead, Right: true, Rank: 1,
		Cells: each(visits, func(v finding.NodeVisits) document.Cell {
			cost, ok := of.Costs[v.Node]
			if !ok || cost.Unknown || cost.Nanos == 0 || c.Trials == 0 {
				return document.Cell{}
			}
			return document.Cell{Text: strings.TrimPrefix(metric.FormatUSD(float64(cost.Nanos)/1e6/float64(c.Trials)),
				"USD ")}
		})}
}

// timeColumns returns the marks and the texts of the median and the p95 of each row. The marks have no
// axis, and are not shown, if all times are unknown or 0.
func timeColumns[T any](rows []T, quantile func(row T, q string) eval.Estimate) (marks, texts document.Column) {
	var times valueRange
	for _, row := range rows {
		times.addTimes(quantile(row, "p50").Value, quantile(row, "p95").Value)
	}
	marks = document.Column{Axis: times.axis(document.TimeAxis), Rank: 1, Cells: each(rows, func(row T) document.Cell {
		p50, p95 := quantile(row, "p50").Value, quantile(row, "p95").Value
		if !isKnown(p50) || !isKnown(p95) || *p50 <= 0 {
			return document.Cell{}
		}
		return document.Cell{Marks: document.RangeMarks(*p50, *p95)}
	})}
	texts = document.Column{Head: "p50 / p95", Cells: each(rows, func(row T) document.Cell {
		return medianAndHigh(quantile(row, "p50"), quantile(row, "p95"))
	})}
	return marks, texts
}

func latencyColumns(conditions []eval.ConditionSummary, graphics *document.Graphics) []document.Column {
	marks, texts := timeColumns(conditions,
		func(c eval.ConditionSummary, q string) eval.Estimate { return c.Metrics["latency."+q] })
	if marks.Axis == nil {
		return nil
	}
	marks.Group, texts.Group = "Latency per turn, s", "Latency per turn, s"
	graphics.Legend = append(graphics.Legend, document.LegendItem{
		Marks: []document.Mark{{Shape: document.Range, To: 1}, {Shape: document.Dot},
			{Shape: document.Stroke, From: 1}},
		Text: "p50 to p95, logarithmic"})
	return []document.Column{marks, texts}
}

// medianAndHigh formats the median and the p95 of a time. A time of 0, such as that of a baseline model,
// has no p95.
func medianAndHigh(median, high eval.Estimate) document.Cell {
	switch {
	case !isKnown(median.Value) || !isKnown(high.Value):
		return document.Cell{Text: noValue}
	case *high.Value == 0:
		return document.Cell{Text: "0 s", Tone: document.Faint}
	}
	return document.Cell{Text: metric.FormatTime(*median.Value), Tone: document.Strong,
		Tail: "/ " + metric.FormatQuantile("p95", high)}
}

// latencyAxis returns the axis for the p50 and the p95 of the latency of some conditions; nil if all are
// unknown or 0.
func latencyAxis(conditions []eval.ConditionSummary) *document.Axis {
	var times valueRange
	for _, c := range conditions {
		times.addTimes(c.Metrics["latency.p50"].Value, c.Metrics["latency.p95"].Value)
	}
	return times.axis(document.TimeAxis)
}
