package metric

import "evalctl/eval"

// usage sums what the trials asked of the models.
type usage struct {
	trials    int64
	in, out   whole
	uncounted int64 // trials with a call whose tokens are not known
	calls     mean
	cached    share // of the calls: answered with what was kept of an earlier run
	cost      money
}

func (m *usage) Add(trials []eval.Result) {
	for _, r := range trials {
		m.trials++
		m.in.add(r.Tokens.In)
		m.out.add(r.Tokens.Out)
		if r.Tokens.Uncounted > 0 {
			m.uncounted++
		}
		m.cost.add(r.Cost)
		if r.IsUntold() {
			m.calls.missing++
		} else {
			m.calls.add(float64(r.Calls))
		}
		m.cached.k, m.cached.m = m.cached.k+r.Cached, m.cached.m+r.Calls+r.Asked
	}
	m.calls.endCase()
	m.cached.endCase()
}

func (m *usage) Close(into *eval.CellSummary) {
	into.Metrics["tokens.in"], into.Metrics["tokens.out"] = m.tokens(m.in), m.tokens(m.out)
	into.Metrics["cost.usd"] = m.cost.total()
	into.Metrics["calls.mean"] = m.calls.estimate()
	if m.cached.cases.K() > 0 {
		into.Metrics["cached.rate"] = m.cached.estimate()
	}
}

// tokens has no value where a trial's are not known.
func (m *usage) tokens(n whole) eval.Estimate {
	e := eval.Estimate{N: m.trials - m.uncounted, Missing: m.uncounted}
	if m.uncounted == 0 {
		v := n.float()
		e.Value = &v
	}
	return e
}
