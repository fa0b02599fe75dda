package reports

import (
	"evalctl/eval"
	"evalctl/reports/finding"
)

// pageBlocks returns the report for a page: gates, then what the terminal report shows, then all
// tables in folded sections. Folded sections come last, so that they are lost first if the report is
// truncated.
func pageBlocks(r Report) []block {
	doc := []block{head(r)}
	if len(r.Summary.Gates) > 0 {
		doc = append(doc, gateBlock(r.Summary.Gates))
	}
	for _, s := range r.Summary.Suites {
		doc = append(doc, unfoldedBlocks(r, s)...)
	}
	for _, s := range r.Summary.Suites {
		tables := suite(r, s)
		tables[0].heading = "" // the name of the folded section already contains the suite
		doc = append(doc, block{more: &folded{name: "All tables of " + named(s.Name), blocks: tables}})
	}
	return append(doc, foot(r))
}

// unfoldedBlocks returns the blocks of a suite that a page shows without a click. LaTeX has the
// tables of variants and of faults.
func unfoldedBlocks(r Report, s eval.SuiteSummary) []block {
	about := subtitle(s, finding.DescribeSize(s, r.Summary.Partial))
	first := block{level: 2, heading: s.Name, lines: []line{{text: about}}}
	if s.FaultMatrix {
		return append([]block{first}, matrixBlocks(s, true)...)
	}
	for _, f := range finding.Findings(s) {
		l := line{text: f.String()}
		if f.IsWarning() {
			l.tone, l.mark = warn, "!"
		}
		first.lines = append(first.lines, l)
	}
	blocks := []block{first}
	if conditions := finding.ConditionsWithoutFault(s); len(conditions) > 0 {
		blocks = append(blocks, block{
			caption: s.Name + ": variants. " + about + ". Intervals: 95 %.",
			grid:    variants(s, conditions, pageWidth),
		})
	}
	if rows := finding.FaultEffects(s); len(rows) > 0 {
		blocks = append(blocks, block{
			caption: s.Name + ": faults. " + about,
			grid:    faultTable(s, rows, false, unlimited),
		})
	}
	return blocks
}

// pageWidth is the width that pages assume, in columns: names are not shortened, and no plot is
// drawn.
const pageWidth = plotFrom - 1
