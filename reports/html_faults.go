package reports

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/document"
	"evalctl/reports/finding"
	"evalctl/reports/page"
)

// maxFaultCharts is the maximum number of faults that a page shows as small multiples. More faults
// are rows of a table.
const maxFaultCharts = 7

// faultSections returns the effect of the faults: small multiples for the variant with the most
// harmful fault, and a table of all faults, folded if the small multiples show them all.
func faultSections(s eval.SuiteSummary) (list []page.Section) {
	if s.FaultMatrix {
		return []page.Section{page.FullWidth(faultMatrixBlocks(s)...)}
	}
	effects := finding.FaultEffects(s)
	if len(effects) == 0 {
		return nil
	}
	variant := effects[0].Variant
	own := faultsOf(effects, variant)
	plain, ok := conditionNamed(finding.ConditionsWithoutFault(s), variant)
	all := document.Folded{Name: "All faults of all variants", Blocks: document.ForReaders(faultPanels(s), true)}
	head := document.Block{Heading: "Faults", Graphics: document.Graphics{
		ID: sectionID(s, "faults")}}
	if !ok || len(own) > maxFaultCharts {
		head.Table = faultTable(effects, false, document.Unlimited)
		head.Table.Class = "faults"
		head.More = &all
		return []page.Section{page.FullWidth(head)}
	}
	head.Heading = "Faults, " + named(variant)
	head.Graphics.Note = fmt.Sprintf("The same %s with one fault injected.",
		plural(finding.PlannedTrials(s), trialNoun(s)))
	charts := page.Section{Small: true}
	conditions := []eval.ConditionSummary{plain}
	for _, h := range own {
		conditions = append(conditions, h.Conditions[0])
	}
	axes := faultAxes(conditions)
	charts.Columns = append(charts.Columns, page.Column{Blocks: faultChart(s, plain, nil, plain, axes)})
	for _, h := range own {
		charts.Columns = append(charts.Columns, page.Column{Blocks: faultChart(s, h.Conditions[0], &h, plain, axes)})
	}
	legend := document.Block{Graphics: document.Graphics{Legend: []document.LegendItem{
		{Marks: []document.Mark{{Shape: document.Rule, From: 0.5}}, Text: "accuracy without a fault, %"},
		{Marks: []document.Mark{{Shape: document.Before, To: 1}}, Text: "latency without a fault, s"},
	}}}
	legend.Notes = []document.Line{{Text: faultCountNote}}
	legend.More = &all
	return []page.Section{page.FullWidth(head), charts, page.FullWidth(legend)}
}

// faultMatrixBlocks returns the fault matrix of a suite: a grid of fault kinds and components for each
// variant, and folded tables with the numbers.
func faultMatrixBlocks(s eval.SuiteSummary) (blocks []document.Block) {
	rows := finding.SplitRows(s, finding.FaultMatrixRows(s))
	var folded []document.Block
	for _, c := range finding.ConditionsWithoutFault(s) {
		own := faultsOf(rows, c.Variant)
		if len(own) == 0 {
			continue
		}
		b := document.Block{Level: 3, Heading: named(c.Variant), Table: faultGrid(s, own)}
		if blocks == nil {
			b.Level, b.Heading = 2, "Faults, "+named(c.Variant)
			b.Graphics = document.Graphics{ID: sectionID(s, "faults"),
				Note: "Affected trials that end as expected, by fault " +
					"and component. As expected: as specified, or as we decided where nothing is specified. " +
					"Misrouted: an unexpected route answered, but not without the fault.",
				Legend: matrixKey(own)}
			b.Lines = matrixSummary(s)
			blocks = append(blocks, b)
			continue
		}
		folded = append(folded, b)
	}
	if len(folded) > 0 {
		blocks = append(blocks, document.Block{More: &document.Folded{Name: "The other variants", Blocks: folded}})
	}
	for _, one := range matrixBlocks(s, true) {
		one.Table.Class = "faults"
		blocks = append(blocks, document.Block{More: &document.Folded{Name: "Faults with the same effect in one row",
			Blocks: []document.Block{one}}})
	}
	return append(blocks, document.Block{More: &document.Folded{Name: "Each fault alone",
		Blocks: document.ForReaders(faultPanels(s), true)}})
}

// matrixKey explains the signs and colors that the grid of these faults has.
func matrixKey(rows []finding.FaultEffect) (key []document.LegendItem) {
	has := func(states ...finding.MatrixState) bool {
		return slices.ContainsFunc(rows, func(h finding.FaultEffect) bool { return slices.Contains(states, h.State()) })
	}
	if has(finding.AsExpected, finding.PartlyUnspecified) {
		key = append(key, document.LegendItem{Tint: -2, Text: "all as expected"})
	}
	if has(finding.Unexpected) {
		key = append(key, document.LegendItem{Tint: 4, Text: "✗: some not as expected"})
	}
	if has(finding.Unspecified) {
		key = append(key, document.LegendItem{Text: "?: no expected outcome"})
	}
	if has(finding.NotTriggered) {
		key = append(key, document.LegendItem{Text: "·: not triggered"})
	}
	return append(key, document.LegendItem{Text: "empty: no such fault in this run"})
}

