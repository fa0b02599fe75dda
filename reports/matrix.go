package reports

import (
	"cmp"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
)

// matrixRows is how many rows of a matrix a screen shows of a suite, the worst first.
const matrixRows = 14

// matrixTable is the table of what became of what faults struck.
func matrixTable(rows []finding.FaultEffect, width int) lanes {
	one := !slices.ContainsFunc(rows, func(h finding.FaultEffect) bool { return h.Variant != rows[0].Variant })
	head := "fault"
	if one {
		head = shorten(named(rows[0].Variant), nameRoom(width)) + " with a fault"
	}
	column := func(show func(finding.FaultEffect) tableCell) []tableCell {
		list := make([]tableCell, len(rows))
		for i, h := range rows {
			list[i] = show(h)
		}
		return list
	}
	return lanes{
		{head: head, fields: column(func(h finding.FaultEffect) tableCell {
			return tableCell{text: hitName(h, one, max(nameRoom(width), columnsOf(head)))}
		})},
		{head: "affected", right: true, fields: column(struckField)},
		{head: "expected outcome", right: true, fields: column(correctField)},
		{head: "by", rank: 6, fields: column(groundField)},
		{head: "answered", right: true, rank: 3, fields: column(answeredField)},
		{head: "misrouted", right: true, rank: 4, fields: column(misroutedField)},
		{head: "p95 change", right: true, rank: 5, fields: column(addedField("fault.added_p95", number.Time))},
		{head: "+calls", right: true, rank: 2, fields: column(addedField("fault.added_calls", number.Mean))},
		{head: "+tokens", right: true, rank: 1, fields: column(addedField("fault.added_tokens", number.Round))},
	}
}

func struckField(h finding.FaultEffect) tableCell {
	e := h.Conditions[0].Metrics["fault.affected"]
	if h.State() == finding.NotTriggered {
		return tableCell{text: "0", tone: warn}
	}
	if h.IsWeak() {
		return tableCell{text: finding.Counts(e) + weakMark, tone: warn}
	}
	return tableCell{text: finding.Counts(e)}
}

// weakMark stands behind what is of too few trials.
const weakMark = " (few)"

// groundField says who has laid down what is correct.
func groundField(h finding.FaultEffect) tableCell {
	switch {
	case h.State() == finding.Unspecified:
		return tableCell{}
	case h.Conditions[0].OurDecision:
		return tableCell{text: "our decision", tone: faint}
	}
	return tableCell{text: "specification"}
}

func correctField(h finding.FaultEffect) tableCell {
	switch h.State() {
	case finding.NotTriggered:
		return tableCell{text: "not triggered", tone: warn}
	case finding.Unspecified:
		return tableCell{text: "unspecified", tone: faint}
	case finding.Unexpected:
		return tableCell{text: grouped(finding.Count(h.Conditions[0].Metrics[eval.FaultCorrectScore])) + " of " + grouped(finding.ScorableTrials(h.Conditions[0])), tone: bad}
	case finding.PartlyUnspecified:
		return tableCell{text: finding.Counts(h.Conditions[0].Metrics[eval.FaultCorrectScore]), tone: warn}
	}
	return tableCell{text: finding.Counts(h.Conditions[0].Metrics[eval.FaultCorrectScore]), tone: good}
}

func answeredField(h finding.FaultEffect) tableCell {
	e := h.Conditions[0].Metrics["fault.recovered"]
	if !known(e.Value) {
		return tableCell{}
	}
	return tableCell{text: grouped(finding.Count(e))}
}

func misroutedField(h finding.FaultEffect) tableCell {
	n := finding.Count(h.Conditions[0].Metrics["fault.misrouted"])
	return tableCell{text: some(n), tone: warn}
}

