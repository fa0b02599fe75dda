package reports

import (
	"evalctl/reports/finding"
)

// latex renders the tables of a run for a paper: the variants and the faults of each suite.
func latex(r Report) []byte {
	doc := []block{head(r)}
	for _, s := range r.Summary.Suites {
		about := subtitle(s, finding.DescribeSize(s, r.Summary.Partial))
		if conditions := finding.ConditionsWithoutFault(s); len(conditions) > 0 {
			doc = append(doc, block{heading: s.Name + ": variants", lines: []line{{text: about + ". Intervals: 95 %."}},
				grid: variants(s, conditions, pageWidth)})
		}
		if rows := finding.FaultEffects(s); len(rows) > 0 {
			doc = append(doc, block{heading: s.Name + ": faults", lines: []line{{text: about}},
				grid: faultTable(s, rows, false, unlimited)})
		}
	}
	return latexOf(document{command: r.command(), partial: r.Summary.Partial, blocks: doc})
}

// command returns what the first line of a LaTeX file contains: the command that renders the report,
// and the version of evalctl that wrote the run.
func (r Report) command() string {
	text := "evalctl report"
	if r.Dir != "" {
		text += " " + r.Dir
	}
	if r.Run != nil && r.Run.Manifest.Version != "" {
		text += ", run with evalctl " + r.Run.Manifest.Version
	}
	return text
}
