package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/reports/document"
	"evalctl/reports/finding"
	"evalctl/reports/page"
)

// suiteView returns the view of a suite. Sections without data are left out.
func (h htmlReport) suiteView(s eval.SuiteSummary) page.View {
	v := page.View{
		Address: suiteAddress(s),
		Name:    named(s.Name),
		Title:   named(s.Name),
		Facts:   h.suiteFacts(s),
		Warning: simulationWarning(s),
	}
	top := page.Column{Width: 7, Blocks: []document.Block{h.headline(s, maxFindingsOfPage),
		{Graphics: document.Graphics{
			Figures: keyFigures(s)}}}}
	gates := h.gatesOf(s)
	if len(gates) == 0 {
		top.Width = 0
		v.Sections = append(v.Sections, page.Section{Columns: []page.Column{top}})
	} else {
		v.Sections = append(v.Sections, page.Section{Columns: []page.Column{top,
			{Width: 5, Blocks: []document.Block{h.gateTable(gates)}}}})
	}
	of := h.trials.Distributions(s)
	add := func(list ...page.Section) {
		for _, one := range list {
			one.Columns = slices.DeleteFunc(one.Columns, func(c page.Column) bool {
				return !slices.ContainsFunc(c.Blocks, func(b document.Block) bool { return !b.Empty() })
			})
			if len(one.Columns) == 1 && !one.Small {
				one.Columns[0].Width = 0
			}
			if len(one.Columns) > 0 {
				v.Sections = append(v.Sections, one)
			}
		}
	}
	add(page.FullWidth(variantChart(s), otherMetrics(s)))
	add(page.FullWidth(criticBlocks(s, of)...))
	add(h.confusionSections(s)...)
	add(faultSections(s)...)
	latency, components := latencyChart(s, of), componentChart(s, of)
	if components.Table.Rows() > maxComponentsNextToLatency {
		add(page.FullWidth(latency), page.FullWidth(components))
	} else {
		add(page.Section{Columns: []page.Column{{Width: 6, Blocks: []document.Block{latency}},
			{Width: 6, Blocks: []document.Block{components}}}})
	}
	add(page.FullWidth(supervisorBlocks(s, of)...))
	add(page.FullWidth(retrievalChart(s)))
	add(confidenceSections(s)...)
	add(page.FullWidth(epochChart(s, of)))
	add(page.FullWidth(foldedMetrics(s), howToRead(s), h.setupBlock(s)))
	return v
}

// maxComponentsNextToLatency is the number of components up to which their table is next to the latency.
const maxComponentsNextToLatency = 7

// maxFindingsOfPage is the number of findings below the headline that a page shows without a click.
// All warnings are shown.
const maxFindingsOfPage = 4

func (h htmlReport) suiteFacts(s eval.SuiteSummary) []string {
	facts := append(caseSelection(s), finding.DescribeSize(s, h.Summary.Partial)...)
	if simulationWarning(s) == "" {
		facts = append(facts, strings.Join(origin(s), ", "))
	}
	if text := finding.MixedLatencyNote(s); text != "" {
		facts = append(facts, text)
	}
	if len(h.Summary.Suites) == 1 {
		facts = append(facts, h.startFacts()...)
	}
	return facts
}

// startFacts states when and how the run was started.
func (h htmlReport) startFacts() []string {
	if h.Run == nil || h.Run.Manifest.Started.IsZero() {
		return nil
	}
	m := h.Run.Manifest
	return []string{m.Started.UTC().Format("2 Jan 2006, 15:04 UTC"), fmt.Sprintf("seed %d", m.Seed)}
}

// headline returns the findings of a suite: the main result in large type, then the warnings and the
// other findings. At most shown of them are visible; the others are folded.
func (h htmlReport) headline(s eval.SuiteSummary, shown int) document.Block {
	found := finding.Findings(s)
	if one, ok := h.baselineChange(s); ok {
		found = append([]finding.Sentence{one}, found...)
	}
	var b document.Block
	at := slices.IndexFunc(found, func(f finding.Sentence) bool { return f.Kind == finding.KindMostAccurate })
	if at < 0 { // a baseline model has the highest accuracy
		at = slices.IndexFunc(found, func(f finding.Sentence) bool { return f.Kind == finding.KindBaselineModel })
	}
	if at >= 0 {
		b.Graphics.Headline = linkedParts(s, found[at])
		found = slices.Delete(slices.Clone(found), at, at+1)
	}
	slices.SortStableFunc(found, func(a, b finding.Sentence) int {
		return cmp.Compare(warningRank(a), warningRank(b))
	})
	n := len(warningsOf(found))
	n = min(max(n, shown), len(found))
	b.Lines = findingLines(s, found[:n])
	if n < len(found) {
		b.More = &document.Folded{Name: plural(int64(len(found)-n), "more finding"),
			Blocks: []document.Block{{Lines: findingLines(s, found[n:])}}}
	}
	return b
}

func warningRank(f finding.Sentence) int {
	if f.IsWarning() {
		return 0
	}
	return 1
}

func findingLines(s eval.SuiteSummary, found []finding.Sentence) (lines []document.Line) {
	for _, f := range found {
		l := document.Line{Parts: linkedParts(s, f)}
		if f.IsWarning() {
			l.Mark = "!"
		}
		lines = append(lines, l)
	}
	return lines
}

// linkedParts returns the parts of a finding, with links to the cases that they are about.
func linkedParts(s eval.SuiteSummary, f finding.Sentence) (parts []document.Part) {
	for _, p := range f.ShownParts(false) {
		one := partOf(p)
		one.Link = filterLink(s, p.Link)
		parts = append(parts, one)
	}
	return parts
}