// addedField shows what was added, from the least to the most; nothing where it is
// nothing.
func addedField(metric string, show func(float64) string) func(finding.FaultEffect) tableCell {
	return func(h finding.FaultEffect) tableCell {
		lo, hi, ok := h.Range(metric)
		if !ok || lo == 0 && hi == 0 {
			return tableCell{}
		}
		text := added(lo, show)
		if end := added(hi, show); end != text {
			text += "…" + end
		}
		return tableCell{text: text}
	}
}

func added(v float64, show func(float64) string) string {
	if v < 0 {
		return "−" + show(-v)
	}
	return show(v)
}

// matrix is what a screen shows of the fault matrix.
func (t *terminal) matrix(r Report, s eval.SuiteSummary) []string {
	rows := finding.Matrix(s)
	lines := []string{t.title(r.Summary.Partial, s)}
	if len(rows) > 0 {
		shown := rows[:min(len(rows), matrixRows)]
		lines = append(append(lines, ""), t.draw(matrixTable(shown, t.width).fit(t.width))...)
		if more := rows[len(shown):]; len(more) > 0 {
			lines = append(lines, shorten("and "+counted(int64(len(more)), "more row")+areNoWorse(more), t.width))
		}
	}
	return append(append(lines, t.tally(s)...), t.example(r, s)...)
}

// tally closes a matrix, or several.
func (t *terminal) tally(suites ...eval.SuiteSummary) (list []string) {
	for _, l := range matrixTally(suites...) {
		list = append(list, t.paint(shorten(cmp.Or(l.mark, " ")+" "+l.text, t.width), l.tone))
	}
	return list
}

// areNoWorse says of rows that are not shown what they came to: the first are the worst.
func areNoWorse(rows []finding.FaultEffect) string {
	if rows[0].State() == finding.AsExpected {
		return ", all as expected"
	}
	return "; -v shows all"
}

// matrixTally counts the cells of suites by what they came to: what never fired is not
// passed, and what nobody knows is not correct. Then it says how far that carries.
func matrixTally(suites ...eval.SuiteSummary) []line {
	t := finding.TallyOf(suites...)
	if t.Conditions == 0 {
		return nil
	}
	parts := []string{counted(t.Conditions, "condition"), grouped(t.States[finding.AsExpected]) + " all as expected"}
	if n := t.States[finding.PartlyUnspecified]; n > 0 {
		parts = append(parts, grouped(n)+" partly unspecified")
	}
	parts = append(parts, grouped(t.States[finding.Unexpected])+" unexpected", grouped(t.States[finding.NotTriggered])+" not triggered")
	if n := t.States[finding.Unspecified]; n > 0 {
		parts = append(parts, grouped(n)+" without an expected outcome")
	}
	parts = append(parts, counted(t.Misrouted, "misrouted trial"))
	first := line{text: strings.Join(parts, ", "), tone: good, mark: "✓"}
	switch {
	case t.States[finding.Unexpected] > 0:
		first.tone, first.mark = bad, "✗"
	case t.States[finding.NotTriggered]+t.States[finding.PartlyUnspecified] > 0:
		first.tone, first.mark = warn, "!"
	}
	grounds := "outcome by specification: " + grouped(t.Judged-t.Settled) + ", by our decision: " + grouped(t.Settled)
	if t.Weak > 0 {
		grounds += "; " + counted(t.Weak, "condition") + " with fewer than 3 affected trials"
	}
	return []line{first, {text: grounds}}
}

// matrixBlocks are the matrix of a suite, folded as on a screen, or cell by cell.
func matrixBlocks(s eval.SuiteSummary, folded bool) []block {
	rows := finding.Matrix(s)
	if !folded {
		rows = finding.Single(rows)
	}
	if len(rows) == 0 {
		return nil
	}
	return []block{{lines: append(matrixTally(s), line{text: matrixLegend}), grid: matrixTable(rows, unlimited).fit(unlimited).grid()}}
}

const matrixLegend = "affected: trials in which the fault was triggered. expected outcome: affected trials that end as specified, or as we decided where nothing is specified. " +
	"answered: without an error reply. misrouted: another route answered. Changes are relative to the same cases without the fault."
