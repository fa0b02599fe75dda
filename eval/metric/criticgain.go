package metric

import "evalctl/eval"

// gain is what the second attempt is worth more than the first, over the turns
// that went round. Those are the ones whose first score was low, in part by bad
// luck: held against it, the second attempt gains even where nothing is better
// (regression to the mean). Held against a second judgement of the first attempt,
// which has luck of its own, it does not.
//
// Source: Barnett, van der Pols & Dobson, «Regression to the mean: what it is and
// how to deal with it», International Journal of Epidemiology 34 (2005).
type gain struct {
	net, raw   mean // over the second judgement, over the first
	first, low mean // first scores: of all turns, of those that raw is of
}

func (g *gain) turn(loops []eval.Loop) {
	first := loops[0]
	if judged(first) {
		g.first.add(first.Score)
	}
	switch {
	case len(loops) == 1 && isOver(first):
	case len(loops) == 1 || !judged(loops[1]):
		g.miss(1)
	default:
		g.low.add(first.Score)
		g.raw.add(loops[1].Score - first.Score)
		if s := first.SecondJudgment; s == nil || s.Score == nil {
			g.net.missing++
		} else {
			g.net.add(loops[1].Score - *s.Score)
		}
	}
}

// miss counts turns that went round, or might have, and whose second score nobody
// knows.
func (g *gain) miss(turns int64) {
	g.net.missing += turns
	g.raw.missing += turns
}

func (g *gain) endCase() { endCase(&g.net, &g.raw, &g.first, &g.low) }

func (g *gain) close(into *eval.ConditionSummary) {
	net, raw := bounded(g.net.estimate(), -1, 1), bounded(g.raw.estimate(), -1, 1)
	into.Metrics["critic.gain_per_loop"], into.Metrics["critic.raw_gain_per_loop"] = net, raw
	if len(into.Loops) < 2 {
		return
	}
	l := &into.Loops[1]
	l.Gain = &net
	if raw.Value != nil { // then there are first scores of either kind
		least := *raw.Value - (*g.first.estimate().Value - *g.low.estimate().Value)
		l.GainLowerBound = &least
	}
}

// second is what second judgements took, which counts to no turn.
type second struct {
	n, failed, calls int64
	tokens           tokens
	cost             cost
}

func (m *second) add(s *eval.SecondJudgment) {
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

// close leaves out what nobody asked for.
func (m *second) close(into *eval.ConditionSummary) {
	if m.n == 0 {
		return
	}
	calls := count(float64(m.calls), m.n)
	calls.Missing = m.failed
	into.Metrics["critic.second.calls"] = calls
	into.Metrics["critic.second.tokens"], into.Metrics["critic.second.cost"] = m.tokens.total(), m.cost.total()
}
