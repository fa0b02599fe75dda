package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// Limits of the terminal report without -v, so that each suite fits on one screen.
const (
	defaultWidth = 100 // columns if the width is not set
	suiteLines   = 24  // maximum number of lines for each suite
	maxFindings  = 5   // maximum number of findings (sentences) for each suite
	minFindings  = 2   // findings that are shown even if the table of faults then has less room
	minFaultRows = 3   // rows of the table of faults that have priority over further findings
)

// screenBlocks returns the terminal report without -v: for each suite the best variants, the effects
// of faults and the findings, then the gates and suggested commands.
func screenBlocks(r Report, width int) []document.Block {
	first := head(r)
	if first.Heading = shorten(r.Title, width); r.Title == "" {
		first.Level = 0
	}
	doc := []document.Block{first}
	if isOverview(r.Summary) {
		return append(doc, suitesBlocks(r, width)...)
	}
	for _, s := range r.Summary.Suites {
		doc = append(doc, suiteScreen(r, s, width)...)
	}
	if len(r.Summary.Gates) > 0 {
		doc = append(doc, gateBlocks(r, width)...)
	}
	return append(doc, footer(r))
}

// footer returns the number of trials, errors of evalctl itself, and suggested commands.
func footer(r Report) (b document.Block) {
	if len(r.Summary.Suites) > 1 {
		b.Lines = matrixSummary(r.Summary.Suites...)
	}
	if len(r.Summary.Suites) > 0 {
		b.Lines = append(b.Lines, trialsLine(r))
		b.Lines = append(b.Lines, retried(r.Summary)...)
	}
	b.Lines = append(b.Lines, foot(Report{Summary: r.Summary}).Lines...)
	if r.Dir != "" && len(r.Summary.Suites) > 0 {
		b.Next = append(document.Suggestions("all tables    ", []string{"evalctl", "report", r.Dir, "-v"}),
			document.Suggestions("in a browser  ", []string{"evalctl", "report", r.Dir, "--html", "report.html"})...)
	}
	b.Next = append(b.Next, document.Suggestions("case by case  ", compareCommands(r.Dir, r.Summary.Suites)...)...)
	return b
}

// trialsLine returns the sentence that counts the trials, the errors of evalctl itself, and the
// trials without an answer.
func trialsLine(r Report) document.Line {
	var trials, failed, silent int64
	for _, s := range r.Summary.Suites {
		trials += finding.CompletedTrials(s)
		for _, c := range s.Conditions {
			if v := c.Metrics["errors.harness"].Value; isKnown(v) {
				failed += int64(*v)
			}
			if e := c.Metrics["missing.rate"]; isKnown(e.Value) && (c.Fault == "" || c.Fault == eval.NoFault) {
				silent += finding.Numerator(e)
			}
		}
	}
	l := document.Line{Text: plural(trials, "trial")}
	if r.Duration > 0 {
		l.Text += " in " + metric.FormatElapsed(r.Duration)
	}
	if failed > 0 {
		return document.Line{Tone: document.Bad, Mark: "✗",
			Text: l.Text + " · " + thousands(failed) + " errors in evalctl itself"}
	}
	if silent > 0 {
		l.Text += " · " + thousands(silent) + " without an answer"
	}
	l.Text += " · no error in evalctl itself"
	return l
}

// retried returns the sentence that counts requests that failed and were retried. It excludes
// conditions with a fault, because the fault makes requests fail.
func retried(s eval.Summary) []document.Line {
	var count, of int64
	for _, one := range s.Suites {
		n, all := finding.CountRetries(one.Conditions)
		count, of = count+n, of+all
	}
	if count == 0 {
		return nil
	}
	return []document.Line{{Text: plural(count, "failed request") + " retried, of " + thousands(of)}}
}

// suiteScreen returns a suite for the terminal report: the variants, as many faults as fit, the
// findings and an example command.
func suiteScreen(r Report, s eval.SuiteSummary, width int) []document.Block {
	if s.FaultMatrix {
		return matrixScreen(r, s, width)
	}
	top := document.Block{Lines: []document.Line{suiteTitle(r.Summary.Partial, s, width)}}
	end := example(r, s)
	endLines := document.Block{Next: end}.Height(width)
	found, rows := finding.Findings(s), finding.FaultEffects(s)
	conditions, more := selectVariants(s, found, variantRows(found, len(rows), endLines, width))
	if len(conditions) > 0 {
		all := variants(s, conditions, width)
		top.Table = fitVariants(all, conditions, width)
		top.Notes = baselineModelNote(conditions, width)
		if more > 0 {
			top.Notes = append(top.Notes, document.Line{Text: "and " + plural(int64(more), "more variant") + " (-v)"})
		}
		if text := legend(s, conditions, top.Table, all.Missing(top.Table)); text != "" {
			top.Notes = append(top.Notes, document.Line{Tone: document.Faint, Text: text})
		}
	}
	if more > 0 {
		found = sentencesAbout(found, conditions)
	}
	left := suiteLines - top.Height(width) - endLines
	sentences := sentencesThatFit(found, left, len(rows), width)
	if len(sentences) > 0 {
		left -= 1 + (document.Block{Lines: sentences}).Height(width)
	}
	blocks := []document.Block{top, faults(rows, left-1, width)}
	if len(sentences) > 0 {
		blocks = append(blocks, document.Block{Lines: sentences})
	}
	blocks = slices.DeleteFunc(blocks, document.Block.Empty)
	blocks[len(blocks)-1].Next = end
	return blocks
}