// faultGrid returns a table with a row for each kind of fault and a column for each component. A cell
// counts the trials that the fault affects and that end as expected.
func faultGrid(s eval.SuiteSummary, rows []finding.FaultEffect) document.Table {
	var kinds, components []string
	cells := map[[2]string]document.Cell{}
	for _, h := range rows {
		component, kind := "combination", h.FaultNames()[0]
		if list := h.FaultKinds(); len(list) > 0 { // a combination of faults has no single kind
			component, kind = h.Component(), list[0]
		}
		if !slices.Contains(components, component) {
			components = append(components, component)
		}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
		cell := expectedOutcomeCell(h)
		cell.Link = caseList(s, h.Conditions[0]).String()
		switch h.State() {
		case finding.NotTriggered:
			cell = document.Cell{Text: "·", Tone: document.Faint}
		case finding.Unspecified:
			cell = document.Cell{Text: "?", Tone: document.Faint, Link: cell.Link}
		case finding.Unexpected:
			cell.Tint, cell.Tone, cell.Text = 4, document.Strong, "✗ "+cell.Text
		default:
			cell.Tint, cell.Tone = -2, document.Plain
		}
		cells[[2]string{component, kind}] = cell
	}
	slices.Sort(kinds)
	slices.Sort(components)
	g := document.Table{Keys: 1, Class: "compact", Columns: []document.Column{{Head: "fault"}}}
	for _, component := range components {
		g.Columns = append(g.Columns, document.Column{Head: component, Right: true})
	}
	for _, kind := range kinds {
		row := []document.Cell{{Text: kind}}
		for _, component := range components {
			row = append(row, cells[[2]string{component, kind}])
		}
		g.AddRow(row)
	}
	return g
}

const faultCountNote = "Each case has one outcome. Broken: correct without the fault, wrong with it. " +
	"Lost and gained decisions include those of error replies. Fell back: something replaced a part that failed, found nothing or was unsure."

// sharedAxes are the axes that all charts of a section have in common; nil: no condition has a value.
type sharedAxes struct{ accuracy, latency *document.Axis }

func faultAxes(conditions []eval.ConditionSummary) sharedAxes {
	var accuracies valueRange
	for _, c := range conditions {
		accuracies.addEstimate(c.Metrics["route.accuracy"])
	}
	return sharedAxes{accuracy: accuracies.axis(document.ShareAxis), latency: latencyAxis(conditions)}
}

// faultChart returns the chart of a condition: accuracy, outcomes of the cases and latency, compared
// with the condition without a fault. h is nil for that condition itself.
func faultChart(s eval.SuiteSummary, c eval.ConditionSummary, h *finding.FaultEffect, plain eval.ConditionSummary,
	axes sharedAxes) []document.Block {
	top := document.Block{Level: 3, Heading: "no fault"}
	share := document.Part{Text: finding.FormatShare(c.Metrics["route.accuracy"]), Tone: document.Strong}
	change := document.Part{Text: " accuracy", Tone: document.Faint}
	if h != nil {
		top.Heading = strings.Join(h.FaultNames(), ", ")
		switch points, same, ok := finding.AccuracyChange(h.Outcome, c); {
		case ok && same && h.Outcome.Degraded() > 0:
			change.Text = " accuracy of decisions"
		case ok && same:
			change.Text = " = identical decisions"
		case ok:
			change.Text = " " + metric.FormatPoints(points) + " points"
			if points < 0 {
				share.Tone = document.Bad
			}
		}
	}
	top.Graphics.Headline = []document.Part{share, change}
	if h != nil {
		for _, class := range h.DegradedClasses() {
			if class.Result != string(page.NowWrong) {
				top.Graphics.Headline = append(top.Graphics.Headline, document.Part{Tone: document.Bad,
					Text: fmt.Sprintf(" %s of %s %s", thousands(class.Trials), thousands(h.Outcome.Trials), class.Name)})
			}
		}
	}
	if e := c.Metrics["route.accuracy"]; axes.accuracy != nil && isKnown(e.Value) {
		cell := document.Cell{Marks: document.IntervalMarks(e.Value, e.Lo, e.Hi, share.Tone, true)}
		if share.Tone == document.Strong {
			cell.Marks = document.IntervalMarks(e.Value, e.Lo, e.Hi, document.Plain, true)
		}
		if v := plain.Metrics["route.accuracy"].Value; h != nil && isKnown(v) {
			cell.Marks = append([]document.Mark{{Shape: document.Rule, From: *v}}, cell.Marks...)
		}
		top.Table = document.Table{Class: "one", Columns: []document.Column{{Axis: axes.accuracy,
			Cells: []document.Cell{cell}}}}
	}
	return []document.Block{top, outcomeBars(s, c, h), latencyBar(c, h, plain, axes)}
}

