package figure

import (
	"fmt"
	"html/template"
	"math"
	"reflect"
	"slices"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/page/address"
	"evalctl/reports/page/spread"
)

// How the histogram of a row is drawn.
const (
	bars       = 72 // at most, over all times of a suite
	timeHeight = 60 // pixels of a row
	timeTop    = 18 // of them, above the bars
)

// timed is a row of times.
type timed struct {
	Name, Link string
	Plot       template.HTML
	Value      template.HTML
}

// Latency shows how the times of turns lie: their two humps, where they have two, which
// quantiles hide. Without results, or where no turn was answered, only quantiles stand.
func Latency(s eval.SuiteSummary, times *spread.SuiteDistribution) template.HTML {
	quantiles := quantilesOf(s)
	if len(quantiles.Rows) == 0 {
		return ""
	}
	data := struct {
		Rows      []timed
		Axis      template.HTML
		Classes   []class
		Left      string
		Quantiles template.HTML
		Nodes     template.HTML
		Less      string // what the first bar has besides; "": nothing
		Real      bool
	}{Quantiles: quantiles.joined().HTML(), Nodes: nodes(s, times), Real: s.Time == "real"}
	if scale := scaleOf(s, times); scale.Bars > 0 {
		axis := TimeAxis(scale.Edge(0), scale.Edge(scale.Bars))
		data.Axis = axis.plot()
		if scale.Less {
			data.Less = number.Time(scale.Edge(2))
		}
		data.Rows = histograms(s, times, scale, axis)
		data.Classes, data.Left = timesByClass(s, times, axis)
	}
	return fragment("latency", data)
}

// quantilesOf are the exact ones, with their intervals.
func quantilesOf(s eval.SuiteSummary) table {
	t := table{Spoken: "Quantiles of latency", Heads: []string{"variant", "p50", "p90", "p95", "p99", "first text p50", "p95", "not answered"}}
	for _, c := range sound(s) {
		if !number.IsKnown(c.Metrics["latency.p50"].Value) {
			continue
		}
		row := tableRow{Name: c.Name}
		for _, name := range []string{"latency.p50", "latency.p90", "latency.p95", "latency.p99", "ttft.p50", "ttft.p95"} {
			row.Cells = append(row.Cells, said(duration(c.Metrics[name])...))
		}
		row.Cells = append(row.Cells, said(word{Text: number.Thousands(c.Metrics["latency.p50"].Missing)}))
		t.Rows = append(t.Rows, row)
	}
	return t
}

func scaleOf(s eval.SuiteSummary, times *spread.SuiteDistribution) spread.Scale {
	var all []*spread.Times
	for _, c := range sound(s) {
		all = append(all, &times.Of(c.Name).Times)
	}
	return spread.NewScale(bars, all...)
}

// histograms have a row for each variant, all of one height for the same share.
func histograms(s eval.SuiteSummary, times *spread.SuiteDistribution, scale spread.Scale, axis Axis) (rows []timed) {
	most := highest(s, times, scale)
	for _, c := range sound(s) {
		of := &times.Of(c.Name).Times
		if of.N == 0 {
			continue
		}
		p := plot{Height: timeHeight}
		for _, t := range axis.Ticks {
			p.Marks = append(p.Marks, Mark{Shape: Rule, From: t.At, Y: timeTop, Height: timeHeight - timeTop, Class: "grid"})
		}
		for i, share := range of.Share(scale) {
			if share > 0 {
				h := max(math.Round(min(share/most, 1)*(timeHeight-timeTop)*10)/10, 1) // what is there can be seen
				p.Marks = append(p.Marks, Mark{Shape: Rect, From: axis.At(scale.Edge(i)), To: axis.At(scale.Edge(i + 1)), Y: timeHeight - h, Height: h, Class: "times"})
			}
		}
		p.dash(axis, c)
		cases := casesOf(s, c)
		cases.Sort = address.Slow
		rows = append(rows, timed{Name: c.Name, Link: cases.String(), Plot: p.HTML(), Value: timeWords(c)})
	}
	return rows
}

