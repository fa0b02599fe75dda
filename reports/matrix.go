package reports

import (
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
)

// matrixRows is the maximum number of rows of a fault matrix in a terminal. The worst results come
// first.
const matrixRows = 14

// matrixTable returns the fault matrix: one row for each fault, with the outcomes of the trials in
// which the fault was triggered.
func matrixTable(rows []finding.FaultEffect, width int) grid {
	one := !slices.ContainsFunc(rows, func(h finding.FaultEffect) bool { return h.Variant != rows[0].Variant })
	head := "fault"
	if one {
		head = shorten(named(rows[0].Variant), nameRoom(width)) + " with a fault"
	}
	each := func(show func(finding.FaultEffect) cell) []cell {
		list := make([]cell, len(rows))
		for i, h := range rows {
			list[i] = show(h)
		}
		return list
	}
	return grid{keys: 1, narrow: shortenNames, columns: []column{
		{head: head, cells: each(func(h finding.FaultEffect) cell {
			return cell{text: faultName(h, one, max(nameRoom(width), columnsOf(head)))}
		})},
		{head: "affected", right: true, cells: each(affectedCell)},
		{head: "expected outcome", right: true, cells: each(expectedOutcomeCell)},
		{head: "by", rank: 6, cells: each(outcomeSourceCell)},
		{head: "answered", right: true, rank: 3, cells: each(answeredCell)},
		{head: "misrouted", right: true, rank: 4, cells: each(misroutedCell)},
		{head: "p95 change", right: true, rank: 5, cells: each(increaseCell("fault.added_p95", number.Time))},
		{head: "+calls", right: true, rank: 2, cells: each(increaseCell("fault.added_calls", number.Mean))},
		{head: "+tokens", right: true, rank: 1,
			cells: each(increaseCell("fault.added_tokens", number.RoundedInteger))},
	}}
}

func affectedCell(h finding.FaultEffect) cell {
	e := h.Conditions[0].Metrics["fault.affected"]
	if h.State() == finding.NotTriggered {
		return cell{text: "0", tone: warn}
	}
	if h.AffectsFewTrials() {
		return cell{text: finding.FormatCounts(e) + fewMark, tone: warn}
	}
	return cell{text: finding.FormatCounts(e)}
}

// fewMark marks a row with too few affected trials for a reliable result.
const fewMark = " (few)"

// outcomeSourceCell states whether the expected outcome under a fault comes from the specification
// or is our decision.
func outcomeSourceCell(h finding.FaultEffect) cell {
	switch {
	case h.State() == finding.Unspecified:
		return cell{}
	case h.Conditions[0].OurDecision:
		return cell{text: "our decision", tone: faint}
	}
	return cell{text: "specification"}
}

func expectedOutcomeCell(h finding.FaultEffect) cell {
	switch h.State() {
	case finding.NotTriggered:
		return cell{text: "not triggered", tone: warn}
	case finding.Unspecified:
		return cell{text: "unspecified", tone: faint}
	case finding.Unexpected:
		return cell{text: thousands(finding.Numerator(h.Conditions[0].Metrics[eval.FaultCorrectScore])) + " of " +
			thousands(finding.ScorableTrials(h.Conditions[0])), tone: bad}
	case finding.PartlyUnspecified:
		return cell{text: finding.FormatCounts(h.Conditions[0].Metrics[eval.FaultCorrectScore]), tone: warn}
	}
	return cell{text: finding.FormatCounts(h.Conditions[0].Metrics[eval.FaultCorrectScore]), tone: good}
}

func answeredCell(h finding.FaultEffect) cell {
	e := h.Conditions[0].Metrics["fault.recovered"]
	if !isKnown(e.Value) {
		return cell{}
	}
	return cell{text: thousands(finding.Numerator(e))}
}

func misroutedCell(h finding.FaultEffect) cell {
	n := finding.Numerator(h.Conditions[0].Metrics["fault.misrouted"])
	return cell{text: countOrEmpty(n), tone: warn}
}

