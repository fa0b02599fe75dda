package metric

import (
	"evalctl/eval"
)

// usage measures the calls, tokens and cost of the trials. Totals grow with the number of trials;
// means per trial can be compared between runs of any size. A trial that failed without usage adds
// nothing to the totals and is missing in the means of tokens and cost.
type usage struct {
	trials    int64
	in, out   bigSum
	uncounted int64 // trials with a call whose tokens are unreported
	calls     mean
	cached    share // share of calls that the response cache answered
	cost      cost

	inMean, outMean, perThousand mean // means per trial: input tokens, output tokens, and cost times 1,000
}

func (m *usage) Add(trials []eval.Result) {
	for _, r := range trials {
		m.trials++
		m.in.add(r.Tokens.In)
		m.out.add(r.Tokens.Out)
		if r.Tokens.UnreportedCalls > 0 {
			m.uncounted++
		}
		if r.HasUnknownTokens() {
			m.inMean.missing++
			m.outMean.missing++
		} else {
			m.inMean.add(float64(r.Tokens.In))
			m.outMean.add(float64(r.Tokens.Out))
		}
		if m.cost.add(r.Cost) && !r.LacksUsage() {
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
	into.Metrics["tokens.in_mean"], into.Metrics["tokens.out_mean"] = atLeast(0, m.inMean.estimate()),
		atLeast(0, m.outMean.estimate())
	into.Metrics["cost.total_usd"], into.Metrics["cost.usd_per_1000"] = m.cost.total(),
		atLeast(0, m.perThousand.estimate())
	into.Metrics["calls.mean"] = atLeast(0, m.calls.estimate())
	if m.cached.cases.Successes() > 0 {
		into.Metrics["cached.rate"] = m.cached.estimate()
	}
}

// tokens returns the estimate of a sum of tokens. It has no value if the tokens of any trial are
// unreported.
func (m *usage) tokens(n bigSum) eval.Estimate {
	e := eval.Estimate{N: m.trials - m.uncounted, Missing: m.uncounted}
	if m.uncounted == 0 {
		v := n.float()
		e.Value = &v
	}
	return e
}
