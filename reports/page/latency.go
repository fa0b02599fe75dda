package page

import (
	"fmt"
	"html/template"
	"math"
	"reflect"
	"slices"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/finding"
)

// Size of a latency histogram.
const (
	maxBars    = 72 // maximum number of bars
	timeHeight = 60 // height of the histogram, in pixels
	timeTop    = 18 // space above the bars, in pixels
)

// histogramRow is a row with a name, a histogram and its most important values as text.
type histogramRow struct {
	Name, Link string
	Plot       template.HTML
	Value      template.HTML
}

// Latency renders the distribution of latency for each variant, because quantiles hide that a
// distribution can have several peaks. If no trials are available, it renders only quantiles.
func Latency(s eval.SuiteSummary, times *SuiteDistribution) template.HTML {
	quantiles := quantilesOf(s)
	if len(quantiles.Rows) == 0 {
		return ""
	}
	data := struct {
		Rows      []histogramRow
		Axis      template.HTML
		Classes   []class
		Left      string
		Quantiles template.HTML
		Nodes     template.HTML
		Less      string // the first bar also contains all times below this bound; "": no times are shorter
		Real      bool
	}{Quantiles: quantiles.mergeEqualRows().HTML(), Nodes: nodes(s, times), Real: s.Clock == "real"}
	if scale := scaleOf(s, times); scale.Bars > 0 {
		axis := TimeAxis(scale.BarStart(0), scale.BarStart(scale.Bars))
		data.Axis = axis.plot()
		if scale.HasShorter {
			data.Less = metric.FormatTime(scale.BarStart(2))
		}
		data.Rows = histograms(s, times, scale, axis)
		data.Classes, data.Left = timesByClass(s, times, axis)
	}
	return fragment("latency", data)
}

// quantilesOf returns a table of the exact latency quantiles with their confidence intervals.
func quantilesOf(s eval.SuiteSummary) table {
	t := table{AriaLabel: "Quantiles of latency",
		Heads: []string{"variant", "p50", "p90", "p95", "p99", "first text p50", "p95", "not answered"}}
	for _, c := range faultFree(s) {
		if !metric.IsKnown(c.Metrics["latency.p50"].Value) {
			continue
		}
		row := tableRow{Name: c.Variant}
		for _, name := range []string{"latency.p50", "latency.p90", "latency.p95", "latency.p99",
			"ttft.p50", "ttft.p95"} {
			row.Cells = append(row.Cells, renderText(durationText(c.Metrics[name])...))
		}
		row.Cells = append(row.Cells, renderText(
			textPart{Text: metric.FormatInteger(c.Metrics["latency.p50"].Missing)}))
		t.Rows = append(t.Rows, row)
	}
	return t
}

func scaleOf(s eval.SuiteSummary, times *SuiteDistribution) LogScale {
	var all []*LatencyHistogram
	for _, c := range faultFree(s) {
		all = append(all, &times.Variant(c.Variant).Latencies)
	}
	return NewScale(maxBars, all...)
}

// histograms returns a histogram for each variant. All have the same vertical scale.
func histograms(s eval.SuiteSummary, times *SuiteDistribution, scale LogScale,
	axis Axis) (rows []histogramRow) {
	most := maxShare(s, times, scale)
	for _, c := range faultFree(s) {
		of := &times.Variant(c.Variant).Latencies
		if of.N == 0 {
			continue
		}
		p := plot{Height: timeHeight}
		for _, t := range axis.Ticks {
			p.Marks = append(p.Marks, Mark{
				Shape:  ruleShape,
				From:   t.Position,
				Y:      timeTop,
				Height: timeHeight - timeTop,
				Class:  "grid",
			})
		}
		for i, share := range of.BarShares(scale) {
			if share > 0 {
				// at least 1 pixel, so that small shares are visible
				h := max(math.Round(min(share/most, 1)*(timeHeight-timeTop)*10)/10, 1)
				p.Marks = append(p.Marks, Mark{
					Shape:  rectShape,
					From:   axis.Position(scale.BarStart(i)),
					To:     axis.Position(scale.BarStart(i + 1)),
					Y:      timeHeight - h,
					Height: h,
					Class:  "times",
				})
			}
		}
		p.markQuantiles(axis, c)
		cases := casesOf(s, c)
		cases.Sort = SlowestFirst
		rows = append(rows, histogramRow{
			Name:  c.Variant,
			Link:  cases.String(),
			Plot:  p.HTML(),
			Value: quantileText(c),
		})
	}
	return rows
}

// maxShare returns the share of the highest bar, which sets the vertical scale. It ignores the
// first bar if that also contains shorter times, so that bar may be cut off.
func maxShare(s eval.SuiteSummary, times *SuiteDistribution, scale LogScale) (largest float64) {
	for _, c := range faultFree(s) {
		for i, share := range times.Variant(c.Variant).Latencies.BarShares(scale) {
			if i > 0 || !scale.HasShorter {
				largest = max(largest, share)
			}
		}
	}
	return largest
}

// minLabelDistance is the minimum distance between the labels p50 and p95, in percent of the width.
const minLabelDistance = 8

