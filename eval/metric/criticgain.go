package metric

import "evalctl/eval"

// criticGain measures how much higher the critic scores the second attempt than the first, over the
// turns that had a second attempt. These turns have a low first score, in part by chance. Compared
// with that score, the second attempt gains even if nothing improved (regression to the mean).
// Compared with a second, independent judgment of the first attempt, it does not.
//
// Source: Barnett, van der Pols & Dobson, "Regression to the mean: what it is and how to deal with
// it", International Journal of Epidemiology 34 (2005).
type criticGain struct {
	// gain over the second judgment of the first attempt (net), and over the first judgment (raw)
	net, raw                mean
	first, firstOfContinued mean // first scores of all turns, and of the turns in raw
}

func (g *criticGain) addTurn(loops []eval.LoopRound) {
	first := loops[0]
	if scoredTrial(first) {
		g.first.add(first.Score)
	}
	switch {
	case len(loops) == 1 && isFinal(first):
	case len(loops) == 1 || !scoredTrial(loops[1]):
		g.addMissing(1)
	default:
		g.firstOfContinued.add(first.Score)
		g.raw.add(loops[1].Score - first.Score)
		if s := first.SecondJudgment; s == nil || s.Score == nil {
			g.net.missing++
		} else {
			g.net.add(loops[1].Score - *s.Score)
		}
	}
}

// addMissing counts turns that have, or might have had, a second attempt without a score.
func (g *criticGain) addMissing(turns int64) {
	g.net.missing += turns
	g.raw.missing += turns
}

func (g *criticGain) endCase() { endCase(&g.net, &g.raw, &g.first, &g.firstOfContinued) }

func (g *criticGain) close(into *eval.ConditionSummary) {
	net, raw := bounded(g.net.estimate(), -1, 1), bounded(g.raw.estimate(), -1, 1)
	into.Metrics["critic.gain_per_loop"], into.Metrics["critic.raw_gain_per_loop"] = net, raw
	if len(into.LoopRounds) < 2 {
		return
	}
	l := &into.LoopRounds[1]
	l.Gain = &net
	if raw.Value != nil { // in this case, first and firstOfContinued also have values
		lowerBound := *raw.Value - (*g.first.estimate().Value - *g.firstOfContinued.estimate().Value)
		l.GainLowerBound = &lowerBound
	}
}

// secondJudgments sums the calls, tokens and cost of second judgments, which are not part of any
// turn's usage.
type secondJudgments struct {
	n, failed, calls int64
	tokens           tokens
	cost             cost
}

func (m *secondJudgments) add(s *eval.SecondJudgment) {
	if s == nil {
		return
	}
	m.n++
	if s.Score == nil {
		m.failed++
	}
	m.calls += s.Calls
	m.tokens.add(s.Tokens)
	m.cost.add(s.Cost)
}

// close adds the metrics to the condition's summary. Without second judgments it adds none.
func (m *secondJudgments) close(into *eval.ConditionSummary) {
	if m.n == 0 {
		return
	}
	calls := count(float64(m.calls), m.n)
	calls.Missing = m.failed
	into.Metrics["critic.second.calls"] = calls
	into.Metrics["critic.second.tokens"], into.Metrics["critic.second.cost"] = m.tokens.total(), m.cost.total()
}
