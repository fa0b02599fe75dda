package reports

import (
	"evalctl/eval"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// pageBlocks returns the report for a page: gates, then what the terminal report shows, then all
// tables in folded sections. Folded sections come last, so that they are lost first if the report is
// truncated.
func pageBlocks(r Report) []document.Block {
	doc := []document.Block{head(r)}
	if len(r.Summary.Gates) > 0 {
		doc = append(doc, gateBlock(r.Summary.Gates))
	}
	for _, s := range r.Summary.Suites {
		doc = append(doc, unfoldedBlocks(r, s)...)
	}
	for _, s := range r.Summary.Suites {
		tables := suite(r, s)
		tables[0].Heading = "" // the name of the folded section already contains the suite
		doc = append(doc, document.Block{More: &document.Folded{Name: "All tables of " + named(s.Name), Blocks: tables}})
	}
	return append(doc, foot(r))
}

// unfoldedBlocks returns the blocks of a suite that a page shows without a click. LaTeX has the
// tables of variants and of faults.
func unfoldedBlocks(r Report, s eval.SuiteSummary) []document.Block {
	about := subtitle(s, finding.DescribeSize(s, r.Summary.Partial))
	first := document.Block{Level: 2, Heading: s.Name, Lines: []document.Line{{Text: about}}}
	if s.FaultMatrix {
		return append([]document.Block{first}, matrixBlocks(s, true)...)
	}
	for _, f := range finding.Findings(s) {
		l := document.Line{Text: f.String()}
		if f.IsWarning() {
			l.Tone, l.Mark = document.Warn, "!"
		}
		first.Lines = append(first.Lines, l)
	}
	blocks := []document.Block{first}
	if conditions := finding.ConditionsWithoutFault(s); len(conditions) > 0 {
		blocks = append(blocks, document.Block{
			Caption: s.Name + ": variants. " + about + ". Intervals: 95 %.",
			Table:   variants(s, conditions, pageWidth),
		})
	}
	if rows := finding.FaultEffects(s); len(rows) > 0 {
		blocks = append(blocks, document.Block{
			Caption: s.Name + ": faults. " + about,
			Table:   faultTable(s, rows, false, document.Unlimited),
		})
	}
	return blocks
}

// pageWidth is the width that pages assume, in columns: names are not shortened, and no plot is
// drawn.
const pageWidth = plotFrom - 1
