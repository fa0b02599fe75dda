package reports

import (
	"fmt"
	"slices"
	"strconv"

	"evalctl/eval"
	"evalctl/reports/finding"
)

// critics shows the Critic loops of a suite's cells: how turns end, and what
// each round is worth and costs. Nothing where there is no critic.
func critics(cells []eval.ConditionSummary, models []eval.ModelNote) []block {
	ends := grid{keys: 1, columns: []column{{head: "variant"}}}
	var looping []eval.ConditionSummary
	for _, c := range cells {
		if len(c.Loops) > 0 {
			looping = append(looping, c)
			ends.rows = append(ends.rows, []cell{{text: title(c)}})
		}
	}
	if looping == nil {
		return nil
	}
	ends.add(turns(), looping)
	var said []line
	if !slices.ContainsFunc(models, func(m eval.ModelNote) bool { return m.Noiseless }) { // scores without noise gain nothing by chance
		said = remarks(looping)
	}
	return []block{{level: 3, heading: "Critic loops", lines: said, grid: ends}, {grid: rounds(looping)}}
}

// remarks say what a variant's figures of the critic are not; under its faults
// they are no more.
func remarks(cells []eval.ConditionSummary) (lines []line) {
	cells = slices.DeleteFunc(slices.Clone(cells), func(c eval.ConditionSummary) bool { return fault(c) != eval.NoFault })
	raw := false
	for _, c := range cells {
		var unseen int64
		for _, l := range c.Loops {
			unseen += l.LabelNotShown
		}
		if unseen > 0 {
			lines = append(lines, line{text: fmt.Sprintf("%s: the critic does not see the labeled images, so its judgments are not scored (%s).",
				title(c), counted(unseen, "attempt"))})
		}
		raw = raw || len(c.Loops) > 1 && known(c.Loops[1].RawGain.Value)
	}
	if slices.ContainsFunc(cells, finding.HasLabels) {
		lines = append(lines, line{text: finding.Deciding})
	}
	if raw {
		lines = append(lines, line{text: finding.Regression})
	}
	for _, c := range cells {
		if text := trueGain(c); text != "" {
			lines = append(lines, line{text: title(c) + ": " + text})
		}
	}
	return lines
}

// trueGain returns the bounds of the change of score from attempt 1 to 2 without
// regression to the mean, where there is no second judgment to measure it by; else "".
func trueGain(c eval.ConditionSummary) string {
	if len(c.Loops) < 2 {
		return ""
	}
	l := c.Loops[1]
	if l.Gain != nil && known(l.Gain.Value) || !known(l.RawGain.Value) || !known(l.GainLowerBound) {
		return ""
	}
	return fmt.Sprintf("without regression to the mean, the score changes by %s to %s from attempt 1 to 2; --second-judgment measures it.",
		three(*l.GainLowerBound), three(*l.RawGain.Value))
}

// turns are the figures of whole loops: first what users get, then what the critic
// does, then its own score.
func turns() []figure {
	return []figure{
		{head: "first attempt good", show: metric("critic.first_attempt_good", judged), wanted: measured("critic.first_attempt_good")},
		{head: "delivered good", show: metric("critic.delivered_good", judged), wanted: measured("critic.delivered_good")},
		{head: "difference, points", show: metric("critic.good_gain", inPoints), wanted: measured("critic.good_gain")},
		{head: "passed", show: metric("critic.pass_rate", judged)},
		{head: "exhausted", show: metric("critic.exhausted_rate", rate)},
		{head: "loops", show: metric("critic.loops_mean", mean)},
		{head: "false accept", show: metric("critic.false_accept", rate), wanted: measured("critic.false_accept")},
		{head: "false reject", show: metric("critic.false_reject", rate), wanted: measured("critic.false_reject")},
		{head: "oscillating", show: metric("critic.oscillation_rate", rate), wanted: measured("critic.oscillation_rate")},
		{head: "net gain", show: metric("critic.gain_per_loop", score), wanted: measured("critic.gain_per_loop")},
		{head: "raw gain", show: metric("critic.raw_gain_per_loop", score), wanted: measured("critic.raw_gain_per_loop")},
	}
}

// rounds has a row for each round of a cell's loops; the first bears the name.
func rounds(cells []eval.ConditionSummary) grid {
	g := grid{keys: 2, columns: []column{{head: "variant"}, {head: "loop", right: true},
		{head: "reached", right: true}, {head: "passed"}, {head: "mean score"}, {head: "raw change"},
		{head: "adds time", right: true}, {head: "adds USD", right: true}, {head: "calls", right: true}, {head: "tokens", right: true}}}
	width := 0
	for _, c := range cells {
		width = max(width, columnsOf(title(c)))
	}
	for _, c := range cells {
		name := title(c)
		for _, l := range c.Loops {
			loop := strconv.Itoa(l.Loop)
			g.rows = append(g.rows, []cell{{text: name}, {text: loop}, {text: grouped(l.Reached)}, {text: judged(l.Passed)},
				{text: score(l.Score)}, {text: score(l.RawGain)}, {text: duration(l.AddedMillis)}, {text: usd(l.AddedCost)},
				{text: mean(l.AddedCalls)}, {text: whole(l.AddedTokens)}})
			g.narrow = append(g.narrow, pad(name, width, false)+" #"+loop)
			name = ""
		}
	}
	return g
}