// markQuantiles draws lines at p50 and p95. If they are close to each other, they get one label.
func (p *plot) markQuantiles(axis Axis, c eval.ConditionSummary) {
	for _, one := range [][2]string{{"p50", "end"}, {"p95", "start"}} {
		q, side := one[0], one[1]
		v := c.Metrics["latency."+q].Value
		if !metric.IsKnown(v) {
			continue
		}
		at := axis.Position(*v)
		p.Marks = append(p.Marks, Mark{
			Shape:  ruleShape,
			From:   at,
			Y:      timeTop - 2,
			Height: timeHeight - timeTop + 2,
			Class:  "dashed",
		})
		p.Ticks = append(p.Ticks, Tick{Position: at, Label: q, Anchor: anchor(at, side)})
	}
	if len(p.Ticks) == 2 && p.Ticks[1].Position-p.Ticks[0].Position < minLabelDistance {
		at := p.Ticks[0].Position
		p.Ticks = []Tick{{Position: at, Label: "p50, p95", Anchor: anchor(at, "middle")}}
	}
}

// anchor returns the SVG text-anchor of a label. Near the ends of the plot, it is the one that
// keeps the label within the plot. Elsewhere it is the parameter within.
func anchor(at float64, within string) string {
	switch {
	case at < 12:
		return "start"
	case at > 88:
		return "end"
	}
	return within
}

func quantileText(c eval.ConditionSummary) template.HTML {
	var words []textPart
	for i, q := range []string{"p50", "p95"} {
		words = append(words, textPart{Text: q + " ", Line: i > 0})
		words = append(words, valueText(c.Metrics["latency."+q], metric.FormatTime, "")...)
	}
	return renderText(words...)
}

// timesByClass returns a plot for each expected label: a line from the p5 to the p95 of the
// latency, with a dot at p50. Variants with equal values are merged.
func timesByClass(s eval.SuiteSummary, times *SuiteDistribution, axis Axis) (list []class, note string) {
	axis.Ticks = slices.DeleteFunc(slices.Clone(axis.Ticks), func(t Tick) bool { return t.Label == "" })
	conditions := map[string][]eval.ConditionSummary{}
	var labels []string
	for _, c := range faultFree(s) {
		for _, of := range times.Variant(c.Variant).Classes {
			if conditions[of.Label] == nil {
				labels = append(labels, of.Label)
			}
			conditions[of.Label] = append(conditions[of.Label], c)
		}
	}
	for _, label := range labels[:min(len(labels), maxClasses)] {
		rows := Rows{Class: "spread", Panels: []Panel{{Axis: axis}}}
		of := func(c eval.ConditionSummary) PlotCell { return spreadCell(times.Variant(c.Variant).Class(label), axis) }
		for _, g := range groups(conditions[label],
			func(a, b eval.ConditionSummary) bool { return reflect.DeepEqual(of(a), of(b)) }) {
			cases := casesOf(s, g.ConditionSummary)
			cases.Expected, cases.Sort = label, SlowestFirst
			rows.Rows = append(rows.Rows,
				Row{Name: g.Title(), Link: cases.String(), Cells: []PlotCell{of(g.ConditionSummary)}})
		}
		list = append(list, class{Label: label, Rows: rows.HTML()})
	}
	if len(list) < len(labels) {
		note = fmt.Sprintf("%d of %d classes.", len(list), len(labels))
	}
	return list, note
}

// middle is the vertical center of a row, in pixels.
const middle = rowHeight / 2

func spreadCell(of *LatencyHistogram, axis Axis) PlotCell {
	least, half, most := of.Quantile(0.05), of.Quantile(0.5), of.Quantile(0.95)
	reach := fmt.Sprintf(" (%s to %s)", metric.FormatTime(least), metric.FormatTime(most))
	if most == 0 {
		reach = ""
	}
	return PlotCell{
		Marks: []Mark{{Shape: lineShape, From: axis.Position(least), To: axis.Position(most), Y: middle,
			Class: "interval"},
			{Shape: dotShape, From: axis.Position(half), Y: middle, Class: "dot"}},
		Value: renderText(textPart{Text: metric.FormatTime(half), Strong: true},
			textPart{Text: reach + " of " + metric.Plural(of.N, "turn"), Mute: true}),
	}
}

const maxNodes = 300

// nodes returns a table with one row for each node of each variant: calls, latency of a visit,
// failed calls, and its share of the time of all visits.
func nodes(s eval.SuiteSummary, distribution *SuiteDistribution) template.HTML {
	t := table{AriaLabel: "Calls by part of the agent",
		Heads: []string{"variant", "part", "calls", "p50", "p95", "p99", "failed calls", "share of time"}}
	all := 0
	for _, c := range faultFree(s) {
		list := finding.VisitedNodes(c)
		all += len(list)
		for i, n := range list {
			if len(t.Rows) == maxNodes {
				break
			}
			row := tableRow{Name: c.Variant, First: i == 0}
			row.Cells = []template.HTML{renderText(textPart{Text: ShortName(n.Node)}),
				renderText(textPart{Text: metric.FormatInteger(n.Calls)})}
			for _, q := range []string{"p50", "p95", "p99"} {
				row.Cells = append(row.Cells, renderText(valueText(n.Quantile(c, q), metric.FormatTime, "")...))
			}
			row.Cells = append(row.Cells,
				renderText(textPart{Text: metric.FormatInteger(distribution.Variant(c.Variant).Errors[n.Node])}),
				fragment("share", struct {
					Bar  template.HTML
					Text string
				}{stackedBar(12, barPart{Share: n.TimeShare, Class: "found"}), metric.FormatShare(n.TimeShare)}))
			t.Rows = append(t.Rows, row)
		}
	}
	if len(t.Rows) == 0 {
		return ""
	}
	if len(t.Rows) < all {
		t.Left = fmt.Sprintf("%d of %s.", len(t.Rows), metric.Plural(int64(all), "part"))
	}
	return t.HTML()
}
