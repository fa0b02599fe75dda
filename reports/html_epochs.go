package reports

import (
	"fmt"

	"evalctl/eval"
	"evalctl/reports/document"
	"evalctl/reports/page"
)

// epochChart returns how many cases of each variant are right in all, some or none of the epochs.
func epochChart(s eval.SuiteSummary, of *page.SuiteDistribution) document.Block {
	if s.Epochs < 2 {
		return document.Block{}
	}
	g := document.Table{Keys: 1, Class: "bars wide", Columns: []document.Column{{Head: "variant"},
		{Axis: document.AmountAxis(float64(s.Cases))}, {Head: fmt.Sprintf("right in all %d", s.Epochs), Right: true},
		{Head: "in some", Right: true}, {Head: "in none", Right: true}, {Head: "incomplete", Right: true, Rank: 1}}}
	for _, c := range rankedConditions(s) {
		counts := of.Variant(c.Variant).Epochs
		if counts.Cases() == 0 {
			continue
		}
		none, all := counts.CasesByRightEpochs[0], counts.CasesByRightEpochs[counts.Epochs]
		some := counts.Cases() - none - all
		cases := caseList(s, c)
		cases.Result = page.Inconsistent
		bar := stackedBar(all, some, none)
		inconsistent := document.Cell{Text: thousands(some)}
		if some > 0 {
			inconsistent.Link = cases.String()
		}
		g.AddRow([]document.Cell{{Text: named(c.Variant), Tone: document.Strong}, bar, {Text: thousands(all)},
			inconsistent,
			{Text: thousands(none)}, {Text: countOrEmpty(counts.UnscoredCases)}})
	}
	if g.Rows() == 0 {
		return document.Block{}
	}
	return document.Block{Heading: "Consistency over epochs", Table: g, Graphics: document.Graphics{
		ID: sectionID(s, "epochs"), Note: "Cases that are scored in every epoch.",
		Legend: stackedBarLegend("right in all epochs", "in some", "in none")}}
}
