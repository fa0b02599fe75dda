package reports

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// faultsOf returns the rows of a variant.
func faultsOf(rows []finding.FaultEffect, variant string) []finding.FaultEffect {
	return slices.DeleteFunc(slices.Clone(rows), func(h finding.FaultEffect) bool { return h.Variant != variant })
}

// isOneVariant reports whether all rows have the same variant.
func isOneVariant(rows []finding.FaultEffect) bool {
	return !slices.ContainsFunc(rows, func(h finding.FaultEffect) bool { return h.Variant != rows[0].Variant })
}

// faultColumn returns the column with the names of the faults. If one is set, all rows have the same
// variant, and the head names it.
func faultColumn(rows []finding.FaultEffect, head string, one bool, width int) document.Column {
	if one {
		head = shorten(named(rows[0].Variant), nameRoom(width)) + " with a fault"
	}
	return document.Column{Head: head, Cells: each(rows, func(h finding.FaultEffect) document.Cell {
		return document.Cell{Text: faultName(h, one, max(nameRoom(width), columnsOf(head)))}
	})}
}

// faultTable returns the table that shows how injected faults change the results of a suite's
// variants. If one is set, all rows have the same variant, and the column head names it.
func faultTable(rows []finding.FaultEffect, one bool, width int) document.Table {
	return document.Table{Keys: 1, Narrow: document.ShortenNames, Columns: []document.Column{
		faultColumn(rows, "with a fault", one, width),
		{Head: "accuracy", Right: true, Cells: each(rows, func(h finding.FaultEffect) document.Cell {
			return document.Cell{Text: finding.FormatShare(h.Conditions[0].Metrics["route.accuracy"]),
				Tone: document.Strong}
		})},
		{Head: "change", Right: true, Rank: 3, Cells: each(rows, accuracyChange)},
		{Head: "fell back", Right: true, Rank: 1, Cells: each(rows, func(h finding.FaultEffect) document.Cell {
			if e := h.Conditions[0].Metrics["fallback.rate"]; isKnown(e.Value) && *e.Value > 0 {
				return document.Cell{Text: finding.FormatShare(e)}
			}
			return document.Cell{}
		})},
		{Head: "broken", Right: true, Rank: 5,
			Cells: each(rows, outcomeColumn(func(f eval.FaultOutcome) int64 { return f.NowWrong }, document.Bad))},
		{Head: "fixed", Right: true, Rank: 4,
			Cells: each(rows, outcomeColumn(func(f eval.FaultOutcome) int64 { return f.Fixed }, document.Good))},
		{Head: "error reply", Right: true, Rank: 5,
			Cells: each(rows, outcomeColumn(func(f eval.FaultOutcome) int64 { return f.NowErrorReply }, document.Bad))},
		{Head: "no score", Right: true, Rank: 6,
			Cells: each(rows, outcomeColumn(func(f eval.FaultOutcome) int64 { return f.NowUnscored }, document.Warn))},
		{Head: "p95", Right: true, Rank: 2, Cells: each(rows, func(h finding.FaultEffect) document.Cell {
			c := latencyCell(h)
			if c.Text != "" {
				c.Tail = h.AnsweredTurns()
			}
			return c
		})},
	}}
}

// outcomeColumn returns a function that formats how often an outcome, such as a broken case, occurs
// under a fault. Each trial counts once. Failures that also occur without the fault do not count.
// The chart of the HTML page uses the same rule.
func outcomeColumn(count func(eval.FaultOutcome) int64, as document.Tone) func(finding.FaultEffect) document.Cell {
	return func(h finding.FaultEffect) document.Cell {
		if h.Outcome == nil {
			return document.Cell{Text: noValue}
		}
		return document.Cell{Text: countOrEmpty(count(*h.Outcome)), Tone: as}
	}
}

// accuracyChange formats how a fault changes the accuracy. The cell has no value if most trials are
// unscored.
func accuracyChange(h finding.FaultEffect) document.Cell {
	switch points, even, ok := finding.AccuracyChange(h.Outcome, h.Conditions[0]); {
	case !ok:
		return document.Cell{Text: noValue}
	case even:
		return document.Cell{Text: "= 0"}
	default:
		return document.Cell{Text: metric.FormatPoints(points)}
	}
}

func latencyCell(h finding.FaultEffect) document.Cell {
	lo, hi, ok := h.P95Range()
	if !ok {
		return document.Cell{}
	}
	text := metric.FormatTime(hi)
	if metric.FormatTime(lo) != text {
		text = metric.TimeFormatter(hi)(lo) + "–" + text
	}
	if slices.ContainsFunc(h.Conditions, func(c eval.ConditionSummary) bool {
		return metric.IsMaximum("p95", c.Metrics["latency.p95"].N)
	}) {
		text = "max " + text
	}
	return document.Cell{Text: text}
}

