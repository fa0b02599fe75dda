package reports

import "evalctl/eval"

// critics shows the Critic loops of a suite's cells: how turns end, and what
// each round is worth and costs. Nothing where there is no critic.
func critics(s []eval.CellSummary) []block {
	ends := grid{keys: 2, columns: []column{{head: "variant"}, {head: "fault"}, {head: "passed"}, {head: "loops"}, {head: "exhausted"},
		{head: "gain per loop"}, {head: "false accept"}, {head: "false reject"}, {head: "oscillating"}}}
	rounds := grid{keys: 2, columns: []column{{head: "variant"}, {head: "loop", right: true}, {head: "reached", right: true},
		{head: "passed"}, {head: "exhausted", right: true}, {head: "mean score"}, {head: "gain"}, {head: "added ms", right: true},
		{head: "added calls", right: true}, {head: "added tokens", right: true}}}
	for i, c := range s {
		if len(c.Loops) == 0 {
			continue
		}
		ends.rows = append(ends.rows, end(c))
		ends.narrow = append(ends.narrow, shortKey(s, i))
		for _, l := range c.Loops {
			rounds.rows = append(rounds.rows, roundRow(c, l))
			rounds.narrow = append(rounds.narrow, title(c)+" #"+grouped(int64(l.Loop)))
		}
	}
	if len(ends.rows) == 0 {
		return nil
	}
	return []block{{level: 3, heading: "Critic loops", grid: ends}, {grid: rounds}}
}

func end(c eval.CellSummary) []cell {
	of := func(name string) eval.Estimate { return c.Metrics["critic."+name] }
	return []cell{{text: c.Name}, {text: fault(c)}, {text: rate(of("pass_rate"))}, {text: mean(of("loops_mean"))},
		{text: rate(of("exhausted_rate"))}, {text: score(of("gain_per_loop"))}, {text: rate(of("false_accept"))},
		{text: rate(of("false_reject"))}, {text: rate(of("oscillation_rate"))}}
}

func roundRow(c eval.CellSummary, l eval.LoopSummary) []cell {
	return []cell{{text: title(c)}, {text: grouped(int64(l.Loop))}, {text: grouped(l.Reached)}, {text: rate(l.Passed)},
		{text: grouped(l.Exhausted)}, {text: score(l.Score)}, {text: score(l.Gain)}, {text: millis(l.AddedMillis)},
		{text: mean(l.AddedCalls)}, {text: mean(l.AddedTokens)}}
}
