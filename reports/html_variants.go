package reports

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/reports/document"
	"evalctl/reports/finding"
	"evalctl/reports/page"
)

// variantChart returns the table of a suite's variants, most accurate first, with marks on shared
// axes for accuracy, difference and latency.
func variantChart(s eval.SuiteSummary) document.Block {
	conditions := rankedConditions(s)
	if len(conditions) == 0 {
		return document.Block{}
	}
	b := document.Block{Heading: "Variants", Graphics: document.Graphics{ID: page.ElementID(page.SuiteLink(s.Name,
		"variants"))},
		Table: document.Table{Keys: 1, Class: "lines"}}
	g := &b.Table
	names := document.Column{Head: "variant", Cells: each(conditions, func(c eval.ConditionSummary) document.Cell {
		cell := document.Cell{Text: named(c.Variant), Tone: document.Strong, Link: caseList(s, c).String()}
		switch {
		case c.BaselineModel:
			cell.Tag = "baseline model"
		case len(conditions) > 1 && c.Variant == finding.BaselineVariant(s):
			cell.Tag = "reference"
		}
		return cell
	})}
	g.Columns = append(g.Columns, names)
	isCompared := len(conditions) > 1 && slices.ContainsFunc(s.Conditions, hasScoredDecisions)
	if column := accuracyPlot(s, conditions); column.Axis != nil {
		column.Group = "Accuracy, %"
		g.Columns = append(g.Columns, column)
		b.Graphics.Legend = append(b.Graphics.Legend, document.LegendItem{
			Marks: []document.Mark{{Shape: document.Whisker, To: 1}, {Shape: document.Dot, From: 0.5}},
			Text:  "value and 95 % interval"})
		if column.Axis.Lo > 0 {
			b.Graphics.Note = fmt.Sprintf("Sorted by accuracy. The accuracy axis starts at %s %%.",
				rounded(100*column.Axis.Lo))
		}
	}
	share := accuracyColumn(s, conditions)
	share.Group = "Accuracy, %"
	for i, c := range conditions {
		var notes []string
		if e := c.Metrics["route.macro_f1"]; isKnown(e.Value) {
			notes = append(notes, "macro-F1 "+formatScore(*e.Value))
		}
		if e := c.Metrics["route.accuracy"]; e.Missing > 0 {
			notes = append(notes, thousands(e.Missing)+" "+finding.NotScored+" of "+thousands(e.N+e.Missing))
			cases := caseList(s, c)
			cases.Result = page.Unscored
			share.Cells[i].NoteLink = cases.String()
		}
		share.Cells[i].Note = strings.Join(notes, " · ")
	}
	g.Columns = append(g.Columns, share)
	if isCompared {
		g.Columns = append(g.Columns, differenceColumns(s, conditions)...)
		b.Graphics.Legend = append(b.Graphics.Legend, differenceLegend(s)...)
	}
	g.Columns = append(g.Columns, latencyColumns(conditions, &b.Graphics)...)
	if cost, ok := costColumn(conditions); ok {
		g.Columns = append(g.Columns, cost)
	} else if unknown := conditions[0].Metrics["cost.usd_per_1000"]; unknown.Missing > 0 && unknown.N > 0 {
		b.Graphics.Note = strings.TrimSpace(fmt.Sprintf("%s No cost: %s of %s have a call without a price.", b.Graphics.Note,
			thousands(unknown.Missing), plural(unknown.N+unknown.Missing, "case")))
	}
	return b
}

