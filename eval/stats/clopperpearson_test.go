package stats_test

import (
	"math"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/stats"
)

var _ = Describe("ClopperPearson", func() {
	DescribeTable("agrees with the published interval of",
		func(k, n int64, wantLo, wantHi float64) {
			lo, hi := stats.ClopperPearson(k, n, 0.95)
			Expect(lo).To(BeNumerically("~", wantLo, 5e-5))
			Expect(hi).To(BeNumerically("~", wantHi, 5e-5))
		},
		// Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in
		// Medicine 17 (1998), table I, method 5.
		Entry("81 successes in 263 trials", int64(81), int64(263), 0.2527, 0.3676),
		Entry("15 successes in 148 trials", int64(15), int64(148), 0.0578, 0.1617),
		Entry("0 successes in 20 trials", int64(0), int64(20), 0.0, 0.1684),
		Entry("1 success in 29 trials", int64(1), int64(29), 0.0009, 0.1776),
	)

	It("ends where the binomial tail beyond the observed count is 2.5 %", func() {
		for _, n := range []int64{1, 7, 40, 333} {
			for _, k := range []int64{0, 1, n / 2, n - 1, n} {
				lo, hi := stats.ClopperPearson(k, n, 0.95)
				if k > 0 {
					Expect(1-exactBinomial(n, lo)(k-1)).To(BeNumerically("~", 0.025, 1e-9),
						"lower end of %d of %d", k, n)
				} else {
					Expect(lo).To(BeZero())
				}
				if k < n {
					Expect(exactBinomial(n, hi)(k)).To(BeNumerically("~", 0.025, 1e-9), "upper end of %d of %d", k, n)
				} else {
					Expect(hi).To(Equal(1.0))
				}
			}
		}
	})

	It("follows the rule of three (about 3/n) if no failure was observed", func() {
		_, hi := stats.ClopperPearson(0, 10_000, 0.9)
		Expect(hi).To(BeNumerically("~", 3.0/10_000, 1e-6))
	})

	It("returns (0, 1) without observations, and NaN for invalid arguments", func() {
		lo, hi := stats.ClopperPearson(0, 0, 0.95)
		Expect([]float64{lo, hi}).To(Equal([]float64{0, 1}))
		for _, bad := range []struct {
			k, n  int64
			level float64
		}{{3, 2, 0.95}, {-1, 2, 0.95}, {1, 2, 95}, {1, 2, math.NaN()}} {
			lo, hi := stats.ClopperPearson(bad.k, bad.n, bad.level)
			Expect(math.IsNaN(lo) && math.IsNaN(hi)).To(BeTrue(), "%+v", bad)
		}
	})
})
