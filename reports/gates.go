package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
)

// gateBlock returns the block of a report that lists the gates with their reasons: failed first,
// then undecided, then passed.
func gateBlock(all []eval.GateVerdict) block {
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

// gatesHeading counts the gates by verdict, as in "Gates: 1 failed, 2 passed".
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

// gateWords are the words for the verdicts of gates, in the order in which reports list them.
var gateWords = []string{"failed", "undecided", "passed"}

// gateOrder returns the index of a gate's verdict in [gateWords].
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

// RenderGates renders only the gates of a report, in the same form as the table format.
func RenderGates(r Report) []byte {
	r.Width = cmp.Or(r.Width, defaultWidth)
	t := newTerminal(r.Options)
	t.gates(r)
	return toASCII(t.out.Bytes(), r.ASCII)
}

// gates prints all gates: each rule with its value, then the explanation, the conditions that
// decide it, and the first newly failing case.
func (t *terminal) gates(r Report) {
	t.line(t.paint(gatesHeading(r.Summary.Gates), strong))
	t.line("")
	all := sortedGates(r.Summary.Gates)
	column := t.gateColumn(all)
	for _, g := range all {
		t.gate(r, g, column)
	}
	var parts []string
	if r.BaselinePath != "" {
		parts = append(parts, "compared with "+clean(r.BaselinePath))
	}
	if r.ExitCode != nil {
		text := fmt.Sprintf("exit code %d", *r.ExitCode)
		if *r.ExitCode == 4 && slices.ContainsFunc(all, func(g eval.GateVerdict) bool { return g.TooFewCases }) {
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
	gateValues = 40 // default column at which the values of gates start
	gateText   = 16 // minimum width of a case's text, in columns
)

// gateColumn returns the column at which the values of all gates start: after the longest rule, but
// not far beyond half of the width.
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
	if len(conditions) == 0 { // an older summary contains no conditions, only the reason
		conditions = []eval.GateCondition{{Value: g.Reason}}
	}
	first := conditions[0]
	switch {
	case g.SelectedConditions <= 1:
		t.gateRow(lead, 2, g.Rule, first.Value, column)
		t.gateDetails(first, gateIndent, column)
		return
	case g.Passed:
		t.gateRow(lead, 2, g.Rule,
			fmt.Sprintf("%s · worst of %s", first.Value, plural(g.SelectedConditions, conditionNoun(r, g))), column)
		t.gateDetails(first, gateIndent, column)
		return
	}
	word := gateWords[gateOrder(g)]
	t.gateRow(lead, 2, g.Rule,
		fmt.Sprintf("%s in %s of %s", word, thousands(g.DecidingConditions),
			plural(g.SelectedConditions, conditionNoun(r, g))), column)
	for i, c := range conditions {
		if i+1 < len(conditions) && c.Detail == conditions[i+1].Detail {
			c.Detail = "" // consecutive conditions with the same explanation print it once, after the last of them
		}
		name := conditionName(r, c)
		if name == "" { // without a name, the value is for several conditions or for none
			t.hang(gateIndent, clean(c.Value))
		} else {
			t.gateRow(gateIndent, len(gateIndent), name, c.Value, column)
		}
		t.gateDetails(c, gateIndent+"  ", column)
	}
	if more := g.DecidingConditions - int64(len(conditions)); more > 0 {
		t.hang(gateIndent, "and "+plural(more, "more "+conditionNoun(r, g)))
	}
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

// gateRow prints lead and name (a rule or a condition), then its value at the given column. If both
// do not fit on one line, the value goes below. indent is the width of lead in columns.
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

// hang prints a text wrapped to the width, with each line indented.
func (t *terminal) hang(indent, text string) {
	if text == "" {
		return
	}
	for _, l := range wrap(text, t.width-len(indent)) {
		t.line(indent + l)
	}
}

// gateDetails prints the newly failing cases of a condition, then its explanation.
func (t *terminal) gateDetails(c eval.GateCondition, indent string, column int) {
	t.newFailures(c, indent, column)
	t.hang(indent, clean(c.Detail))
}

// newFailures prints the first newly failing case with its text and labels. It lists the ids of the
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
