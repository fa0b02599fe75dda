package reports

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
)

// gates lists verdicts with their reasons: failed first, then undecided, then passed.
func gates(all []eval.GateVerdict) block {
	b := block{level: 2, heading: gatesHeading(all)}
	for _, g := range sortedGates(all) {
		l := gateMark(g)
		l.text = g.Rule
		if g.Reason != "" {
			l.text += " — " + g.Reason
		}
		b.lines = append(b.lines, l)
	}
	return b
}

// gatesHeading counts the verdicts, as in "Gates: 1 failed, 2 passed".
func gatesHeading(all []eval.GateVerdict) string {
	counts := make([]int64, len(gateWords))
	for _, g := range all {
		counts[gateOrder(g)]++
	}
	var parts []string
	for i, word := range gateWords {
		if counts[i] > 0 {
			parts = append(parts, thousands(counts[i])+" "+word)
		}
	}
	return "Gates: " + strings.Join(parts, ", ")
}

// gateWords are the verdicts in the order in which reports list them.
var gateWords = []string{"failed", "undecided", "passed"}

// gateOrder is the index of the verdict in [gateWords].
func gateOrder(g eval.GateVerdict) int {
	switch {
	case g.Passed:
		return 2
	case g.Verdict == eval.GateUndecided:
		return 1
	}
	return 0
}

func gateMark(g eval.GateVerdict) line {
	return []line{{tone: bad, mark: "✗"}, {tone: warn, mark: "?"}, {tone: good, mark: "✓"}}[gateOrder(g)]
}

func sortedGates(all []eval.GateVerdict) []eval.GateVerdict {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b eval.GateVerdict) int { return gateOrder(a) - gateOrder(b) })
	return all
}

// GatesScreen renders only the gates, as on the first screen.
func GatesScreen(r Report) []byte {
	if r.Width == 0 {
		r.Width = defaultWidth
	}
	t := &terminal{width: lineWidth(r.Width), color: colors(r)}
	t.gates(r)
	return toASCII(t.out.Bytes(), r.ASCII)
}

// gates lists all gates: each rule with its value, then the explanation, the deciding conditions
// and the first newly failing case.
func (t *terminal) gates(r Report) {
	t.line(t.paint(gatesHeading(r.Summary.Gates), strong))
	t.line("")
	all := sortedGates(r.Summary.Gates)
	column := t.gateColumn(all)
	for _, g := range all {
		t.gate(r, g, column)
	}
	var parts []string
	if r.Baseline != "" {
		parts = append(parts, "compared with "+clean(r.Baseline))
	}
	if r.Exit != nil {
		text := fmt.Sprintf("exit code %d", *r.Exit)
		if *r.Exit == 4 && slices.ContainsFunc(all, func(g eval.GateVerdict) bool { return g.TooFewCases }) {
			text += ": too few cases to detect even three times the margin"
		}
		parts = append(parts, text)
	}
	if len(parts) > 0 {
		t.line("")
		t.statement(line{text: strings.Join(parts, " · ")})
	}
}

const (
	gateIndent = "    "
	gateValues = 40 // default column of the values
	gateText   = 16 // minimum width of a case's text
)

// gateColumn returns the column of the values: after the rules, but not beyond about half of the
// width.
func (t *terminal) gateColumn(all []eval.GateVerdict) int {
	column := min(gateValues, t.width/2)
	for _, g := range all {
		if n := columnsOf(clean(g.Rule)) + 4; n <= t.width*11/20 {
			column = max(column, n)
		}
	}
	return column
}

