package reports

import (
	"slices"

	"evalctl/eval"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// reportBlocks returns the full report as blocks, for the table and Markdown formats.
func reportBlocks(r Report) []document.Block {
	doc := []document.Block{head(r)}
	for _, s := range r.Summary.Suites {
		doc = append(doc, suite(r, s)...)
	}
	if len(r.Summary.Gates) > 0 {
		doc = append(doc, gateBlock(r.Summary.Gates))
	}
	return append(doc, foot(r))
}

func suite(r Report, s eval.SuiteSummary) []document.Block {
	if s.FaultMatrix {
		return append([]document.Block{{Heading: s.Name,
			Lines: []document.Line{{Text: subtitle(s, finding.DescribeSize(s, r.Summary.Partial))}}}}, matrixBlocks(s, false)...)
	}
	blocks := []document.Block{{Level: 2, Heading: s.Name, Lines: slices.Concat(runLines(s), warnings(r, s))}}
	var shown []eval.ConditionSummary
	for _, c := range s.Conditions {
		if fault(c) == eval.NoFault || r.ShowAll {
			shown = append(shown, c)
		}
	}
	blocks = append(blocks, metricTables(s, s.Conditions)...)
	blocks = append(blocks, corrections(shown)...)
	blocks = append(blocks, criticRounds(shown, s.Models)...)
	for _, c := range shown {
		blocks = append(blocks, conditionDetails(r, c)...)
	}
	return blocks
}
