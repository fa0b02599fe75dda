package reports

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"evalctl/eval"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// criticRounds returns the score and cost of each attempt of a suite's Critic loops. It returns nil
// if no condition has a critic.
func criticRounds(conditions []eval.ConditionSummary, models []eval.ModelInfo) []document.Block {
	looping := slices.DeleteFunc(slices.Clone(conditions),
		func(c eval.ConditionSummary) bool { return len(c.LoopRounds) == 0 })
	if len(looping) == 0 {
		return nil
	}
	b := document.Block{Level: 3, Heading: "Critic loops", Table: roundGrid(looping)}
	// a critic without noise gives no random scores, so the remarks on noise do not apply
	if !slices.ContainsFunc(models, func(m eval.ModelInfo) bool { return m.Noiseless }) {
		b.Lines = remarks(looping)
	}
	return []document.Block{b}
}

// remarks returns sentences that explain the limits of the critic metrics. It skips conditions with
// a fault.
func remarks(conditions []eval.ConditionSummary) (lines []document.Line) {
	conditions = slices.DeleteFunc(slices.Clone(conditions),
		func(c eval.ConditionSummary) bool { return fault(c) != eval.NoFault })
	raw := false
	for _, c := range conditions {
		var unseen int64
		for _, l := range c.LoopRounds {
			unseen += l.LabeledImageNotShown
		}
		if unseen > 0 {
			lines = append(lines, document.Line{Text: fmt.Sprintf(
				"%s: the critic does not see the labeled images, so its judgments are not scored (%s).",
				title(c), plural(unseen, "attempt"))})
		}
		raw = raw || len(c.LoopRounds) > 1 && isKnown(c.LoopRounds[1].RawGain.Value)
	}
	if slices.ContainsFunc(conditions, finding.HasLabeledAttempts) {
		lines = append(lines, document.Line{Text: finding.DeliveredGoodNote})
	}
	if raw {
		lines = append(lines, document.Line{Text: finding.RawGainNote})
	}
	for _, c := range conditions {
		if text := trueGain(c); text != "" {
			lines = append(lines, document.Line{Text: title(c) + ": " + text})
		}
	}
	return lines
}

// trueGain formats the bounds of the true change of the score from attempt 1 to 2. They are
// corrected for regression to the mean. It returns "" if a second judgment measures this change, or
// if the bounds are unknown.
func trueGain(c eval.ConditionSummary) string {
	if len(c.LoopRounds) < 2 {
		return ""
	}
	l := c.LoopRounds[1]
	if l.Gain != nil && isKnown(l.Gain.Value) || !isKnown(l.RawGain.Value) || !isKnown(l.GainLowerBound) {
		return ""
	}
	return fmt.Sprintf("without regression to the mean, the score changes by %s to %s from attempt 1 to 2; --second-judgment measures it.",
		formatScore(*l.GainLowerBound), formatScore(*l.RawGain.Value))
}

// roundGrid returns a table with one row for each attempt of a condition's Critic loops. The
// condition's name is only in its first row.
func roundGrid(conditions []eval.ConditionSummary) document.Table {
	g := document.Table{Keys: 2, Columns: []document.Column{{Head: "variant"}, {Head: "loop", Right: true},
		{Head: "reached", Right: true}, {Head: "passed"}, {Head: "mean score"}, {Head: "raw change"},
		{Head: "adds time", Right: true}, {Head: "adds USD", Right: true}, {Head: "calls", Right: true},
		{Head: "tokens", Right: true}}}
	width := 0
	for _, c := range conditions {
		width = max(width, columnsOf(title(c)))
	}
	for _, c := range conditions {
		name := title(c)
		for _, l := range c.LoopRounds {
			loop := strconv.Itoa(l.Round)
			g.AddRow([]document.Cell{{Text: name}, {Text: loop}, {Text: thousands(l.ReachedTurns)},
				{Text: scoredRate(l.Passed)},
				{Text: scoreText(l.Score)}, {Text: scoreText(l.RawGain)}, {Text: duration(l.AddedMillis)},
				{Text: usd(l.AddedCost)},
				{Text: meanText(l.AddedCalls)}, {Text: roundedEstimate(l.AddedTokens)}})
			g.ShortKeys = append(g.ShortKeys, pad(name, width)+" #"+loop)
			name = ""
		}
	}
	return g
}

// corrections returns a table of the reasons why decisions of a supervisor (an agent that decides
// which agent acts next) were corrected, or its agent called again. It has one row for each reason
// and one column for each condition. It returns nil if there are no reasons.
func corrections(conditions []eval.ConditionSummary) []document.Block {
	g := document.Table{Keys: 1, Columns: []document.Column{{Head: "correction"}}}
	for _, c := range conditions {
		g.Columns = append(g.Columns, document.Column{Head: title(c)})
	}
	for _, of := range []struct{ family, then string }{
		{"supervisor.correction_rate.", "corrected"},
		{"supervisor.called_again_rate.", "called again"},
	} {
		for _, name := range metricsWithPrefix(of.family, conditions) {
			row := []document.Cell{{Text: strings.TrimPrefix(name, of.family) + ": " + of.then}}
			for _, c := range conditions {
				row = append(row, document.Cell{Text: rateText(c.Metrics[name])})
			}
			g.AddRow(row)
		}
	}
	if g.Rows() == 0 {
		return nil
	}
	return []document.Block{{Level: 3, Heading: "Corrections", Table: g}}
}

// metricsWithPrefix lists the metrics with a name prefix, sorted by number of trials (most first),
// then by name.
func metricsWithPrefix(prefix string, conditions []eval.ConditionSummary) []string {
	most := map[string]int64{}
	for _, c := range conditions {
		for name, e := range c.Metrics {
			if strings.HasPrefix(name, prefix) {
				most[name] = max(most[name], e.N)
			}
		}
	}
	return slices.SortedFunc(maps.Keys(most), func(a, b string) int {
		return cmp.Or(cmp.Compare(most[b], most[a]), cmp.Compare(a, b))
	})
}