// baselineModelNote returns the line that states which variants of the table are baseline models.
func baselineModelNote(conditions []eval.ConditionSummary, width int) []document.Line {
	var names []string
	for _, c := range conditions {
		if c.BaselineModel {
			names = append(names, named(c.Variant))
		}
	}
	switch len(names) {
	case 0, len(conditions):
		return nil
	case 1:
		return []document.Line{{Tone: document.Faint, Text: shorten("baseline model: "+names[0], width)}}
	}
	return []document.Line{{Tone: document.Faint, Text: shorten("baseline models: "+strings.Join(names, ", "), width)}}
}

// legend explains the marks in the table of variants, such as "~". missing are the heads of important
// columns for which the terminal is too narrow.
func legend(s eval.SuiteSummary, conditions []eval.ConditionSummary, table document.Table, missing []string) string {
	first := finding.BaselineVariant(s)
	var hasNotSignificant, hasIdentical, hasChanged, hasUnadjusted bool
	for _, c := range conditions {
		d, ok := finding.Difference(s, c.Variant, first)
		if !ok || c.Variant == first {
			continue
		}
		hasNotSignificant = hasNotSignificant || d.State == eval.NotSignificant
		hasIdentical = hasIdentical || d.State == eval.Identical
		hasChanged = hasChanged || d.Fixed+d.Broken > 0
		hasUnadjusted = hasUnadjusted || isUnadjusted(d)
	}
	var parts []string
	if hasNotSignificant {
		parts = append(parts, "~ no significant difference")
	}
	if hasUnadjusted {
		parts = append(parts, unadjustedIntervals)
	}
	if hasIdentical {
		parts = append(parts, "= identical decisions")
	}
	if hasChanged && table.Has(fixedBroken) {
		parts = append(parts, fixedBroken+": cases that only this variant, or only "+
			shorten(named(first), maxReferenceName)+", gets right")
	}
	if hasChanged && table.Has(moreLessRight) {
		parts = append(parts, moreLessRight+": cases that are right in more, or fewer, epochs than with "+
			shorten(named(first), maxReferenceName))
	}
	if missing != nil {
		parts = append(parts, "too narrow for: "+strings.Join(missing, ", "))
	}
	return strings.Join(parts, " · ")
}

// unadjustedIntervals explains why a difference can be marked "~" (not significant) although its
// interval does not contain 0.
const unadjustedIntervals = "intervals are not adjusted for multiple comparisons"

// isUnadjusted reports whether a difference is not significant although its interval does not
// contain 0. The reason is that only the p-value is adjusted for multiple comparisons.
func isUnadjusted(d eval.Difference) bool {
	c := d.Accuracy
	return d.State == eval.NotSignificant && isKnown(c.Lo) && isKnown(c.Hi) && *c.Lo**c.Hi > 0
}

// variantRows returns how many variants fit on the screen. It reserves lines for the title, the
// required sentences, some faults and the end of the report.
func variantRows(found []finding.Sentence, faults, end, width int) int {
	left := suiteLines - 4 - end // the title, a blank line, the heads and the legend take 4 lines
	least := min(len(found), minFindings)
	required := document.Block{Lines: sentenceLines(slices.Concat(found[:least], warningsOf(found[least:])))}
	left -= required.Height(width)
	if len(found) > 0 {
		left--
	}
	if faults > 0 {
		left -= leastFaults(faults)
	}
	return max(left, minVariants)
}

// leastFaults returns how many lines are reserved for the table of faults: a blank line, the heads,
// and some rows.
func leastFaults(rows int) int { return 1 + 1 + min(rows, minFaultRows+1) }

// sentencesThatFit returns as many findings as fit in the left lines. It reserves lines for the table
// of faults, but includes at least two findings and all warnings.
func sentencesThatFit(found []finding.Sentence, left, rows, width int) []document.Line {
	faults := 0
	if rows > 0 {
		faults = leastFaults(rows)
	}
	for n := min(len(found), maxFindings); ; n-- {
		lines := sentenceLines(slices.Concat(found[:n], warningsOf(found[n:])))
		room := left - 1 - document.Block{Lines: lines}.Height(width)
		if n == 0 || room >= faults || n <= minFindings && room >= 0 {
			return lines
		}
	}
}

func warningsOf(found []finding.Sentence) []finding.Sentence {
	return slices.DeleteFunc(slices.Clone(found), func(f finding.Sentence) bool { return !f.IsWarning() })
}