// increaseCell returns a function that formats the increase of a metric under a fault. It is a
// range over the conditions of a row. The cell is empty if the increase is 0.
func increaseCell(metric string, show func(float64) string) func(finding.FaultEffect) cell {
	return func(h finding.FaultEffect) cell {
		lo, hi, ok := h.MetricRange(metric)
		if !ok || lo == 0 && hi == 0 {
			return cell{}
		}
		text := signedValue(lo, show)
		if end := signedValue(hi, show); end != text {
			text += "…" + end
		}
		return cell{text: text}
	}
}

func signedValue(v float64, show func(float64) string) string {
	if v < 0 {
		return "−" + show(-v)
	}
	return show(v)
}

// matrixScreen returns a suite's fault matrix for the terminal.
func matrixScreen(r Report, s eval.SuiteSummary, width int) []block {
	rows := finding.FaultMatrixRows(s)
	b := block{lines: []line{suiteTitle(r.Summary.Partial, s, width)}, next: example(r, s)}
	if len(rows) > 0 {
		shown := rows[:min(len(rows), matrixRows)]
		b.grid = matrixTable(shown, width)
		if more := rows[len(shown):]; len(more) > 0 {
			b.notes = append(b.notes,
				line{text: shorten("and "+plural(int64(len(more)), "more row")+hiddenRowsText(more), width)})
		}
	}
	b.notes = append(b.notes, matrixSummary(s)...)
	return []block{b}
}

func hiddenRowsText(rows []finding.FaultEffect) string {
	if rows[0].State() == finding.AsExpected {
		return ", all as expected"
	}
	return "; -v shows all"
}

// matrixSummary counts the conditions of fault matrices by their state, such as "as expected".
// Faults that were not triggered do not count as passed, and conditions without an expected outcome
// do not count as correct. The second line counts where the expected outcomes come from.
func matrixSummary(suites ...eval.SuiteSummary) []line {
	t := finding.CountMatrix(suites...)
	if t.Conditions == 0 {
		return nil
	}
	parts := []string{plural(t.Conditions, "condition"), thousands(t.States[finding.AsExpected]) + " all as expected"}
	if n := t.States[finding.PartlyUnspecified]; n > 0 {
		parts = append(parts, thousands(n)+" partly unspecified")
	}
	parts = append(parts, thousands(t.States[finding.Unexpected])+" unexpected",
		thousands(t.States[finding.NotTriggered])+" not triggered")
	if n := t.States[finding.Unspecified]; n > 0 {
		parts = append(parts, thousands(n)+" without an expected outcome")
	}
	parts = append(parts, plural(t.MisroutedTrials, "misrouted trial"))
	first := line{text: strings.Join(parts, ", "), tone: good, mark: "✓"}
	switch {
	case t.States[finding.Unexpected] > 0:
		first.tone, first.mark = bad, "✗"
	case t.States[finding.NotTriggered]+t.States[finding.PartlyUnspecified] > 0:
		first.tone, first.mark = warn, "!"
	}
	sources := "outcome by specification: " + thousands(t.ScoredConditions-t.OurDecisions) + ", by our decision: " +
		thousands(t.OurDecisions)
	if t.FewAffected > 0 {
		sources += "; " + plural(t.FewAffected, "condition") + " with fewer than 3 affected trials"
	}
	return []line{first, {indent: 2, text: sources}}
}

// matrixBlocks returns the fault matrix of a suite. With folded, similar conditions share a row, as
// in a terminal; otherwise each condition has its own row.
func matrixBlocks(s eval.SuiteSummary, folded bool) []block {
	rows := finding.FaultMatrixRows(s)
	if !folded {
		rows = finding.SplitRows(rows)
	}
	if len(rows) == 0 {
		return nil
	}
	return []block{{lines: append(matrixSummary(s), line{text: matrixLegend}),
		grid: matrixTable(rows, unlimited)}}
}

const matrixLegend = "affected: trials in which the fault was triggered. expected outcome: affected trials that end as specified, or as we decided where nothing is specified. " +
	"answered: without an error reply. misrouted: another route answered. Changes are relative to the same cases without the fault."
