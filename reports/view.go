package reports

import (
	"fmt"
	"slices"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
)

// renderView renders one aspect of a run, which [Report.View] selects.
func renderView(format Format, r Report) ([]byte, error) {
	if _, err := ParseView(string(r.View)); err != nil {
		return nil, err
	}
	if r.View == ByConfidence {
		return confidenceView(format, r)
	}
	panels, err := panelsOf(r)
	if err != nil {
		return nil, fmt.Errorf("--by %s: %w", r.View, err)
	}
	switch format {
	case Table:
		return renderText(panelDocument(r, panels), lineWidth(viewWidth(r.Width)), r.Color, r.ASCII)
	case Markdown:
		return markdownOf(panelDocument(r, panels)), nil
	case LaTeX:
		return latexOf(r.source(), panelDocument(r, panels)), nil
	case JSON:
		return panelsJSON(r, panels)
	case CSV:
		return panelsCSV(r, panels)
	default:
		return nil, unsupportedFormat(format, "single view")
	}
}

func confidenceView(format Format, r Report) ([]byte, error) {
	switch format {
	case Table:
		return renderText(confidenceDocument(r, min(lineWidth(r.Width), widestView), true), r.Width, r.Color, r.ASCII)
	case Markdown:
		return markdownOf(confidenceDocument(r, defaultWidth, false)), nil
	case LaTeX:
		return latexOf(r.source(), confidenceDocument(r, defaultWidth, false)), nil
	case JSON:
		return panelsJSON(r, confidencePanels(r.Summary))
	case CSV:
		return confidenceCSV(r.Summary)
	default:
		return nil, unsupportedFormat(format, "single view")
	}
}

// widestView is the maximum width of the confidence view, in columns.
const widestView = 140

func viewWidth(width int) int {
	if width == 0 {
		return defaultWidth
	}
	return width
}

func panelsOf(r Report) ([]panel, error) {
	kind, prefix := r.View.parts()
	switch kind {
	case ByTag:
		return tagPanels(r, prefix)
	case ByCase:
		return casePanels(r)
	case ByNode:
		return nodePanels(r)
	}
	var list []panel
	for _, s := range r.Summary.Suites {
		switch kind {
		case ByClass:
			list = append(list, classPanels(s)...)
		case ByFault:
			list = append(list, faultPanels(s)...)
		case ByLoop:
			list = append(list, loopPanels(s)...)
		}
	}
	return list, nil
}

// panelDocument converts the tables of a view to blocks. Equal tables become one table under the
// names of all their variants.
func panelDocument(r Report, panels []panel) []block {
	first := head(r)
	if r.Title == "" {
		first.heading = ""
	}
	switch r.View {
	case ByNode:
		first.lines = append(first.lines, line{mark: "·", text: visitsText})
	case ByFault:
		first.lines = append(first.lines, line{mark: "·", text: answeredText})
	}
	var doc []block
	if !first.empty() {
		doc = append(doc, first)
	}
	for i, p := range panels {
		equal := func(o panel) bool { return o.suite == p.suite && o.equals(p) }
		if slices.ContainsFunc(panels[:i], equal) {
			continue
		}
		var names []string
		for _, o := range panels[i:] {
			if equal(o) && o.variant != "" {
				names = append(names, named(o.variant))
			}
		}
		doc = append(doc, p.block(r, names))
	}
	if len(panels) == 0 && len(r.Summary.Suites) > 0 {
		doc = append(doc, block{lines: []line{{text: "The run has no data for this view."}}})
	}
	return doc
}

// classPanels returns a table for each variant, with the metrics of each label, lowest F1 first.
func classPanels(s eval.SuiteSummary) (list []panel) {
	for _, c := range finding.ConditionsWithoutFault(s) {
		if c.Confusion == nil || len(c.Confusion.Labels) == 0 {
			continue
		}
		p := panel{
			suite:       s.Name,
			variant:     c.Variant,
			visibleRows: maxShownClasses,
			noun:        "class",
			columns: []panelColumn{
				{name: "class", head: "class"},
				{name: "recall", head: "recall [95 %]", estimate: true, right: true},
				{name: "n", head: "of", right: true},
				{name: "precision", head: "precision", estimate: true, right: true},
				{name: "f1", head: "F1", estimate: true, right: true}},
		}
		order, _ := worstFirst(c)
		for _, i := range order {
			label := c.Confusion.Labels[i]
			recall := c.Metrics["route.recall."+label]
			p.rows = append(p.rows, []cellValue{nameValue(label), shareValue(recall), countValue(recall.N),
				shareOnlyValue(c.Metrics["route.precision."+label]),
				estimateValue(c.Metrics["route.f1."+label], formatScore)})
		}
		list = append(list, p)
	}
	return list
}

// loopPanels returns a table for each variant with a Critic loop. Each row is one attempt in the
// loop.
func loopPanels(s eval.SuiteSummary) (list []panel) {
	for _, c := range finding.ConditionsWithoutFault(s) {
		if len(c.LoopRounds) == 0 {
			continue
		}
		p := panel{suite: s.Name, variant: c.Variant, columns: []panelColumn{
			{name: "loop", head: "loop", right: true}, {name: "reached", head: "reached", right: true},
			{name: "passed", head: "passed [95 %]", estimate: true, right: true},
			{name: "exhausted", head: "exhausted", right: true},
			{name: "score", head: "mean score", estimate: true, right: true},
			{name: "raw_gain", head: "raw gain", estimate: true, right: true},
			{name: "added_ms", head: "adds time", estimate: true, right: true},
			{name: "added_calls", head: "calls", estimate: true, right: true},
			{name: "added_tokens", head: "tokens", estimate: true, right: true},
			{name: "added_usd", head: "USD/1,000", estimate: true, right: true}}}
		for _, l := range c.LoopRounds {
			p.rows = append(p.rows, []cellValue{countValue(int64(l.Round)), countValue(l.ReachedTurns), shareValue(l.Passed),
				countValue(l.Exhausted),
				estimateValue(l.Score, formatScore), estimateValue(l.RawGain, formatScore),
				estimateValue(l.AddedMillis, number.Time), estimateValue(l.AddedCalls, formatMean),
				estimateValue(l.AddedTokens, rounded), estimateValue(l.AddedCost, perThousand)})
		}
		if text := finding.DeliveredText(c); text != "" {
			p.lines = append(p.lines, line{text: text + ". " + finding.DeliveredGoodNote})
		}
		p.lines = append(p.lines, line{text: finding.RawGainNote})
		list = append(list, p)
	}
	return list
}