// faults returns the table of faults: one row for each fault that fits, and one line about the
// others.
func faults(rows []finding.FaultEffect, room, width int) (b document.Block) {
	one := isOneVariant(rows)
	n := len(rows)
	if n > room-1 {
		n = max(room-2, 0)
	}
	lines := 0
	if n > 0 {
		b.Table = faultTable(rows[:n], one, width)
		lines = 1 + n
	}
	if n < len(rows) && room > 0 {
		b.Notes = append(b.Notes, document.Line{Text: otherFaults(rows[n:], one, width)})
		lines++
	}
	if l := faultSuffixes(rows[:n]); l != "" && lines > 0 && lines < room {
		b.Notes = append(b.Notes, document.Line{Tone: document.Faint, Text: shorten(l, width)})
	}
	return b
}

// faultSuffixes explains the suffixes of fault names, such as "@2", if the rows contain any.
func faultSuffixes(rows []finding.FaultEffect) string {
	var parts []string
	for _, sign := range []struct{ sign, meaning string }{
		{"@", "@N: only call N of a trial fails"},
		{"%", "%P: a call fails with probability P %"},
	} {
		if slices.ContainsFunc(rows, func(h finding.FaultEffect) bool {
			return slices.ContainsFunc(h.Conditions,
				func(c eval.ConditionSummary) bool { return strings.Contains(c.Fault, sign.sign) })
		}) {
			parts = append(parts, sign.meaning)
		}
	}
	return strings.Join(parts, " · ")
}

// example returns the command that shows an example case of the suite.
func example(r Report, s eval.SuiteSummary) []document.Suggestion {
	id, variant := finding.ExampleCase(s)
	if r.Dir == "" || variant == "" {
		return nil
	}
	return document.Suggestions("show a case   ", showCommand(r.Dir, id, variant))
}

// suiteTitle returns the heading of a suite. If it is too wide, suiteTitle omits the numbers of trials,
// faults and variants, then the note on the trained baseline model. Then it shortens the
// description of the cases. It always states what is simulated.
func suiteTitle(partial bool, s eval.SuiteSummary, width int) document.Line {
	name := shorten(named(s.Name), width/2)
	room := width - columnsOf(name) - columnsOf(" · ")
	sizes := finding.DescribeSize(s, partial)
	for len(sizes) > 0 && columnsOf(subtitle(s, sizes)) > room {
		sizes = sizes[:len(sizes)-1]
	}
	of := subtitle(s, sizes)
	if columnsOf(of) > room {
		from := " · " + strings.Join(origin(s), " · ")
		if columnsOf(from)+minCasesWidth > room {
			// the table of variants names the baseline model anyway
			from = strings.ReplaceAll(from, baselineModelTrained, "")
		}
		text, left := strings.Join(caseSelection(s), " · "), max(room-columnsOf(from), minCasesWidth)
		if left < 2*minCasesWidth { // omit these words rather than the numbers after them
			text = strings.TrimPrefix(strings.TrimPrefix(text, "sample of "), "first ")
		}
		of = shorten(shorten(text, left)+from, room)
	}
	return document.Line{Parts: []document.Part{{Text: name, Tone: document.Strong}, {Text: " · " + of}}}
}

// minCasesWidth is the minimum width of the description of the cases in a heading, in columns.
const minCasesWidth = 14

// subtitle describes how a suite's numbers were obtained: cases, sizes, and what is simulated.
func subtitle(s eval.SuiteSummary, sizes []string) string {
	return strings.Join(slices.Concat(caseSelection(s), sizes, origin(s)), " · ")
}

// caseSelection describes how many cases ran, from which dataset, and how they were selected.
func caseSelection(s eval.SuiteSummary) []string {
	text := finding.CaseSelection(s)
	if data := clean(s.Dataset); data != "" && s.Dataset != s.Name {
		text += " of " + data
	}
	if s.Epochs > 1 {
		text += fmt.Sprintf(" × %d epochs", s.Epochs)
	}
	parts := []string{text}
	if len(s.Tags) > 0 {
		parts = append(parts, clean("tagged "+strings.Join(s.Tags, ", ")))
	}
	if s.DecisionOnly {
		parts = append(parts, "decision only")
	}
	return parts
}

// origin describes which models are real and which are simulated, and whether time is simulated.
func origin(s eval.SuiteSummary) []string {
	var actual, simulated, trained []string
	for _, m := range s.Models {
		list := &actual
		switch m.Kind {
		case "simulated":
			list = &simulated
		case "trained":
			list = &trained
		}
		if name := clean(m.Component); !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	time := cmp.Or(clean(s.Clock), "unknown") + " time"
	var parts []string
	switch {
	case len(s.Models) == 0:
		return []string{time}
	case len(actual)+len(simulated) == 0:
		return []string{"baseline models only", time}
	case len(actual) == 0 && s.Clock == "simulated":
		parts = []string{"models and time are simulated"}
	case len(actual) == 0:
		parts = []string{"models are simulated", time}
	case len(simulated) == 0 && (s.Target == "http" || s.Target == "exec"):
		parts = []string{"your agent", time}
	case len(simulated) == 0:
		parts = []string{"real models", time}
	default:
		parts = []string{"real: " + strings.Join(actual, ", ") + "; simulated: " + strings.Join(simulated, ", "), time}
	}
	if len(trained) > 0 {
		parts[0] += baselineModelTrained
	}
	return parts
}

const baselineModelTrained = "; the baseline model was trained"
