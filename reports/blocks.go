package reports

import (
	"slices"

	"evalctl/eval"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// reportBlocks returns the full report for a terminal: all tables of each suite, then the gates.
func reportBlocks(r Report) []document.Block {
	doc := []document.Block{head(r)}
	for _, s := range r.Summary.Suites {
		doc = append(doc, suiteTables(r, s)...)
	}
	if len(r.Summary.Gates) > 0 {
		doc = append(doc, gateBlock(r.Summary.Gates))
	}
	return append(doc, foot(r))
}

// suiteTables returns all tables of a suite.
func suiteTables(r Report, s eval.SuiteSummary) []document.Block {
	if s.FaultMatrix {
		about := subtitle(s, finding.DescribeSize(s, r.Summary.Partial))
		first := document.Block{Heading: s.Name, Lines: []document.Line{{Text: about}}}
		return append([]document.Block{first}, matrixBlocks(s, false)...)
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
		tables := suiteTables(r, s)
		tables[0].Heading = "" // the name of the folded section already contains the suite
		doc = append(doc, document.Block{More: &document.Folded{Name: "All tables of " + named(s.Name),
			Blocks: tables}})
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
		table := variants(s, conditions, pageWidth)
		b := document.Block{Caption: s.Name + ": variants. " + about + ". Intervals: 95 %.", Table: table}
		if text := legend(s, conditions, table, nil); text != "" {
			b.Notes = []document.Line{{Text: text}}
		}
		blocks = append(blocks, b)
	}
	if rows := finding.FaultEffects(s); len(rows) > 0 {
		blocks = append(blocks, document.Block{
			Caption: s.Name + ": faults. " + about,
			Table:   faultTable(rows, false, document.Unlimited),
		})
	}
	return blocks
}

// pageWidth is the width that pages assume, in columns: names are not shortened, and no plot is
// drawn.
const pageWidth = plotFrom - 1

// conditionDetails returns the details of a condition: a table of its classes, its top confusions,
// and the latency of its nodes.
func conditionDetails(r Report, c eval.ConditionSummary) []document.Block {
	var blocks []document.Block
	if c.Confusion != nil && len(c.Confusion.Labels) > 0 {
		blocks = append(blocks, classes(c, r.ShowAll))
	}
	if len(c.ConfusedPairs) > 0 {
		blocks = append(blocks, confusionTable(r, c))
	}
	if g := nodeLatencyTable(c); g.Rows() > 0 {
		blocks = append(blocks, document.Block{Table: g})
	}
	if len(blocks) > 0 {
		blocks[0].Level, blocks[0].Heading = 3, title(c)
	}
	return blocks
}

// nodeLatencyTable returns the latency of calls, with one row for each node of the agent. A node
// is, for example, a model call or a search.
func nodeLatencyTable(c eval.ConditionSummary) document.Table {
	g := document.Table{Keys: 1, JoinedFrom: 4,
		Columns: []document.Column{{Head: "node"}, {Head: "calls", Right: true}, {Head: "p50"}, {Head: "p95"},
			{Head: "p99"}}}
	for _, n := range nodeNames(c, "node.") {
		row := []document.Cell{{Text: n}, {Text: thousands(c.Metrics["node."+n+".p50"].N)}}
		for _, q := range []string{"p50", "p95", "p99"} {
			row = append(row, document.Cell{Text: quantileInterval(q, c.Metrics["node."+n+"."+q])})
		}
		g.AddRow(row)
	}
	return g
}
