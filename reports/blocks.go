package reports

import (
	"evalctl/eval"
	"evalctl/reports/finding"
)

// reportBlocks returns the full report as blocks, for the table and Markdown formats.
func reportBlocks(r Report) []block {
	doc := []block{head(r)}
	for _, s := range r.Summary.Suites {
		doc = append(doc, suite(r, s)...)
	}
	if len(r.Summary.Gates) > 0 {
		doc = append(doc, gateBlock(r.Summary.Gates))
	}
	return append(doc, foot(r))
}

func suite(r Report, s eval.SuiteSummary) []block {
	if s.FaultMatrix {
		return append([]block{{heading: s.Name,
			lines: []line{{text: subtitle(s, finding.DescribeSize(s, r.Summary.Partial))}}}}, matrixBlocks(s, false)...)
	}
	blocks := []block{overview(s)}
	if w := warnings(r, s); len(w) > 0 {
		blocks = append(blocks, block{lines: w})
	}
	var shown []eval.ConditionSummary
	for _, c := range s.Conditions {
		if fault(c) == eval.NoFault || r.ShowAll {
			shown = append(shown, c)
		}
	}
	blocks = append(blocks, answerTable(shown)...)
	blocks = append(blocks, retrievalBlocks(shown)...)
	blocks = append(blocks, oosTable(s, shown)...)
	blocks = append(blocks, supervisors(shown)...)
	blocks = append(blocks, criticBlocks(shown, s.Models)...)
	for _, c := range shown {
		blocks = append(blocks, conditionDetails(r, c)...)
	}
	return blocks
}
