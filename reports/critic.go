package reports

import (
	"fmt"
	"slices"
	"strconv"

	"evalctl/eval"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// criticBlocks returns the tables of a suite's Critic loops: the results of whole loops, then the
// score and cost of each attempt. It returns nil if no condition has a critic.
func criticBlocks(conditions []eval.ConditionSummary, models []eval.ModelInfo) []document.Block {
	ends := document.Table{Keys: 1, Columns: []document.Column{{Head: "variant"}}}
	var looping []eval.ConditionSummary
	for _, c := range conditions {
		if len(c.LoopRounds) > 0 {
			looping = append(looping, c)
			ends.AddRow([]document.Cell{{Text: title(c)}})
		}
	}
	if looping == nil {
		return nil
	}
	addMetrics(&ends, loopColumns(), looping)
	var lines []document.Line
	// a critic without noise gives no random scores, so the remarks on noise do not apply
	if !slices.ContainsFunc(models, func(m eval.ModelInfo) bool { return m.Noiseless }) {
		lines = remarks(looping)
	}
	return []document.Block{{Level: 3, Heading: "Critic loops", Lines: lines, Table: ends}, {Table: roundGrid(looping)}}
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

// loopColumns lists the columns for whole Critic loops: how good the delivered results are, how the
// critic behaves, and how the score changes.
func loopColumns() []columnSpec {
	return []columnSpec{
		{head: "first attempt good", show: metricText("critic.first_attempt_good", scoredRate),
			applies: hasMetric("critic.first_attempt_good")},
		{head: "delivered good", show: metricText("critic.delivered_good", scoredRate),
			applies: hasMetric("critic.delivered_good")},
		{head: "difference, points", show: metricText("critic.good_gain", inPoints),
			applies: hasMetric("critic.good_gain")},
		{head: "passed", show: metricText("critic.pass_rate", scoredRate)},
		{head: "exhausted", show: metricText("critic.exhausted_rate", rateText)},
		{head: "loops", show: metricText("critic.loops_mean", meanText)},
		{head: "false accept", show: metricText("critic.false_accept", rateText),
			applies: hasMetric("critic.false_accept")},
		{head: "false reject", show: metricText("critic.false_reject", rateText),
			applies: hasMetric("critic.false_reject")},
		{head: "oscillating", show: metricText("critic.oscillation_rate", rateText),
			applies: hasMetric("critic.oscillation_rate")},
		{head: "net gain", show: metricText("critic.gain_per_loop", scoreText),
			applies: hasMetric("critic.gain_per_loop")},
		{head: "raw gain", show: metricText("critic.raw_gain_per_loop", scoreText),
			applies: hasMetric("critic.raw_gain_per_loop")},
	}
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
