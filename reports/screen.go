package reports

import (
	"os"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
)

// The first screen's limits.
const (
	pipeWidth     = 100 // columns, where nothing limits them
	suiteLines    = 24  // of a suite
	mostFindings  = 5   // sentences of a suite
	leastFindings = 2   // that do not give way to faults
	leastRows     = 3   // faults for which sentences give way
)

// screen is what is seen first of a run: suite by suite who decides best, what
// faults cost, and what there is to say of it; then gates, which stay in view, and
// how to go on.
func screen(r Report) []byte {
	if r.Width == 0 {
		r.Width = pipeWidth
	}
	t := &terminal{width: lineWidth(r.Width), color: colors(r)}
	if isOverview(r.Summary) {
		t.suites(r)
		return signs(t.out.Bytes(), r.ASCII)
	}
	t.opening(r)
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
	t.closing(r)
	return signs(t.out.Bytes(), r.ASCII)
}

func colors(r Report) bool { return r.Color && os.Getenv("NO_COLOR") == "" }

// opening says what there is to say before any number.
func (t *terminal) opening(r Report) {
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

// closing has the commands that go on, and what was lost on the way.
func (t *terminal) closing(r Report) {
	if r.Dir != "" && len(r.Summary.Suites) > 0 {
		for _, l := range command("all tables    ", []string{"evalctl", "report", r.Dir, "-v"}, t.width) {
			t.line(t.paint(l, faint))
		}
		for _, l := range command("in a browser  ", []string{"evalctl", "report", r.Dir, "--html", "report.html"}, t.width) {
			t.line(t.paint(l, faint))
		}
	}
	for _, words := range comparisons(r.Dir, r.Summary.Suites) {
		for _, l := range command("case by case  ", words, t.width) {
			t.line(t.paint(l, faint))
		}
	}
	if len(r.Summary.Suites) > 1 {
		for _, l := range matrixTally(r.Summary.Suites...) {
			t.statement(l)
		}
	}
	if len(r.Summary.Suites) > 0 {
		t.statement(tally(r))
		for _, l := range retried(r.Summary) {
			t.statement(l)
		}
	}
	for _, l := range foot(Report{Summary: r.Summary}).lines {
		t.statement(l)
	}
}

// tally says how much was played, and whether the harness itself failed.
func tally(r Report) line {
	var trials, lost, silent int64
	for _, s := range r.Summary.Suites {
		trials += finding.CompletedTrials(s)
		for _, c := range s.Conditions {
			if v := c.Metrics["errors.harness"].Value; known(v) {
				lost += int64(*v)
			}
			if e := c.Metrics["missing.rate"]; known(e.Value) && (c.Fault == "" || c.Fault == eval.NoFault) {
				silent += finding.Count(e)
			}
		}
	}
	l := line{text: counted(trials, "trial")}
	if r.Duration > 0 {
		l.text += " in " + number.Elapsed(r.Duration)
	}
	if lost > 0 {
		return line{tone: bad, mark: "✗", text: l.text + " · " + grouped(lost) + " errors in evalctl itself"}
	}
	if silent > 0 {
		l.text += " · " + grouped(silent) + " without an answer"
	}
	l.text += " · no error in evalctl itself"
	return l
}

// retried says how many requests failed and were sent again; conditions with a fault are
// not counted, for it is meant to fail some.
func retried(s eval.Summary) []line {
	var again, of int64
	for _, one := range s.Suites {
		n, all := finding.Retried(one.Conditions)
		again, of = again+n, of+all
	}
	if again == 0 {
		return nil
	}
	return []line{{text: counted(again, "failed request") + " retried, of " + grouped(of)}}
}

// suiteScreen is a suite's part: sentences first get their lines, then as many
// faults as there is room for.
func (t *terminal) suiteScreen(r Report, s eval.SuiteSummary) []string {
	if s.FaultMatrix {
		return t.matrix(r, s)
	}
	top := []string{t.title(r.Summary.Partial, s)}
	end := t.example(r, s)
	found, rows := finding.Findings(s), finding.Hits(s)
	cells, more := chosen(s, found, t.variantRows(found, len(rows), len(end)))
	if len(cells) > 0 {
		table := fitted(s, cells, t.width)
		top = append(append(top, ""), t.marked(t.draw(table), cells)...)
		if more > 0 {
			top = append(top, "and "+counted(int64(more), "more variant")+" (-v)")
		}
	}
	if len(cells) > 0 {
		top = append(top, t.legend(s, cells)...)
	}
	if more > 0 {
		found = about(found, cells)
	}
	left := suiteLines - len(top) - len(end)
	said := t.sentences(found, left, len(rows))
	if len(said) > 0 {
		left -= 1 + len(said)
	}
	if faults := t.faults(s, rows, left-1); len(faults) > 0 {
		top = append(append(top, ""), faults...)
	}
	if len(said) > 0 {
		top = append(append(top, ""), said...)
	}
	return append(top, end...)
}

// marked adds to a table of variants which of them are baseline models.
func (t *terminal) marked(rows []string, cells []eval.ConditionSummary) []string {
	var names []string
	last := 0
	for i, c := range cells {
		if c.BaselineModel {
			names, last = append(names, named(c.Name)), i
		}
	}
	switch len(names) {
	case 0, len(cells):
		return rows
	case 1:
		return slices.Insert(rows, last+2, t.paint("  baseline model", faint)) // the first row is the heads
	}
	return append(rows, t.paint(shorten("  baseline models: "+strings.Join(names, ", "), t.width), faint))
}

// legend explains the signs of a table of variants in one line.
func (t *terminal) legend(s eval.SuiteSummary, cells []eval.ConditionSummary) []string {
	first := finding.BaselineVariant(s)
	var even, same, changed, unadjusted bool
	for _, c := range cells {
		d, ok := finding.Difference(s, c.Name, first)
		if !ok || c.Name == first {
			continue
		}
		even, same = even || d.State == eval.NotSignificant, same || d.State == eval.Identical
		changed = changed || d.Fixed+d.Broken > 0
		unadjusted = unadjusted || isUnadjusted(d)
	}
	var parts []string
	if even {
		parts = append(parts, "~ no significant difference")
	}
	if unadjusted {
		parts = append(parts, unadjustedIntervals)
	}
	if same {
		parts = append(parts, "= identical decisions")
	}
	if changed && fitted(s, cells, t.width).has(fixedBroken) {
		parts = append(parts, fixedBroken+": cases that only this variant, or only "+shorten(named(first), longestAgainst)+", gets right")
	}
	if changed && fitted(s, cells, t.width).has(moreLessRight) {
		parts = append(parts, moreLessRight+": cases that are right in more, or fewer, epochs than with "+shorten(named(first), longestAgainst))
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

// unadjustedIntervals explains a "~" beside an interval without 0.
const unadjustedIntervals = "intervals are not adjusted for multiple comparisons"

// isUnadjusted reports whether a difference is not significant although its interval is
// without 0.
func isUnadjusted(d eval.Difference) bool {
	c := d.Accuracy
	return d.State == eval.NotSignificant && known(c.Lo) && known(c.Hi) && *c.Lo**c.Hi > 0
}

// variantRows is how many variants there is room for beside the title, the sentences
// that do not give way, some faults, and the lines at the end.
func (t *terminal) variantRows(found []finding.Sentence, faults, end int) int {
	left := suiteLines - 4 - end // the title, a blank, the heads and the legend
	least := min(len(found), leastFindings)
	for _, f := range slices.Concat(found[:least], warningsOf(found[least:])) {
		left -= len(t.prose(f))
	}
	if len(found) > 0 {
		left--
	}
	if faults > 0 {
		left -= leastFaults(faults)
	}
	return max(left, leastVariants)
}

// leastFaults are the lines that some faults take: a blank, the heads, and the rows
// or what is folded.
func leastFaults(rows int) int { return 1 + 1 + min(rows, leastRows+1) }

// sentences are as many as leave room for some faults, and two at least as long
// as there is room for these. Warnings are never left out.
func (t *terminal) sentences(found []finding.Sentence, left, rows int) (lines []string) {
	faults := 0
	if rows > 0 {
		faults = leastFaults(rows)
	}
	for n := min(len(found), mostFindings); ; n-- {
		lines = nil
		for _, f := range slices.Concat(found[:n], warningsOf(found[n:])) {
			lines = append(lines, t.prose(f)...)
		}
		if room := left - 1 - len(lines); n == 0 || room >= faults || n <= leastFindings && room >= 0 {
			return lines
		}
	}
}

func warningsOf(found []finding.Sentence) []finding.Sentence {
	return slices.DeleteFunc(slices.Clone(found), func(f finding.Sentence) bool { return !f.IsWarning() })
}

// faults has a row for each fault that there is room for, and a line for the others.
func (t *terminal) faults(s eval.SuiteSummary, rows []finding.FaultEffect, room int) []string {
	one := !slices.ContainsFunc(rows, func(h finding.FaultEffect) bool { return h.Variant != rows[0].Variant })
	n := len(rows)
	if n > room-1 {
		n = max(room-2, 0)
	}
	var lines []string
	if n > 0 {
		lines = t.draw(faultTable(s, rows[:n], one, t.width).fit(t.width))
	}
	if n < len(rows) && room > 0 {
		lines = append(lines, others(rows[n:], one, t.width))
	}
	if l := legendOf(rows[:n]); l != "" && len(lines) > 0 && len(lines) < room {
		lines = append(lines, t.paint(shorten(l, t.width), faint))
	}
	return lines
}

// legendOf explains the suffixes of faults.
func legendOf(rows []finding.FaultEffect) string {
	var parts []string
	for _, sign := range []struct{ sign, meaning string }{
		{"@", "@N: only call N of a trial fails"},
		{"%", "%P: a call fails with probability P %"},
	} {
		if slices.ContainsFunc(rows, func(h finding.FaultEffect) bool {
			return slices.ContainsFunc(h.Conditions, func(c eval.ConditionSummary) bool { return strings.Contains(c.Fault, sign.sign) })
		}) {
			parts = append(parts, sign.meaning)
		}
	}
	return strings.Join(parts, " · ")
}

// example is the command that shows a case.
func (t *terminal) example(r Report, s eval.SuiteSummary) (lines []string) {
	id, variant := finding.Example(s)
	if r.Dir == "" || variant == "" {
		return nil
	}
	for _, l := range command("show a case   ", showCommand(r.Dir, id, variant), t.width) {
		lines = append(lines, t.paint(l, faint))
	}
	return lines
}