// faultName names the faults of a table row: as many kinds of fault as fit the width, otherwise how
// many there are.
func faultName(h finding.FaultEffect, one bool, room int) string {
	lead := ""
	if !one {
		lead = named(h.Variant) + " "
	}
	faults, kinds := h.FaultNames(), h.FaultKinds()
	if len(faults) == 1 || len(kinds) < len(faults) {
		return shorten(lead+faults[0], room)
	}
	text := lead + h.Component() + ":"
	if list := fittingNames(kinds, room-columnsOf(text)-1); list != "" {
		return text + " " + list
	}
	return shorten(text+" "+plural(int64(len(kinds)), "kind"), room)
}

// fittingNames joins as many names as fit, followed by +N for those that do not. It returns "" if
// not even the first name fits.
func fittingNames(names []string, room int) string {
	for n := len(names); n > 0; n-- {
		text := strings.Join(names[:n], ", ")
		if n < len(names) {
			text += " +" + thousands(int64(len(names)-n))
		}
		if columnsOf(text) <= room {
			return text
		}
	}
	return ""
}

// otherFaults returns the line below a fault table that lists the faults without a row.
func otherFaults(hidden []finding.FaultEffect, one bool, width int) string {
	var names []string
	isHarmless, isUnknown := true, false
	for i, h := range hidden {
		isUnknown = isUnknown || h.Outcome == nil
		isHarmless = isHarmless && h.Outcome != nil && h.Outcome.Degraded() == 0
		for j, fault := range h.FaultNames() {
			if kinds := h.FaultKinds(); len(kinds) == len(h.Conditions) &&
				(j > 0 || i > 0 && hidden[i-1].Variant == h.Variant && hidden[i-1].Component() == h.Component()) {
				fault = kinds[j]
			} else if !one {
				fault = named(h.Variant) + " " + fault
			}
			names = append(names, fault)
		}
	}
	text := "and " + plural(int64(len(names)), "more fault")
	switch {
	case isHarmless:
		text += " that break nothing"
	case !isUnknown:
		text += " with less effect"
	}
	if list := fittingNames(names, width-columnsOf(text)-2); list != "" {
		text += ": " + list
	}
	return shorten(text, width)
}

// matrixRows is the maximum number of rows of a fault matrix in a terminal. The worst results come
// first.
const matrixRows = 14

// matrixTable returns the fault matrix: one row for each fault, with the outcomes of the trials in
// which the fault was triggered.
func matrixTable(rows []finding.FaultEffect, width int) document.Table {
	return document.Table{Keys: 1, Narrow: document.ShortenNames, Columns: []document.Column{
		faultColumn(rows, "fault", isOneVariant(rows), width),
		{Head: "affected", Right: true, Cells: each(rows, affectedCell)},
		{Head: "expected outcome", Right: true, Cells: each(rows, expectedOutcomeCell)},
		{Head: "by", Rank: 6, Cells: each(rows, outcomeSourceCell)},
		{Head: "answered", Right: true, Rank: 3, Cells: each(rows, answeredCell)},
		{Head: "misrouted", Right: true, Rank: 4, Cells: each(rows, misroutedCell)},
		{Head: "p95 change", Right: true, Rank: 5, Cells: each(rows, increaseCell("fault.added_p95", metric.FormatTime))},
		{Head: "+calls", Right: true, Rank: 2, Cells: each(rows, increaseCell("fault.added_calls", metric.FormatMean))},
		{Head: "+tokens", Right: true, Rank: 1,
			Cells: each(rows, increaseCell("fault.added_tokens", metric.FormatRounded))},
	}}
}

func affectedCell(h finding.FaultEffect) document.Cell {
	e := h.Conditions[0].Metrics["fault.affected"]
	if h.State() == finding.NotTriggered {
		return document.Cell{Text: "0", Tone: document.Warn}
	}
	if h.AffectsFewTrials() {
		return document.Cell{Text: finding.FormatCounts(e) + fewMark, Tone: document.Warn}
	}
	return document.Cell{Text: finding.FormatCounts(e)}
}

// fewMark marks a row with too few affected trials for a reliable result.
const fewMark = " (few)"

// outcomeSourceCell states whether the expected outcome under a fault comes from the specification
// or is our decision.
func outcomeSourceCell(h finding.FaultEffect) document.Cell {
	switch {
	case h.State() == finding.Unspecified:
		return document.Cell{}
	case h.Conditions[0].OurDecision:
		return document.Cell{Text: "our decision", Tone: document.Faint}
	}
	return document.Cell{Text: "specification"}
}

func expectedOutcomeCell(h finding.FaultEffect) document.Cell {
	switch h.State() {
	case finding.NotTriggered:
		return document.Cell{Text: "not triggered", Tone: document.Warn}
	case finding.Unspecified:
		return document.Cell{Text: "unspecified", Tone: document.Faint}
	case finding.Unexpected:
		return document.Cell{Text: thousands(
			finding.Numerator(h.Conditions[0].Metrics[eval.FaultCorrectScore])) + " of " +
			thousands(finding.ScorableTrials(h.Conditions[0])), Tone: document.Bad}
	}
	c := document.Cell{
		Text: finding.FormatCounts(h.Conditions[0].Metrics[eval.FaultCorrectScore]),
		Tone: document.Good,
	}
	if h.State() == finding.PartlyUnspecified {
		c.Tone = document.Warn
	}
	return c
}

