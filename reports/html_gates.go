package reports

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/gate"
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

// gateTable returns the table of the gates, failed ones first: what is measured, the limit and the value.
func (h htmlReport) gateTable(all []eval.GateVerdict) document.Block {
	b := document.Block{Heading: gatesHeading(all), Graphics: document.Graphics{ID: "gates"},
		Table: document.Table{Class: "lines gates", Columns: []document.Column{{Head: "gate"},
			{Head: "requires", Right: true}, {Head: "measured", Right: true}}}}
	for _, g := range finding.SortedGates(all) {
		state := finding.StateOfGate(g)
		tone := [...]document.Tone{document.Bad, document.Warn, document.Plain}[state]
		rule := readRule(g.Rule)
		name := document.Cell{Text: state.Mark() + " " + rule.name, Tone: tone, Tag: state.String(), Note: rule.written}
		if state == finding.GatePassed {
			name.Tag, name.Note = "", "" // only a gate that did not pass is looked up in the suite
		}
		measured := document.Cell{Text: g.Reason, Tone: tone}
		if len(g.Conditions) > 0 {
			measured.Text = g.Conditions[0].Value
			if worst := g.Conditions[0]; worst.Variant != "" {
				measured.Note = conditionName(h.Report, worst)
				cases := page.CasesLink{Suite: worst.Suite, Variant: worst.Variant, Fault: faultFilter(worst.Fault)}
				if state != finding.GatePassed {
					cases.Result, cases.Sort = casesOfMetric(rule.metric)
				}
				measured.NoteLink = cases.String()
			}
			if g.SelectedConditions > 1 {
				measured.Note = strings.TrimPrefix(fmt.Sprintf("%s, worst of %s", measured.Note,
					plural(g.SelectedConditions, "condition")), ", ")
			}
			if detail := g.Conditions[0].Detail; detail != "" {
				name.Note = strings.TrimPrefix(name.Note+" · "+detail, " · ")
			}
		}
		b.Table.AddRow([]document.Cell{name, {Text: rule.requires, Tone: tone}, measured})
	}
	return b
}

// casesOfMetric returns which cases a reader looks for if a metric is too high or too low, and in which
// order.
func casesOfMetric(key string) (page.Result, page.Sort) {
	switch family, _, _ := strings.Cut(key, "."); family {
	case "route", "oos":
		return page.Wrong, ""
	case "error_reply":
		return page.ErrorReply, ""
	case "fallback":
		return page.FellBack, ""
	case "unscored", "missing", "errors":
		return page.Unscored, ""
	case "latency", "node":
		return "", page.SlowestFirst
	}
	return "", ""
}

// gateRule contains the parts of a gate rule as a reader names them.
type gateRule struct {
	name     string // what is measured; the rule as it was written if it cannot be parsed
	requires string // the limit; "": part of the name
	metric   string // key of the metric; "": the rule has none
	written  string // the rule as it was written; "": the same as the name
}

// operatorSigns contains the signs of operators as they are printed.
var operatorSigns = map[gate.Op]string{gate.AtLeast: "≥", gate.AtMost: "≤", gate.Equal: "=", gate.NotEqual: "≠"}

// roundLimit matches the decimals of a number that are all zero.
var roundLimit = regexp.MustCompile(`\.0+( |$)`)

// readRule returns the parts of a gate rule.
func readRule(text string) gateRule {
	rule, err := gate.Parse(text)
	if err != nil {
		return gateRule{name: text}
	}
	measured := metric.FindOrCustom(rule.Metric)
	label, limit := measured.RowLabel(1), measured.Format(rule.Limit)
	switch rule.Comparison {
	case gate.Drop:
		label, limit = "loss of "+label, strings.TrimPrefix(metric.FormatPoints(rule.Limit), "+")+" points"
	case gate.Ratio:
		label, limit = label+", ratio to the baseline run", metric.FormatRatio(rule.Limit)
	case gate.NewFailures:
		label, limit = "newly wrong cases", metric.Def{Unit: metric.Count}.Format(rule.Limit)
	}
	parts := []string{label, rule.Suite, rule.Variant, rule.Fault}
	if rule.Fault == eval.NoFault {
		parts[3] = "no fault"
	}
	if rule.Tag != "" {
		parts = append(parts, "tag "+rule.Tag)
	}
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
	limit = roundLimit.ReplaceAllString(limit, "$1")
	if rule.Comparison == gate.Drop && limit == "1 points" {
		limit = "1 point"
	}
	requires := cmp.Or(operatorSigns[rule.Op], string(rule.Op)) + " " + limit
	if rule.UseIntervalBound {
		requires += ", 95 % bound"
	}
	return gateRule{name: strings.Join(parts, ", "), requires: requires, metric: rule.Metric, written: text}
}
