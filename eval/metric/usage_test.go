package metric_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
)

var _ = It("has no sum of tokens where a call's are not known", func() {
	known, unknown := row("a"), row("b")
	known.Tokens, unknown.Tokens = eval.Tokens{In: 10, Out: 5}, eval.Tokens{In: 10, Out: 5, Uncounted: 1}
	Expect(of(known).Metrics["tokens.in"].Value).To(HaveValue(Equal(10.0)))
	for _, name := range []string{"tokens.in", "tokens.out"} {
		m := of(known, unknown).Metrics[name]
		Expect(m.Value).To(BeNil())
		Expect([]int64{m.N, m.Missing}).To(Equal([]int64{1, 1}))
	}
})

var _ = It("misses the price of a trial that has none, and has no sum then", Label("definition"), func() {
	priced, unpriced := row("a"), row("b")
	priced.Cost = new(0.25)
	Expect(of(priced).Metrics["cost.usd"]).To(Equal(eval.Estimate{Value: new(0.25), N: 1}))
	Expect(of(priced, unpriced).Metrics["cost.usd"]).To(Equal(eval.Estimate{N: 1, Missing: 1}))
})

var _ = It("misses the calls of a foreign agent that told of none, and whether it stepped down", func() {
	told, untold, stepped := row("a"), row("b"), row("c")
	told.Asked, told.Calls, untold.Asked, stepped.Asked = 1, 2, 1, 1
	stepped.Fallbacks = []eval.Fallback{{From: "llm", To: "rules"}}
	m := of(told, untold, stepped).Metrics
	Expect(m["calls.mean"]).To(And(HaveField("Value", HaveValue(Equal(2.0))), HaveField("N", int64(1)), HaveField("Missing", int64(2))))
	Expect(m["fallback.rate"]).To(And(HaveField("Value", HaveValue(Equal(0.5))), HaveField("N", int64(2)), HaveField("Missing", int64(1))))
	Expect(of(untold).Metrics["calls.peak"]).To(Equal(eval.Estimate{Missing: 1}))
})