func answeredCell(h finding.FaultEffect) document.Cell {
	e := h.Conditions[0].Metrics["fault.recovered"]
	if !isKnown(e.Value) {
		return document.Cell{}
	}
	return document.Cell{Text: thousands(finding.Numerator(e))}
}

func misroutedCell(h finding.FaultEffect) document.Cell {
	n := finding.Numerator(h.Conditions[0].Metrics["fault.misrouted"])
	return document.Cell{Text: countOrEmpty(n), Tone: document.Warn}
}

// increaseCell returns a function that formats the increase of a metric under a fault. It is a
// range over the conditions of a row. The cell is empty if the increase is 0.
func increaseCell(metric string, show func(float64) string) func(finding.FaultEffect) document.Cell {
	return func(h finding.FaultEffect) document.Cell {
		lo, hi, ok := h.MetricRange(metric)
		if !ok || lo == 0 && hi == 0 {
			return document.Cell{}
		}
		text := signedValue(lo, show)
		if end := signedValue(hi, show); end != text {
			text += "…" + end
		}
		return document.Cell{Text: text}
	}
}

func signedValue(v float64, show func(float64) string) string {
	if v < 0 {
		return "−" + show(-v)
	}
	return show(v)
}

// matrixScreen returns a suite's fault matrix for the terminal.
func matrixScreen(r Report, s eval.SuiteSummary, width int) []document.Block {
	rows := finding.FaultMatrixRows(s)
	b := document.Block{Lines: []document.Line{suiteTitle(r.Summary.Partial, s, width)}, Next: example(r, s)}
	if len(rows) > 0 {
		shown := rows[:min(len(rows), matrixRows)]
		b.Table = matrixTable(shown, width)
		if more := rows[len(shown):]; len(more) > 0 {
			b.Notes = append(b.Notes,
				document.Line{Text: shorten("and "+plural(int64(len(more)), "more row")+hiddenRowsText(more), width)})
		}
	}
	b.Notes = append(b.Notes, matrixSummary(s)...)
	return []document.Block{b}
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
func matrixSummary(suites ...eval.SuiteSummary) []document.Line {
	t := finding.CountMatrix(suites...)
	if t.Conditions == 0 {
		return nil
	}
	text := fmt.Sprintf("All %s end as expected", plural(t.Conditions, "condition"))
	if asExpected := t.States[finding.AsExpected]; asExpected < t.Conditions {
		text = fmt.Sprintf("%s of %s as expected", thousands(asExpected), plural(t.Conditions, "condition"))
		for _, other := range []struct {
			state finding.MatrixState
			text  string
		}{
			{finding.PartlyUnspecified, "partly unspecified"}, {finding.Unexpected, "unexpected"},
			{finding.NotTriggered, "not triggered"}, {finding.Unspecified, "without an expected outcome"},
		} {
			if n := t.States[other.state]; n > 0 {
				text += ", " + thousands(n) + " " + other.text
			}
		}
	}
	text += "; " + plural(t.MisroutedTrials, "misrouted trial")
	first := document.Line{Text: text, Tone: document.Good, Mark: "✓"}
	switch {
	case t.States[finding.Unexpected] > 0:
		first.Tone, first.Mark = document.Bad, "✗"
	case t.States[finding.NotTriggered]+t.States[finding.PartlyUnspecified] > 0:
		first.Tone, first.Mark = document.Warn, "!"
	}
	sources := "expected by specification: " + thousands(t.ScoredConditions-t.OurDecisions) + ", by our decision: " +
		thousands(t.OurDecisions)
	if t.FewAffected > 0 {
		sources += "; " + plural(t.FewAffected, "condition") + " with fewer than 3 affected trials"
	}
	return []document.Line{first, {Indent: 2, Text: sources}}
}

// matrixBlocks returns the fault matrix of a suite. With folded, similar conditions share a row, as
// in a terminal; otherwise each condition has its own row.
func matrixBlocks(s eval.SuiteSummary, folded bool) []document.Block {
	rows := finding.FaultMatrixRows(s)
	if !folded {
		rows = finding.SplitRows(s, rows)
	}
	if len(rows) == 0 {
		return nil
	}
	return []document.Block{{Lines: append(matrixSummary(s), document.Line{Text: matrixLegend}),
		Table: matrixTable(rows, document.Unlimited)}}
}

const matrixLegend = "affected: trials in which the fault was triggered. expected outcome: affected trials that end as specified, or as we decided where nothing is specified. " +
	"answered: without an error reply. misrouted: an unexpected route answered, but not without the fault. Changes are relative to the same cases without the fault."
