package reports

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// gateBlock returns the block of a report that lists the gates with their reasons: failed first,
// then undecided, then passed.
func gateBlock(all []eval.GateVerdict) document.Block {
	b := document.Block{Level: 2, Heading: gatesHeading(all)}
	for _, g := range finding.SortedGates(all) {
		l := gateMark(g)
		l.Text = g.Rule
		if g.Reason != "" {
			l.Text += " — " + g.Reason
		}
		b.Lines = append(b.Lines, l)
	}
	return b
}

// gatesHeading counts the gates by verdict, as in "Gates: 1 failed, 2 passed".
func gatesHeading(all []eval.GateVerdict) string { return "Gates: " + finding.CountGates(all).String() }

// gateMark returns a line with the symbol of a gate's verdict.
func gateMark(g eval.GateVerdict) document.Line {
	state := finding.StateOfGate(g)
	tone := [...]document.Tone{document.Bad, document.Warn, document.Good}[state]
	return document.Line{Tone: tone, Mark: state.Mark()}
}

// RenderGates renders only the gates of a report, in the same form as the table format.
func RenderGates(r Report) ([]byte, error) {
	return screen{noun: "gates", width: defaultWidth, layOut: func(to document.Target) document.Document {
		return document.Document{Blocks: gateBlocks(r, to.Width)}
	}}.render(Table, r.Options)
}

// gateBlocks returns all gates for the terminal: each rule with its value, then the explanation, the
// conditions that decide it, and the first newly failing case.
func gateBlocks(r Report, width int) []document.Block {
	all := finding.SortedGates(r.Summary.Gates)
	list := gateList{report: r, width: width, column: gateColumn(all, width)}
	for _, g := range all {
		list.gate(g)
	}
	var parts []string
	if r.BaselinePath != "" {
		parts = append(parts, "compared with "+r.BaselinePath)
	}
	if r.ExitCode != nil {
		text := fmt.Sprintf("exit code %d", *r.ExitCode)
		if *r.ExitCode == 4 && slices.ContainsFunc(all, func(g eval.GateVerdict) bool { return g.TooFewCases }) {
			text += ": too few cases to detect even three times the margin"
		}
		parts = append(parts, text)
	}
	doc := []document.Block{{Heading: gatesHeading(all)}, {Lines: list.lines, ValueColumn: list.column}}
	if len(parts) > 0 {
		doc = append(doc, document.Block{Lines: []document.Line{{Text: strings.Join(parts, " · ")}}})
	}
	return doc
}

const (
	gateIndent = 4
	gateValues = 40 // default column at which the values of gates start
	gateText   = 16 // minimum width of a case's text, in columns
)

// gateList collects the lines of gates.
type gateList struct {
	report        Report
	width, column int // of the terminal, and at which values start
	lines         []document.Line
}

// gateColumn returns the column at which the values of all gates start: after the longest rule, but
// not far beyond half of the width.
func gateColumn(all []eval.GateVerdict, width int) int {
	column := min(gateValues, width/2)
	for _, g := range all {
		if n := columnsOf(clean(g.Rule)) + 4; n <= width*11/20 {
			column = max(column, n)
		}
	}
	return column
}

func (t *gateList) gate(g eval.GateVerdict) {
	rule := gateMark(g)
	rule.Parts = []document.Part{{Text: g.Rule}}
	conditions := g.Conditions
	if len(conditions) == 0 { // an older summary contains no conditions, only the reason
		conditions = []eval.GateCondition{{Value: g.Reason}}
	}
	noun := conditionNoun(t.report, g)
	rule.Value = conditions[0].Value
	if g.SelectedConditions <= 1 || g.Passed {
		if g.SelectedConditions > 1 {
			rule.Value += " · worst of " + plural(g.SelectedConditions, noun)
		}
		t.lines = append(t.lines, rule)
		t.details(conditions[0], gateIndent)
		return
	}
	rule.Value = fmt.Sprintf("%s in %s of %s", finding.StateOfGate(g), thousands(g.DecidingConditions),
		plural(g.SelectedConditions, noun))
	t.lines = append(t.lines, rule)
	for i, c := range conditions {
		if i+1 < len(conditions) && c.Detail == conditions[i+1].Detail {
			c.Detail = "" // consecutive conditions with the same explanation print it once, after the last of them
		}
		one := document.Line{Indent: gateIndent, Text: conditionName(t.report, c), Value: c.Value}
		if one.Text == "" { // without a name, the value is for several conditions or for none
			one.Text, one.Value = c.Value, ""
		}
		t.lines = append(t.lines, one)
		t.details(c, gateIndent+2)
	}
	if more := g.DecidingConditions - int64(len(conditions)); more > 0 {
		t.lines = append(t.lines, document.Line{Indent: gateIndent, Text: "and " + plural(more, "more "+noun)})
	}
}

// details adds the newly failing cases of a condition, then its explanation.
func (t *gateList) details(c eval.GateCondition, indent int) {
	t.newFailures(c, indent)
	if c.Detail != "" {
		t.lines = append(t.lines, document.Line{Indent: indent, Text: c.Detail})
	}
}

// newFailures adds the first newly failing case with its text and labels, and the ids of the others.
func (t *gateList) newFailures(c eval.GateCondition, indent int) {
	if len(c.NewFailures) == 0 {
		return
	}
	first := c.NewFailures[0]
	text := shorten(clean(first.Case), t.column-indent)
	if first.Text != "" {
		text += ` "` + shorten(clean(first.Text), max(t.column-indent-columnsOf(text)-5, gateText)) + `"`
	}
	after := noValue
	if first.After != "" {
		after = named(first.After)
	}
	labels := strings.TrimSpace(named(first.Before) + " → " + after + " " + alsoFailing(c))
	t.lines = append(t.lines, document.Line{Indent: indent, Text: text, Value: labels})
}

// conditionNoun returns the word for the conditions that a gate selects: "variant" if they differ
// only in the variant.
func conditionNoun(r Report, g eval.GateVerdict) string {
	if len(r.Summary.Suites) == 1 && strings.Contains(g.Rule, "fault=") && !strings.Contains(g.Rule, "variant=") {
		return "variant"
	}
	return "condition"
}

// conditionName returns the variant of a condition, its fault if there is one, and its suite if
// there are several.
func conditionName(r Report, c eval.GateCondition) string {
	if c.Variant == "" {
		return ""
	}
	name := nameIn(r, c.Suite, c.Variant)
	if c.Fault != "" && c.Fault != eval.NoFault {
		name += " + " + named(c.Fault)
	}
	return name
}

// alsoFailing lists the ids of the newly failing cases after the first one.
func alsoFailing(c eval.GateCondition) string {
	var ids []string
	for _, f := range c.NewFailures[1:] {
		ids = append(ids, named(f.Case))
	}
	if len(ids) == 0 {
		return ""
	}
	if more := c.NewFailureCount - int64(len(c.NewFailures)); more > 0 {
		return fmt.Sprintf("(also %s and %s more)", strings.Join(ids, ", "), thousands(more))
	}
	return "(also " + strings.Join(ids, ", ") + ")"
}