// differenceColumns returns the marks and the texts of each variant's difference from the baseline
// variant, and the number of cases that it fixes and breaks.
func differenceColumns(s eval.SuiteSummary, conditions []eval.ConditionSummary) []document.Column {
	reference := finding.BaselineVariant(s)
	group := "Difference from " + shorten(named(reference), maxReferenceName) + ", points"
	var differences valueRange
	differences.add(new(0.0))
	for _, c := range conditions {
		if d, ok := finding.Difference(s, c.Variant, reference); ok && c.Variant != reference {
			differences.addContrast(d.Accuracy)
		}
	}
	marks := document.Column{Group: group, Axis: differences.axis(document.PointsAxis)}
	marks.Cells = each(conditions, func(c eval.ConditionSummary) document.Cell {
		d, ok := finding.Difference(s, c.Variant, reference)
		if !ok || c.Variant == reference || d.State == eval.InsufficientData {
			return document.Cell{}
		}
		return differenceMarks(d)
	})
	texts := differenceColumn(s, conditions)
	texts.Head, texts.Group = "difference", group
	for i, c := range conditions {
		if c.Variant == reference {
			texts.Cells[i] = document.Cell{Text: "reference", Tone: document.Faint}
		}
	}
	changed := changedCasesColumn(s, conditions)
	changed.Group, changed.Rank = group, 0
	for i, c := range conditions {
		if changed.Cells[i].Text == "" {
			continue
		}
		d, _ := finding.Difference(s, c.Variant, reference)
		cases := caseList(s, c)
		cases.Change = page.Fixed
		fixed := cases.String()
		cases.Change = page.Broken
		changed.Cells[i].Parts = []document.Part{{Text: "+" + thousands(d.Fixed), Link: fixed}, {Text: " "},
			{Text: "−" + thousands(d.Broken), Link: cases.String()}}
	}
	return []document.Column{marks, texts, changed}
}

func differenceLegend(s eval.SuiteSummary) (items []document.LegendItem) {
	has := func(states ...eval.ComparisonState) bool {
		return slices.ContainsFunc(finding.ConditionsWithoutFault(s), func(c eval.ConditionSummary) bool {
			d, ok := finding.Difference(s, c.Variant, finding.BaselineVariant(s))
			return ok && c.Variant != finding.BaselineVariant(s) && slices.Contains(states, d.State)
		})
	}
	reference := shorten(named(finding.BaselineVariant(s)), maxReferenceName)
	if has(eval.Better) {
		items = append(items, document.LegendItem{Marks: []document.Mark{{Shape: document.Dot, From: 0.5,
			Tone: document.Good}}, Text: "significantly better than " + reference})
	}
	if has(eval.Worse) {
		items = append(items, document.LegendItem{Marks: []document.Mark{{Shape: document.Dot, From: 0.5,
			Tone: document.Bad}}, Text: "significantly worse than " + reference})
	}
	if has(eval.NotSignificant, eval.Identical) {
		items = append(items, document.LegendItem{Marks: []document.Mark{{Shape: document.Ring, From: 0.5}},
			Text: "~ no significant difference"})
	}
	return items
}

// chartedMetrics are the metrics that the chart of the variants shows.
var chartedMetrics = []string{"route.accuracy", "route.macro_f1", "latency.p50", "latency.p95", "cost.usd_per_1000"}

// otherMetrics returns the metrics that the catalog ranks for the first screen and that the chart of
// the variants does not show.
func otherMetrics(s eval.SuiteSummary) document.Block {
	conditions := rankedConditions(s)
	g := document.Table{Keys: 1, Class: "stack compact",
		Columns: []document.Column{nameColumn(conditions, document.Unlimited)}}
	for _, k := range measuredKeys(conditions) {
		if k.Priority == 0 || slices.Contains(chartedMetrics, k.Name) {
			continue
		}
		column := rankedColumn(s, conditions, k)
		for i, c := range conditions {
			if e := c.Metrics[k.Name]; column.Cells[i].Text != "" && k.FormatInterval(e) != "" {
				column.Cells[i].Tail = k.FormatInterval(e)
			}
		}
		if slices.ContainsFunc(column.Cells, func(c document.Cell) bool { return c.Text != "" && c.Text != noValue }) {
			g.Columns = append(g.Columns, column)
		}
	}
	if len(g.Columns) == 1 {
		return document.Block{}
	}
	var heads []string
	for _, c := range g.Columns[1:] {
		heads = append(heads, c.Head)
	}
	return document.Block{More: &document.Folded{Name: "More metrics of the variants: " + strings.Join(heads, ", "),
		Blocks: []document.Block{{Table: g}}}}
}
