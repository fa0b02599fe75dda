package reports

import (
	"bytes"
	"fmt"

	"evalctl/eval"
	"evalctl/reports/finding"
)

// markdown renders the report: gates, then what the terminal report shows, then all tables in
// folded sections. Folded sections come last, so that they are lost first if the report is
// truncated.
func markdown(r Report) []byte {
	var out bytes.Buffer
	put := func(b block) {
		b.clean()
		if b.empty() {
			return
		}
		if out.Len() > 0 {
			out.WriteByte('\n')
		}
		b.markdown(&out)
	}
	put(head(r))
	if len(r.Summary.Gates) > 0 {
		put(gateBlock(r.Summary.Gates))
	}
	for _, s := range r.Summary.Suites {
		for _, b := range unfoldedBlocks(r, s) {
			put(b)
		}
	}
	for _, s := range r.Summary.Suites {
		fmt.Fprintf(&out, "\n%s\n<summary>All tables of %s</summary>\n", folded, escape(named(s.Name)))
		for i, b := range suite(r, s) {
			if i == 0 {
				b.heading = "" // the summary element of the folded section already contains the name
			}
			put(b)
		}
		fmt.Fprintf(&out, "\n%s\n", foldedEnd)
	}
	put(foot(r))
	return out.Bytes()
}

// unfoldedBlocks returns the blocks of a suite that a Markdown report shows without a click.
func unfoldedBlocks(r Report, s eval.SuiteSummary) []block {
	first := block{level: 2, heading: s.Name,
		lines: []line{{text: subtitle(s, finding.DescribeSize(s, r.Summary.Partial))}}}
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
		blocks = append(blocks, block{grid: variants(s, conditions, pageWidth)})
	}
	if rows := finding.FaultEffects(s); len(rows) > 0 {
		blocks = append(blocks, block{grid: faultTable(s, rows, false, unlimited)})
	}
	return blocks
}

// pageWidth is the width that Markdown reports assume, in columns: names are not shortened, and no
// plot is drawn.
const pageWidth = plotFrom - 1
