package metric

import (
	"math"

	"evalctl/eval"
)

// usage has what the trials asked of the models: totals, which grow with the trials, and
// means of a trial, which a gate can compare between runs of any size.
type usage struct {
	trials    int64
	in, out   bigSum
	uncounted int64 // trials with a call whose tokens are not known
	calls     mean
	cached    share // of the calls: answered with what was kept of an earlier run
	cost      cost

	inMean, outMean, perThousand mean // of a trial: tokens, and the cost of 1,000 of them
}

func (m *usage) Add(trials []eval.Result) {
	for _, r := range trials {
		m.trials++
		m.in.add(r.Tokens.In)
		m.out.add(r.Tokens.Out)
		if r.Tokens.UnreportedCalls > 0 {
			m.uncounted++
			m.inMean.missing++
			m.outMean.missing++
		} else {
			m.inMean.add(float64(r.Tokens.In))
			m.outMean.add(float64(r.Tokens.Out))
		}
		if m.cost.add(r.Cost) {
			m.perThousand.add(*r.Cost * 1000)
		} else {
			m.perThousand.missing++
		}
		if r.HasUnreportedCalls() {
			m.calls.missing++
		} else {
			m.calls.add(float64(r.Calls))
		}
		m.cached.k, m.cached.m = m.cached.k+r.CachedCalls, m.cached.m+r.Calls+r.ExternalRequests
	}
	endCase(&m.calls, &m.cached, &m.inMean, &m.outMean, &m.perThousand)
}

func (m *usage) Close(into *eval.ConditionSummary) {
	into.Metrics["tokens.in_total"], into.Metrics["tokens.out_total"] = m.tokens(m.in), m.tokens(m.out)
	into.Metrics["tokens.in_mean"], into.Metrics["tokens.out_mean"] = atLeastNone(m.inMean.estimate()), atLeastNone(m.outMean.estimate())
	into.Metrics["cost.total_usd"], into.Metrics["cost.usd_per_1000"] = m.cost.total(), atLeastNone(m.perThousand.estimate())
	into.Metrics["calls.mean"] = m.calls.estimate()
	if m.cached.cases.K() > 0 {
		into.Metrics["cached.rate"] = m.cached.estimate()
	}
}

// atLeastNone keeps the interval of a mean from going below 0.
func atLeastNone(e eval.Estimate) eval.Estimate { return bounded(e, 0, math.Inf(1)) }

// tokens has no value where a trial's are not known.
func (m *usage) tokens(n bigSum) eval.Estimate {
	e := eval.Estimate{N: m.trials - m.uncounted, Missing: m.uncounted}
	if m.uncounted == 0 {
		v := n.float()
		e.Value = &v
	}
	return e
}
