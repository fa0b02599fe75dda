package latency_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/mocks/latency"
)

var _ = Describe("latency.Parse", func() {
	DescribeTable("accepts every documented format",
		func(s string, want latency.Latency) {
			got, err := latency.Parse(s)
			Expect(err).NotTo(HaveOccurred())
			Expect(got).To(Equal(want))
		},
		Entry(nil, "constant:50ms", latency.Constant(50*time.Millisecond)),
		Entry(nil, "lognormal:800ms,0.4", latency.LogNormal(800*time.Millisecond, 0.4)),
		Entry(nil, "tokens:300ms,20ms", latency.PerToken(300*time.Millisecond, 20*time.Millisecond)),
		Entry(nil, "tokens:300ms,20ms,keepalive=4",
			latency.Latency{Kind: latency.KindPerToken, Base: 300 * time.Millisecond, PerToken: 20 * time.Millisecond,
				KeepAliveLines: 4}),
		Entry(nil, "none", latency.Latency{}),
		Entry(nil, "", latency.Latency{}),
	)

	DescribeTable("rejects an invalid format, naming the problem",
		func(s, part string) {
			_, err := latency.Parse(s)
			Expect(err).To(MatchError(And(ContainSubstring(s), ContainSubstring(part))))
		},
		Entry(nil, "fixed:50ms", "fixed"),
		Entry(nil, "constant", "bad duration"),
		Entry(nil, "constant:50", `"50"`),
		Entry(nil, "constant:-5ms", "negative"),
		Entry(nil, "lognormal:1s", "requires 2"),
		Entry(nil, "lognormal:1s,x", `sigma "x"`),
		Entry(nil, "lognormal:1s,NaN", "sigma"),
		Entry(nil, "tokens:1s,2", `"2"`),
		Entry(nil, "constant:1s,keepalive=x", `keepalive "x"`),
	)
})