func (t *terminal) gate(r Report, g eval.GateVerdict, column int) {
	m := gateMark(g)
	lead := t.paint(m.mark, m.tone) + " "
	conditions := g.Conditions
	if len(conditions) == 0 { // the summary contains only the reason
		conditions = []eval.GateCondition{{Value: g.Reason}}
	}
	first := conditions[0]
	switch {
	case g.Selected <= 1:
		t.gateRow(lead, 2, g.Rule, first.Value, column)
		t.gateDetails(first, gateIndent, column)
		return
	case g.Passed:
		t.gateRow(lead, 2, g.Rule,
			fmt.Sprintf("%s · worst of %s", first.Value, plural(g.Selected, conditionNoun(r, g))), column)
		t.gateDetails(first, gateIndent, column)
		return
	}
	word := gateWords[gateOrder(g)]
	t.gateRow(lead, 2, g.Rule,
		fmt.Sprintf("%s in %s of %s", word, thousands(g.Deciding), plural(g.Selected, conditionNoun(r, g))), column)
	for i, c := range conditions {
		if i+1 < len(conditions) && c.Detail == conditions[i+1].Detail {
			c.Detail = "" // it follows the last one that has it
		}
		name := conditionName(r, c)
		if name == "" { // the value covers several conditions, or none
			t.hang(gateIndent, clean(c.Value))
		} else {
			t.gateRow(gateIndent, len(gateIndent), name, c.Value, column)
		}
		t.gateDetails(c, gateIndent+"  ", column)
	}
	if more := g.Deciding - int64(len(conditions)); more > 0 {
		t.hang(gateIndent, "and "+plural(more, "more "+conditionNoun(r, g)))
	}
}

// conditionNoun is variant if the conditions of a rule differ in nothing else.
func conditionNoun(r Report, g eval.GateVerdict) string {
	if len(r.Summary.Suites) == 1 && strings.Contains(g.Rule, "fault=") && !strings.Contains(g.Rule, "variant=") {
		return "variant"
	}
	return "condition"
}

// conditionName returns the variant, the fault if any, and the suite if there are several.
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

// gateRow prints a lead, a rule or condition, and its value. The value goes below if the line is
// too long. The lead is indent columns wide.
func (t *terminal) gateRow(lead string, indent int, name, value string, column int) {
	name, value = clean(name), clean(value)
	if indent+columnsOf(name)+2 <= column && column+columnsOf(value) <= t.width {
		t.line(lead + pad(name, column-indent, false) + value)
		return
	}
	for i, l := range wrap(name, t.width-indent) {
		if i > 0 {
			lead = strings.Repeat(" ", indent)
		}
		t.line(lead + l)
	}
	t.hang(strings.Repeat(" ", indent+2), value)
}

// hang prints a wrapped text with an indent.
func (t *terminal) hang(indent, text string) {
	if text == "" {
		return
	}
	for _, l := range wrap(text, t.width-len(indent)) {
		t.line(indent + l)
	}
}

// gateDetails prints the newly failing cases of a condition and its explanation.
func (t *terminal) gateDetails(c eval.GateCondition, indent string, column int) {
	t.newFailures(c, indent, column)
	t.hang(indent, clean(c.Detail))
}

// newFailures prints the first newly failing case with its text and labels, and the ids of the
// others.
func (t *terminal) newFailures(c eval.GateCondition, indent string, column int) {
	if len(c.NewFailures) == 0 {
		return
	}
	first := c.NewFailures[0]
	lead := indent + shorten(clean(first.Case), column-len(indent))
	if first.Text != "" {
		room := max(column-columnsOf(lead)-6, gateText)
		lead += `  "` + shorten(clean(first.Text), room) + `"`
	}
	labels := named(first.Before) + " → " + noValue
	if first.After != "" {
		labels = named(first.Before) + " → " + named(first.After)
	}
	others := alsoFailing(c)
	row := lead + strings.Repeat(" ", max(column-columnsOf(lead), 2)) + labels
	switch whole := row + "     " + others; {
	case others != "" && columnsOf(whole) <= t.width:
		t.line(whole)
		return
	case columnsOf(row) <= t.width:
		t.line(row)
	default:
		t.hang(indent, strings.TrimSpace(lead))
		t.hang(indent, labels)
	}
	t.hang(indent, others)
}

// alsoFailing lists the newly failing cases after the first.
func alsoFailing(c eval.GateCondition) string {
	var ids []string
	for _, f := range c.NewFailures[1:] {
		ids = append(ids, named(f.Case))
	}
	if len(ids) == 0 {
		return ""
	}
	if more := c.FailedCases - int64(len(c.NewFailures)); more > 0 {
		return fmt.Sprintf("(also %s and %s more)", strings.Join(ids, ", "), thousands(more))
	}
	return "(also " + strings.Join(ids, ", ") + ")"
}