// highest is the largest share of a bar; the first, where it has what took less, is cut off
// at that.
func highest(s eval.SuiteSummary, times *spread.SuiteDistribution, scale spread.Scale) (most float64) {
	for _, c := range sound(s) {
		for i, share := range times.Of(c.Name).Times.Share(scale) {
			if i > 0 || !scale.Less {
				most = max(most, share)
			}
		}
	}
	return most
}

// apart is how many percent two labels need between them.
const apart = 8

// dash marks p50 and p95, whose labels stand to either side, or are one where they meet.
func (p *plot) dash(axis Axis, c eval.ConditionSummary) {
	for _, one := range [][2]string{{"p50", "end"}, {"p95", "start"}} {
		q, side := one[0], one[1]
		v := c.Metrics["latency."+q].Value
		if !number.IsKnown(v) {
			continue
		}
		at := axis.At(*v)
		p.Marks = append(p.Marks, Mark{Shape: Rule, From: at, Y: timeTop - 2, Height: timeHeight - timeTop + 2, Class: "dashed"})
		p.Ticks = append(p.Ticks, Tick{At: at, Label: q, Anchor: anchor(at, side)})
	}
	if len(p.Ticks) == 2 && p.Ticks[1].At-p.Ticks[0].At < apart {
		at := p.Ticks[0].At
		p.Ticks = []Tick{{At: at, Label: "p50, p95", Anchor: anchor(at, "middle")}}
	}
}

// anchor keeps a label inside of its plot.
func anchor(at float64, within string) string {
	switch {
	case at < 12:
		return "start"
	case at > 88:
		return "end"
	}
	return within
}

func timeWords(c eval.ConditionSummary) template.HTML {
	var words []word
	for i, q := range []string{"p50", "p95"} {
		words = append(words, word{Text: q + " ", Line: i > 0})
		words = append(words, valued(c.Metrics["latency."+q], number.Time, "")...)
	}
	return said(words...)
}

// timesByClass has for each label that is expected a line from p5 to p95 with p50.
// Variants whose lines are the same share a row.
func timesByClass(s eval.SuiteSummary, times *spread.SuiteDistribution, axis Axis) (list []class, left string) {
	axis.Ticks = slices.DeleteFunc(slices.Clone(axis.Ticks), func(t Tick) bool { return t.Label == "" })
	cells := map[string][]eval.ConditionSummary{}
	var labels []string
	for _, c := range sound(s) {
		for _, of := range times.Of(c.Name).Classes {
			if cells[of.Label] == nil {
				labels = append(labels, of.Label)
			}
			cells[of.Label] = append(cells[of.Label], c)
		}
	}
	for _, label := range labels[:min(len(labels), mostClasses)] {
		rows := Rows{Class: "spread", Panels: []Panel{{Axis: axis}}}
		of := func(c eval.ConditionSummary) PlotCell { return spreadCell(times.Of(c.Name).Class(label), axis) }
		for _, g := range groups(cells[label], func(a, b eval.ConditionSummary) bool { return reflect.DeepEqual(of(a), of(b)) }) {
			cases := casesOf(s, g.ConditionSummary)
			cases.Expected, cases.Sort = label, address.Slow
			rows.Rows = append(rows.Rows, Row{Name: g.Title(), Link: cases.String(), Cells: []PlotCell{of(g.ConditionSummary)}})
		}
		list = append(list, class{Label: label, Rows: rows.HTML()})
	}
	if len(list) < len(labels) {
		left = fmt.Sprintf("%d of %d classes.", len(list), len(labels))
	}
	return list, left
}

// middle of a row, in pixels.
const middle = rowHeight / 2

func spreadCell(of *spread.Times, axis Axis) PlotCell {
	least, half, most := of.Quantile(0.05), of.Quantile(0.5), of.Quantile(0.95)
	reach := fmt.Sprintf(" (%s to %s)", number.Time(least), number.Time(most))
	if most == 0 {
		reach = ""
	}
	return PlotCell{
		Marks: []Mark{{Shape: Line, From: axis.At(least), To: axis.At(most), Y: middle, Class: "interval"},
			{Shape: Dot, From: axis.At(half), Y: middle, Class: "dot"}},
		Value: said(word{Text: number.Time(half), Strong: true}, word{Text: reach + " of " + number.Plural(of.N, "turn"), Mute: true}),
	}
}
