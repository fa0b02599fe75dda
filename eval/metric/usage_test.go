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
		Expect(m.N).To(BeEquivalentTo(2))
	}
})
