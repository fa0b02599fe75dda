package metric_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
)

var _ = It("the token total has no value if the tokens of a call are unreported", func() {
	known, unknown := row("a"), row("b")
	known.Tokens, unknown.Tokens = eval.Tokens{In: 10, Out: 5}, eval.Tokens{In: 10, Out: 5, UnreportedCalls: 1}
	Expect(of(known).Metrics["tokens.in_total"].Value).To(HaveValue(Equal(10.0)))
	for _, name := range []string{"tokens.in_total", "tokens.out_total"} {
		m := of(known, unknown).Metrics[name]
		Expect(m.Value).To(BeNil())
		Expect([]int64{m.N, m.Missing}).To(Equal([]int64{1, 1}))
	}
})

var _ = It("the cost has no total if a trial has no price, and counts the trial as missing",
	Label("definition"), func() {
		priced, unpriced := row("a"), row("b")
		priced.Cost = new(0.25)
		Expect(of(priced).Metrics["cost.total_usd"]).To(Equal(eval.Estimate{Value: new(0.25), N: 1}))
		Expect(of(priced, unpriced).Metrics["cost.total_usd"]).To(Equal(eval.Estimate{N: 1, Missing: 1}))
	})

var _ = It("15.23: tokens and cost have means per trial, which do not grow with the number of cases",
	Label("definition"), func() {
		cost := func(id string, usd *float64, in, out int64) eval.Result {
			r := row(id)
			r.Cost, r.Tokens = usd, eval.Tokens{In: in, Out: out}
			return r
		}
		two := []eval.Result{cost("a", new(0.25), 10, 2), cost("b", new(0.75), 30, 4)}
		m := of(two...).Metrics
		Expect([]float64{*m["cost.total_usd"].Value, *m["tokens.in_total"].Value, *m["tokens.out_total"].Value}).
			To(Equal([]float64{1, 40, 6}))
		Expect([]float64{*m["cost.usd_per_1000"].Value, *m["tokens.in_mean"].Value, *m["tokens.out_mean"].Value}).
			To(Equal([]float64{500, 20, 3}))
		// Student's t with one degree of freedom: 20 ± 12.7062·10, limited to values from 0.
		Expect([]float64{*m["tokens.in_mean"].Lo, *m["tokens.in_mean"].Hi}).
			To(HaveExactElements(BeZero(), BeNumerically("~", 147.062, 1e-3)))
		four := of(append(two, cost("c", new(0.25), 10, 2), cost("d", new(0.75), 30, 4))...).Metrics
		Expect(*four["cost.total_usd"].Value).To(Equal(2.0))
		Expect(*four["cost.usd_per_1000"].Value).To(Equal(500.0))

		unknown := cost("c", nil, 0, 0)
		unknown.Tokens.UnreportedCalls = 1
		m = of(append(two, unknown)...).Metrics
		for _, name := range []string{"cost.usd_per_1000", "tokens.in_mean", "tokens.out_mean"} {
			Expect([]int64{m[name].N, m[name].Missing}).To(Equal([]int64{2, 1}), name)
		}
		thrice := epochsOf(2, cost("a", new(0.25), 1, 1), cost("a", new(0.75), 1, 1)).Metrics["cost.usd_per_1000"]
		Expect([]any{*thrice.Value, thrice.N, thrice.Cases}).To(Equal([]any{500.0, int64(2), int64(1)}))
	})

var _ = It("a trial that failed without usage is missing in the means of tokens and cost, and not zero", func() {
	answered, failed, partly := row("a"), row("b"), row("c")
	answered.Tokens, answered.Cost = eval.Tokens{In: 30, Out: 4}, new(0.75)
	failed.Error, failed.Cost = &eval.Error{Kind: eval.TimeoutError}, new(0.0)
	partly.Error, partly.Tokens, partly.Cost = failed.Error, eval.Tokens{In: 10, Out: 2}, new(0.25)
	m := of(answered, failed, partly).Metrics
	for name, mean := range map[string]float64{"tokens.in_mean": 20, "tokens.out_mean": 3, "cost.usd_per_1000": 500} {
		Expect(m[name].Value).To(HaveValue(Equal(mean)), name)
		Expect([]int64{m[name].N, m[name].Missing}).To(Equal([]int64{2, 1}), name)
	}
	for name, total := range map[string]float64{"tokens.in_total": 40, "tokens.out_total": 6, "cost.total_usd": 1} {
		Expect(m[name].Value).To(HaveValue(Equal(total)), name)
		Expect(m[name].Missing).To(BeZero(), name)
	}
	free := row("d") // an agent without a model, whose scorer failed
	free.Error, free.Cost = &eval.Error{Kind: eval.ScorerError}, new(0.0)
	Expect(of(free).Metrics["tokens.in_mean"].N).To(Equal(int64(1)))
})

var _ = It("the calls and fallbacks of an external agent that does not report them are missing", func() {
	stated, unstated, stepped := row("a"), row("b"), row("c")
	stated.ExternalRequests, stated.Calls, unstated.ExternalRequests, stepped.ExternalRequests = 1, 2, 1, 1
	stepped.Fallbacks = []eval.Fallback{{From: "llm", To: "rules"}}
	m := of(stated, unstated, stepped).Metrics
	Expect(m["calls.mean"]).
		To(And(HaveField("Value", HaveValue(Equal(2.0))), HaveField("N", int64(1)), HaveField("Missing", int64(2))))
	Expect(m["fallback.rate"]).
		To(And(HaveField("Value", HaveValue(Equal(0.5))), HaveField("N", int64(2)), HaveField("Missing", int64(1))))
	Expect(of(unstated).Metrics["calls.peak"]).To(Equal(eval.Estimate{Missing: 1}))
})
