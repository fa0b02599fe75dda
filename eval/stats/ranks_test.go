package stats_test

import (
	"math/big"
	"math/rand/v2"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/stats"
)

var _ = Describe("QuantileRanks", func() {
	DescribeTable("agrees with published tables for the",
		func(n int64, q, level float64, wantL, wantU int64) {
			l, u, ok := stats.QuantileIntervalRanks(n, q, level)
			Expect(ok).To(BeTrue())
			Expect([]int64{l, u}).To(Equal([]int64{wantL, wantU}))
		},
		// The sign-test interval of the median, as in Hollander, Wolfe & Chicken, "Nonparametric
		// Statistical Methods", and Conover's tables.
		Entry("median of 6 draws", int64(6), 0.5, 0.95, int64(1), int64(6)),
		Entry("median of 8 draws", int64(8), 0.5, 0.95, int64(1), int64(8)),
		Entry("median of 9 draws", int64(9), 0.5, 0.95, int64(2), int64(8)),
		Entry("median of 10 draws", int64(10), 0.5, 0.95, int64(2), int64(9)),
		Entry("median of 20 draws", int64(20), 0.5, 0.95, int64(6), int64(15)),
		Entry("median of 25 draws", int64(25), 0.5, 0.95, int64(8), int64(18)),
		Entry("median of 100 draws", int64(100), 0.5, 0.95, int64(40), int64(61)),
		Entry("median of 10 draws at level 0.99", int64(10), 0.5, 0.99, int64(1), int64(10)),
	)

	DescribeTable("returns an interval from a minimum number of draws on, for the",
		func(q float64, fewest int64) {
			_, _, ok := stats.QuantileIntervalRanks(fewest-1, q, 0.95)
			Expect(ok).To(BeFalse())
			_, _, ok = stats.QuantileIntervalRanks(fewest, q, 0.95)
			Expect(ok).To(BeTrue())
		},
		Entry("median from 6 draws", 0.5, int64(6)),
		Entry("p90 from 29 draws", 0.9, int64(29)),
		Entry("p95 from 59 draws", 0.95, int64(59)),
		Entry("p99 from 299 draws", 0.99, int64(299)),
		Entry("p5 from 59 draws", 0.05, int64(59)),
	)

	It("reaches the level with tails as equal as n permits, by an exact binomial sum", func() {
		for _, q := range []float64{0.05, 0.5, 0.75, 0.9375} {
			for _, n := range []int64{6, 17, 46, 100, 333} {
				for _, level := range []float64{0.8, 0.95} {
					l, u, ok := stats.QuantileIntervalRanks(n, q, level)
					cdf := exactBinomial(n, q)
					if !ok {
						Expect(cdf(n-1)-cdf(0)).To(BeNumerically("<", level), "n=%d q=%v level=%v", n, q, level)
						continue
					}
					below, above, tail := cdf(l-1), 1-cdf(u-1), (1-level)/2
					Expect(below+above).To(BeNumerically("<=", 1-level+1e-12), "n=%d q=%v level=%v", n, q, level)
					if l > 1 && u < n {
						Expect(below).To(BeNumerically("<=", tail))
						Expect(above).To(BeNumerically("<=", tail))
						Expect(cdf(l)).To(BeNumerically(">", tail), "l could be larger: n=%d q=%v", n, q)
						Expect(1-cdf(u-2)).To(BeNumerically(">", tail), "u could be smaller: n=%d q=%v", n, q)
					}
				}
			}
		}
	})

	It("does not jump at the number of draws where the normal limit replaces the exact ranks", func() {
		exactL, exactU, _ := stats.QuantileIntervalRanks(1_000_000, 0.5, 0.95)
		l, u, ok := stats.QuantileIntervalRanks(1_000_001, 0.5, 0.95)
		Expect(ok).To(BeTrue())
		Expect(exactL - l).To(BeNumerically("~", 2, 1.5))
		Expect(u - exactU).To(BeNumerically("~", 2, 1.5))
	})

	It("encloses the quantile with the nominal coverage in simulation", func() {
		random := rand.New(rand.NewPCG(1, 2))
		const rounds, n, q = 4000, 120, 0.9
		l, u, _ := stats.QuantileIntervalRanks(n, q, 0.95)
		covered := 0
		draws := make([]float64, n)
		for range rounds {
			for i := range draws {
				draws[i] = random.Float64()
			}
			slices.Sort(draws)
			if draws[l-1] <= q && q <= draws[u-1] {
				covered++
			}
		}
		Expect(float64(covered) / rounds).To(BeNumerically(">=", 0.945))
		Expect(float64(covered) / rounds).To(BeNumerically("<=", 0.985))
	})

	DescribeTable("returns no ranks for invalid arguments",
		func(n int64, q, level float64) {
			_, _, ok := stats.QuantileIntervalRanks(n, q, level)
			Expect(ok).To(BeFalse())
		},
		Entry("zero draws", int64(0), 0.5, 0.95),
		Entry("a negative number of draws", int64(-5), 0.5, 0.95),
		Entry("quantile 0", int64(100), 0.0, 0.95),
		Entry("quantile 1", int64(100), 1.0, 0.95),
		Entry("level 1", int64(100), 0.5, 1.0),
		Entry("level 95 instead of 0.95", int64(100), 0.5, 95.0),
	)
})

// exactBinomial returns P(Bin(n,q) ≤ k) by summing the probabilities with 300 bits.
func exactBinomial(n int64, q float64) func(k int64) float64 {
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(x) }
	p, rest := number(q), number(1)
	rest.Sub(rest, p)
	power := func(x *big.Float, times int64) *big.Float {
		product := number(1)
		for range times {
			product.Mul(product, x)
		}
		return product
	}
	cumulated := make([]float64, n+1)
	sum := number(0)
	for k := int64(0); k <= n; k++ {
		term := number(0).SetInt(new(big.Int).Binomial(n, k))
		term.Mul(term, power(p, k)).Mul(term, power(rest, n-k))
		sum.Add(sum, term)
		cumulated[k], _ = sum.Float64()
	}
	return func(k int64) float64 {
		if k < 0 {
			return 0
		}
		return cumulated[min(k, n)]
	}
}