// outcomeBars returns a bar for each outcome of the cases under a fault or, without a fault, for the
// cases with and without a fallback.
func outcomeBars(s eval.SuiteSummary, c eval.ConditionSummary, h *finding.FaultEffect) document.Block {
	cases := caseList(s, c)
	type outcome struct {
		name   string
		n      int64
		result page.Result
		tone   document.Tone
	}
	var outcomes []outcome
	var all int64
	switch fell := c.Metrics["fallback.rate"]; {
	case h != nil && h.Outcome != nil:
		o := h.Outcome
		all = o.Trials
		outcomes = []outcome{
			{name: "unchanged", n: o.Unchanged},
			{name: finding.MoreFallbacks, n: o.MoreFallbacks},
			{name: "other label", n: o.LabelChanged, tone: document.Strong},
			{name: "broken", n: o.NowWrong, result: page.NowWrong, tone: document.Bad},
			{name: "error reply", n: o.NowErrorReply, result: page.NowErrorReply, tone: document.Bad},
			{name: finding.FailedOrUnscored, n: o.NowUnscored, result: page.NowUnscored, tone: document.Bad},
		}
		outcomes = slices.DeleteFunc(outcomes, func(o outcome) bool { return o.n == 0 })
	case isKnown(fell.Value):
		n := finding.Numerator(fell)
		all = fell.N
		outcomes = []outcome{{name: "no fallback", n: fell.N - n}, {name: "fell back", n: n, result: page.FellBack}}
	default:
		return document.Block{}
	}
	var notes []document.Line
	if h != nil && h.Outcome != nil && h.Outcome.Broken+h.Outcome.Fixed > 0 {
		notes = []document.Line{{Text: fmt.Sprintf("Correct decisions lost %s, gained %s.", thousands(h.Outcome.Broken),
			thousands(h.Outcome.Fixed))}}
	}
	b := document.Block{Notes: notes, Table: document.Table{Class: "bars",
		Columns: []document.Column{{Head: trialNoun(s) + "s"},
			{Axis: document.AmountAxis(float64(all))}, {Right: true, Head: "n"}}}}
	for _, o := range outcomes {
		count := document.Cell{Text: thousands(o.n)}
		if o.tone == document.Bad && o.n > 0 {
			count.Tone = document.Bad
		}
		if o.result != "" && o.n > 0 {
			cases.Result = o.result
			count.Link = cases.String()
		}
		bar := document.Cell{}
		if o.n > 0 {
			bar.Marks = []document.Mark{{Shape: document.Bar, To: float64(o.n), Tone: o.tone}}
		}
		b.Table.AddRow([]document.Cell{{Text: o.name, Tone: document.Faint}, bar, count})
	}
	return b
}

func latencyBar(c eval.ConditionSummary, h *finding.FaultEffect, plain eval.ConditionSummary,
	axes sharedAxes) document.Block {
	p50, p95 := c.Metrics["latency.p50"].Value, c.Metrics["latency.p95"].Value
	if axes.latency == nil || !isKnown(p50) || !isKnown(p95) || *p50 <= 0 {
		return document.Block{}
	}
	cell := document.Cell{Marks: document.RangeMarks(*p50, *p95)}
	line := document.Line{Parts: []document.Part{{Text: "p50 " + metric.FormatTime(*p50) + ", p95 ",
		Tone: document.Faint}}}
	high := document.Part{Text: quantile("p95", c.Metrics["latency.p95"]), Tone: document.Strong}
	note := ""
	if h != nil {
		if text := latencyCell(*h).Text; text != "" {
			high.Text = text
		}
		before50, before := plain.Metrics["latency.p50"].Value, plain.Metrics["latency.p95"].Value
		if isKnown(before) && isKnown(before50) && *before > 0 {
			cell.Marks = append([]document.Mark{{Shape: document.Before, From: *before50, To: *before}}, cell.Marks...)
		}
		if ratio, ok := finding.P95Ratio(c, plain); ok && ratio >= finding.SlowRatio {
			high.Tone, note = document.Bad, ", ×"+metric.FormatRatioTwoDigits(ratio)
		}
		if text := h.AnsweredTurns(); text != "" {
			note += ", " + text
		}
	}
	line.Parts = append(line.Parts, high)
	if note != "" {
		line.Parts = append(line.Parts, document.Part{Text: note, Tone: document.Faint})
	}
	return document.Block{Notes: []document.Line{line},
		Table: document.Table{Class: "one", Columns: []document.Column{{Axis: axes.latency,
			Cells: []document.Cell{cell}}}}}
}
