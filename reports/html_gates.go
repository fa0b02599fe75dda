package reports

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/document"
	"evalctl/reports/finding"
	"evalctl/reports/page"
)

// gatesOf returns the gates that concern a suite. With one suite, these are all.
func (h htmlReport) gatesOf(s eval.SuiteSummary) []eval.GateVerdict {
	if len(h.Summary.Suites) == 1 {
		return h.Summary.Gates
	}
	return slices.DeleteFunc(slices.Clone(h.Summary.Gates), func(g eval.GateVerdict) bool {
		return !slices.ContainsFunc(g.Conditions, func(c eval.GateCondition) bool { return c.Suite == s.Name })
	})
}

// gateTable returns the table of the gates: failed ones first.
func (h htmlReport) gateTable(all []eval.GateVerdict) document.Block {
	b := document.Block{Heading: gatesHeading(all), Graphics: document.Graphics{ID: "gates"},
		Table: document.Table{Class: "gates", Columns: []document.Column{{Head: "gate"},
			{Head: "measured", Right: true}}}}
	for _, g := range finding.SortedGates(all) {
		state := finding.StateOfGate(g)
		tone := [...]document.Tone{document.Bad, document.Warn, document.Plain}[state]
		rule := document.Cell{Text: state.Mark() + " " + g.Rule, Tone: tone, Tag: state.String()}
		if state == finding.GatePassed {
			rule.Tag = ""
		}
		measured := document.Cell{Text: g.Reason, Tone: tone}
		if len(g.Conditions) > 0 {
			measured.Text = g.Conditions[0].Value
			if worst := g.Conditions[0]; worst.Variant != "" {
				measured.Note = conditionName(h.Report, worst)
				measured.NoteLink = page.CasesLink{Suite: worst.Suite, Variant: worst.Variant,
					Fault: faultFilter(worst.Fault)}.String()
			}
			if g.SelectedConditions > 1 {
				measured.Note = strings.TrimPrefix(fmt.Sprintf("%s, worst of %d", measured.Note,
					g.SelectedConditions), ", ")
			}
			rule.Note = cmp.Or(g.Conditions[0].Detail, ruleMeaning(g.Rule))
		}
		b.Table.AddRow([]document.Cell{rule, measured})
	}
	return b
}

// ruleMetric matches the name of the metric in a gate rule.
var ruleMetric = regexp.MustCompile(`[a-z_]+(\.[\pL\pN_-]+)+`)

// ruleMeaning returns what the metric of a gate rule measures; "" for a metric that is not in the
// catalog.
func ruleMeaning(rule string) string {
	d := metric.FindOrCustom(ruleMetric.FindString(rule))
	if d.Unit == metric.UnknownUnit {
		return ""
	}
	return d.Meaning
}
