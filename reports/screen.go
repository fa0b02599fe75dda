package reports

import (
	"cmp"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
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

// screen renders the terminal report without -v: for each suite the best variants, the effects of
// faults and the findings, then the gates and suggested commands.
func screen(r Report) ([]byte, error) {
	r.Width = cmp.Or(r.Width, defaultWidth)
	t := newTerminal(r.Options)
	if isOverview(r.Summary) {
		t.suites(r)
		return t.text(r.ASCII)
	}
	t.printHead(r)
	for _, s := range r.Summary.Suites {
		for _, l := range t.suiteScreen(r, s) {
			t.line(l)
		}
		t.line("")
	}
	if len(r.Summary.Gates) > 0 {
		t.gates(r)
		t.line("")
	}
	t.printFooter(r)
	return t.text(r.ASCII)
}

func (t *terminal) printHead(r Report) {
	b := head(r)
	b.clean()
	if r.Title != "" {
		t.line(t.paint(shorten(b.heading, t.width), strong))
	}
	for _, l := range b.lines {
		t.statement(l)
	}
	if r.Title != "" || len(b.lines) > 0 {
		t.line("")
	}
}

// printFooter prints suggested commands, the number of trials, and errors of evalctl itself.
func (t *terminal) printFooter(r Report) {
	if r.Dir != "" && len(r.Summary.Suites) > 0 {
		for _, l := range command("all tables    ", []string{"evalctl", "report", r.Dir, "-v"}, t.width) {
			t.line(t.paint(l, faint))
		}
		for _, l := range command("in a browser  ", []string{"evalctl", "report", r.Dir, "--html", "report.html"},
			t.width) {
			t.line(t.paint(l, faint))
		}
	}
	for _, words := range compareCommands(r.Dir, r.Summary.Suites) {
		for _, l := range command("case by case  ", words, t.width) {
			t.line(t.paint(l, faint))
		}
	}
	if len(r.Summary.Suites) > 1 {
		for _, l := range matrixSummary(r.Summary.Suites...) {
			t.statement(l)
		}
	}
	if len(r.Summary.Suites) > 0 {
		t.statement(trialsLine(r))
		for _, l := range retried(r.Summary) {
			t.statement(l)
		}
	}
	for _, l := range foot(Report{Summary: r.Summary}).lines {
		t.statement(l)
	}
}

// trialsLine returns the sentence that counts the trials, the errors of evalctl itself, and the
// trials without an answer.
func trialsLine(r Report) line {
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
	l := line{text: plural(trials, "trial")}
	if r.Duration > 0 {
		l.text += " in " + number.Elapsed(r.Duration)
	}
	if failed > 0 {
		return line{tone: bad, mark: "✗", text: l.text + " · " + thousands(failed) + " errors in evalctl itself"}
	}
	if silent > 0 {
		l.text += " · " + thousands(silent) + " without an answer"
	}
	l.text += " · no error in evalctl itself"
	return l
}

// retried returns the sentence that counts requests that failed and were retried. It excludes
// conditions with a fault, because the fault makes requests fail.
func retried(s eval.Summary) []line {
	var count, of int64
	for _, one := range s.Suites {
		n, all := finding.CountRetries(one.Conditions)
		count, of = count+n, of+all
	}
	if count == 0 {
		return nil
	}
	return []line{{text: plural(count, "failed request") + " retried, of " + thousands(of)}}
}

// suiteScreen returns the lines of a suite for the terminal report: the variants, as many faults as
// fit, the findings and an example command.
func (t *terminal) suiteScreen(r Report, s eval.SuiteSummary) []string {
	if s.FaultMatrix {
		return t.matrix(r, s)
	}
	top := []string{t.title(r.Summary.Partial, s)}
	end := t.example(r, s)
	found, rows := finding.Findings(s), finding.FaultEffects(s)
	conditions, more := selectVariants(s, found, t.variantRows(found, len(rows), len(end)))
	if len(conditions) > 0 {
		table := fittedTable(s, conditions, t.width)
		top = append(append(top, ""), t.markBaselineModels(t.draw(table), conditions)...)
		if more > 0 {
			top = append(top, "and "+plural(int64(more), "more variant")+" (-v)")
		}
	}
	if len(conditions) > 0 {
		top = append(top, t.legend(s, conditions)...)
	}
	if more > 0 {
		found = sentencesAbout(found, conditions)
	}
	left := suiteLines - len(top) - len(end)
	sentences := t.sentences(found, left, len(rows))
	if len(sentences) > 0 {
		left -= 1 + len(sentences)
	}
	if faults := t.faults(s, rows, left-1); len(faults) > 0 {
		top = append(append(top, ""), faults...)
	}
	if len(sentences) > 0 {
		top = append(append(top, ""), sentences...)
	}
	return append(top, end...)
}

// markBaselineModels adds a line to the table of variants that states which rows are baseline
// models.
func (t *terminal) markBaselineModels(rows []string, conditions []eval.ConditionSummary) []string {
	var names []string
	last := 0
	for i, c := range conditions {
		if c.BaselineModel {
			names, last = append(names, named(c.Variant)), i
		}
	}
	switch len(names) {
	case 0, len(conditions):
		return rows
	case 1:
		// +2, because the first row contains the column heads
		return slices.Insert(rows, last+2, t.paint("  baseline model", faint))
	}
	return append(rows, t.paint(shorten("  baseline models: "+strings.Join(names, ", "), t.width), faint))
}

// legend returns the lines that explain the marks in the table of variants, such as "~".
func (t *terminal) legend(s eval.SuiteSummary, conditions []eval.ConditionSummary) []string {
	first := finding.BaselineVariant(s)
	var hasNotSignificant, hasIdentical, hasChanged, hasUnadjusted bool
	for _, c := range conditions {
		d, ok := finding.Difference(s, c.Variant, first)
		if !ok || c.Variant == first {
			continue
		}
		hasNotSignificant, hasIdentical = hasNotSignificant || d.State == eval.NotSignificant,
			hasIdentical || d.State == eval.Identical
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
	if hasChanged && fittedTable(s, conditions, t.width).has(fixedBroken) {
		parts = append(parts, fixedBroken+": cases that only this variant, or only "+
			shorten(named(first), maxReferenceName)+", gets right")
	}
	if hasChanged && fittedTable(s, conditions, t.width).has(moreLessRight) {
		parts = append(parts, moreLessRight+": cases that are right in more, or fewer, epochs than with "+
			shorten(named(first), maxReferenceName))
	}
	if heads := variants(s, conditions, t.width).missing(fittedTable(s, conditions, t.width)); heads != nil {
		parts = append(parts, "too narrow for: "+strings.Join(heads, ", "))
	}
	if len(parts) == 0 {
		return nil
	}
	var lines []string
	for _, text := range wrap(strings.Join(parts, " · "), t.width) {
		lines = append(lines, t.paint(text, faint))
	}
	return lines
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
func (t *terminal) variantRows(found []finding.Sentence, faults, end int) int {
	left := suiteLines - 4 - end // the title, a blank line, the heads and the legend take 4 lines
	least := min(len(found), minFindings)
	for _, f := range slices.Concat(found[:least], warningsOf(found[least:])) {
		left -= len(t.prose(f))
	}
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

// sentences returns the lines of as many findings as fit. It reserves lines for the table of
// faults, but includes at least two findings and all warnings.
func (t *terminal) sentences(found []finding.Sentence, left, rows int) (lines []string) {
	faults := 0
	if rows > 0 {
		faults = leastFaults(rows)
	}
	for n := min(len(found), maxFindings); ; n-- {
		lines = nil
		for _, f := range slices.Concat(found[:n], warningsOf(found[n:])) {
			lines = append(lines, t.prose(f)...)
		}
		if room := left - 1 - len(lines); n == 0 || room >= faults || n <= minFindings && room >= 0 {
			return lines
		}
	}
}

func warningsOf(found []finding.Sentence) []finding.Sentence {
	return slices.DeleteFunc(slices.Clone(found), func(f finding.Sentence) bool { return !f.IsWarning() })
}

// faults returns the lines of the table of faults: one row for each fault that fits, and one line
// about the others.
func (t *terminal) faults(s eval.SuiteSummary, rows []finding.FaultEffect, room int) []string {
	one := !slices.ContainsFunc(rows, func(h finding.FaultEffect) bool { return h.Variant != rows[0].Variant })
	n := len(rows)
	if n > room-1 {
		n = max(room-2, 0)
	}
	var lines []string
	if n > 0 {
		lines = t.draw(faultTable(s, rows[:n], one, t.width))
	}
	if n < len(rows) && room > 0 {
		lines = append(lines, otherFaults(rows[n:], one, t.width))
	}
	if l := legendOf(rows[:n]); l != "" && len(lines) > 0 && len(lines) < room {
		lines = append(lines, t.paint(shorten(l, t.width), faint))
	}
	return lines
}

// legendOf explains the suffixes of fault names, such as "@2", if the rows contain any.
func legendOf(rows []finding.FaultEffect) string {
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

// example returns the lines with the command that shows an example case of the suite.
func (t *terminal) example(r Report, s eval.SuiteSummary) (lines []string) {
	id, variant := finding.ExampleCase(s)
	if r.Dir == "" || variant == "" {
		return nil
	}
	for _, l := range command("show a case   ", showCommand(r.Dir, id, variant), t.width) {
		lines = append(lines, t.paint(l, faint))
	}
	return lines
}
