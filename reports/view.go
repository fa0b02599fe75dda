package reports

import (
	"fmt"

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
		return screen{noun: "single view", layOut: r.confidenceDocument}.render(format, r.Options)
	}
	panels, err := panelsOf(r)
	if err != nil {
		return nil, fmt.Errorf("--by %s: %w", r.View, err)
	}
	return screen{
		noun:   "single view",
		width:  defaultWidth,
		layOut: func(target) document { return viewDocument(r, panels) },
	}.render(format, r.Options)
}

// widestView is the maximum width of the confidence view, in columns.
const widestView = 140

func panelsOf(r Report) ([]block, error) {
	kind, prefix := r.View.parts()
	switch kind {
	case ByTag:
		return tagPanels(r, prefix)
	case ByCase:
		return casePanels(r)
	case ByNode:
		return nodePanels(r)
	}
	var list []block
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

// viewDocument returns the tables of a view, after the head of the report.
func viewDocument(r Report, panels []block) document {
	d := document{
		command: r.command(),
		partial: r.Summary.Partial,
		data:    newScopedData(r.View, panels, r.Summary.Partial),
		rows:    scopedRows(panels, r.Summary.Partial),
	}
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
	if !first.empty() {
		d.blocks = append(d.blocks, first)
	}
	d.blocks = append(d.blocks, forReaders(panels, r.ShowAll)...)
	if len(panels) == 0 && len(r.Summary.Suites) > 0 {
		d.blocks = append(d.blocks, block{lines: []line{{text: "The run has no data for this view."}}})
	}
	return d
}

// classPanels returns a table for each variant, with the metrics of each label, lowest F1 first.
func classPanels(s eval.SuiteSummary) (list []block) {
	for _, c := range finding.ConditionsWithoutFault(s) {
		if c.Confusion == nil || len(c.Confusion.Labels) == 0 {
			continue
		}
		p := block{
			suite:       s.Name,
			variant:     c.Variant,
			visibleRows: maxShownClasses,
			noun:        "class",
			grid: grid{keys: 1, columns: []column{
				{key: "class", head: "class"},
				{key: "recall", head: "recall [95 %]", estimate: true, right: true},
				{key: "n", head: "of", right: true},
				{key: "precision", head: "precision", estimate: true, right: true},
				{key: "f1", head: "F1", estimate: true, right: true}}},
		}
		order, _ := worstFirst(c)
		for _, i := range order {
			label := c.Confusion.Labels[i]
			recall := c.Metrics["route.recall."+label]
			p.grid.addRow([]cell{nameValue(label), shareValue(recall), countValue(recall.N),
				shareOnlyValue(c.Metrics["route.precision."+label]),
				estimateValue(c.Metrics["route.f1."+label], formatScore)})
		}
		list = append(list, p)
	}
	return list
}

// loopPanels returns a table for each variant with a Critic loop. Each row is one attempt in the
// loop.
func loopPanels(s eval.SuiteSummary) (list []block) {
	for _, c := range finding.ConditionsWithoutFault(s) {
		if len(c.LoopRounds) == 0 {
			continue
		}
		p := block{suite: s.Name, variant: c.Variant, grid: grid{keys: 1, columns: []column{
			{key: "loop", head: "loop", right: true}, {key: "reached", head: "reached", right: true},
			{key: "passed", head: "passed [95 %]", estimate: true, right: true},
			{key: "exhausted", head: "exhausted", right: true},
			{key: "score", head: "mean score", estimate: true, right: true},
			{key: "raw_gain", head: "raw gain", estimate: true, right: true},
			{key: "added_ms", head: "adds time", estimate: true, right: true},
			{key: "added_calls", head: "calls", estimate: true, right: true},
			{key: "added_tokens", head: "tokens", estimate: true, right: true},
			{key: "added_usd", head: "USD/1,000", estimate: true, right: true}}}}
		for _, l := range c.LoopRounds {
			p.grid.addRow([]cell{countValue(int64(l.Round)), countValue(l.ReachedTurns), shareValue(l.Passed),
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
