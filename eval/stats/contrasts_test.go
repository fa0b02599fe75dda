package stats_test

import (
	"math"
	"math/rand/v2"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/stats"
)

var _ = Describe("MeanRatio", func() {
	costsA := []float64{1.2, .8, 2.5, 1.1, .9, 3, 1.7, .6}
	costsB := []float64{1.5, .7, 2.9, 1.6, .8, 3.3, 2.4, .9}

	It("reference C: has the reference ratio and interval", func() {
		var r stats.MeanRatio
		for i, a := range costsA {
			r.Add(a, costsB[i])
		}
		value, ok := r.Value()
		Expect(ok).To(BeTrue())
		Expect(value).To(BeNumerically("~", 1.194915, sixDigits))
		lo, hi, ok := r.Interval(0.95)
		expectInterval(1.075914, 1.327079)(lo, hi, ok)
		Expect(math.Log(hi/lo) / 2 / 1.959963985).To(BeNumerically("~", 0.053524, sixDigits))
	})

	It("returns bit-identical results for any order of cases", func() {
		random := rand.New(rand.NewPCG(41, 1))
		cases := make([][2]float64, 300)
		for i := range cases {
			cases[i] = [2]float64{math.Exp(3 * random.NormFloat64()), 1e-6 * math.Exp(3*random.NormFloat64())}
		}
		figures := func() []float64 {
			var r stats.MeanRatio
			for _, c := range cases {
				r.Add(c[0], c[1])
			}
			value, _ := r.Value()
			lo, hi, _ := r.Interval(0.95)
			return []float64{value, lo, hi}
		}
		want := figures()
		for range 5 {
			random.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
			Expect(figures()).To(Equal(want))
		}
	})

	It("returns the ratio but no interval for more than 16,384 cases", func() {
		var r stats.MeanRatio
		for i := range 16384 {
			r.Add(float64(1+i%3), 4)
		}
		_, _, ok := r.Interval(0.95)
		Expect(ok).To(BeTrue())
		r.Add(2, 4)
		value, ok := r.Value()
		Expect(ok).To(BeTrue())
		Expect(value).To(BeNumerically("~", 2, 1e-4))
		_, _, ok = r.Interval(0.95)
		Expect(ok).To(BeFalse())
	})

	DescribeTable("has no interval, and a ratio only if both sums are positive, with",
		func(hasValue bool, cases ...[2]float64) {
			var r stats.MeanRatio
			for _, c := range cases {
				r.Add(c[0], c[1])
			}
			_, ok := r.Value()
			Expect(ok).To(Equal(hasValue))
			_, _, ok = r.Interval(0.95)
			Expect(ok).To(BeFalse())
		},
		Entry("no cases", false),
		Entry("a single case", true, [2]float64{1, 2}),
		Entry("amounts of A that sum to 0", false, [2]float64{0, 2}, [2]float64{0, 1}),
		Entry("amounts of B that sum to 0", false, [2]float64{2, 0}, [2]float64{1, 0}),
		Entry("one case that has the whole amount of A", true, [2]float64{1, 2}, [2]float64{0, 1}),
		Entry("only invalid amounts", false, [2]float64{-1, 2}, [2]float64{math.NaN(), 1}, [2]float64{1, math.Inf(1)}),
	)
})

var _ = Describe("QuantileContrast", func() {
	It("reference Q: returns the smallest value with enough weight at or below it", func() {
		values := []int64{10, 20, 30, 40, 50, 60, 70, 80}
		weights := []uint8{1, 0, 2, 1, 3, 0, 1, 2}
		Expect(stats.WeightedQuantile(values, weights, 0.95)).To(Equal(int64(80)))
		Expect(stats.WeightedQuantile(values, weights, 0.5)).To(Equal(int64(50)))
	})

	It("resamples A and B together: equal values in every case have a difference of exactly 0", func() {
		var same, tripled stats.PairedQuantiles
		random := rand.New(rand.NewPCG(42, 1))
		for key := range uint64(100) {
			v := int64(1e6 * math.Exp(random.NormFloat64()))
			same.Add(key, []int64{v}, []int64{v})
			tripled.Add(key, []int64{v}, []int64{3 * v})
		}
		span, ok := same.Difference(0.5, 0.95)
		Expect(ok).To(BeTrue())
		Expect(span).To(Equal(stats.Estimate{}))
		span, ok = tripled.Ratio(0.95, 0.95)
		Expect(ok).To(BeTrue())
		Expect(span).To(Equal(stats.Estimate{Value: 3, Lo: 3, Hi: 3}))
	})

	It("returns bit-identical results for any order of cases", func() {
		random := rand.New(rand.NewPCG(43, 1))
		type sample struct {
			key  uint64
			a, b []int64
		}
		cases := make([]sample, 80)
		for i := range cases {
			cases[i] = sample{key: random.Uint64(), a: []int64{random.Int64N(20), random.Int64N(20)},
				b: []int64{random.Int64N(30)}}
		}
		figures := func() stats.Estimate {
			var c stats.PairedQuantiles
			for _, s := range cases {
				c.Add(s.key, s.a, s.b)
			}
			span, ok := c.Difference(0.9, 0.95)
			Expect(ok).To(BeTrue())
			return span
		}
		want := figures()
		Expect(want.Lo).To(BeNumerically("<", want.Hi))
		for range 5 {
			random.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
			Expect(figures()).To(Equal(want))
		}
	})

	DescribeTable("has an interval from a minimum number of cases on, for the",
		func(q float64, fewest int) {
			var c stats.PairedQuantiles
			for i := range fewest {
				_, ok := c.Difference(q, 0.95)
				Expect(ok).To(BeFalse(), "%d cases", i)
				c.Add(uint64(i), []int64{int64(i)}, []int64{int64(2 * i)})
			}
			_, ok := c.Difference(q, 0.95)
			Expect(ok).To(BeTrue())
		},
		Entry("p50 from 30 cases", 0.5, 30), Entry("p90 from 30 cases", 0.9, 30), Entry("p95 from 60 cases", 0.95, 60),
		Entry("p99 from 300 cases", 0.99, 300),
		Entry("p5 from 60 cases", 0.05, 60),
	)

	It("has no interval for invalid arguments", func() {
		var c stats.PairedQuantiles
		for i := range uint64(100) {
			c.Add(i, []int64{int64(i)}, []int64{5})
			c.Add(i, nil, []int64{5})
		}
		Expect(c.N()).To(Equal(int64(100)))
		_, ok := c.Ratio(0.5, 0.95)
		Expect(ok).To(BeTrue(), "one value of 0 is not a quantile of 0")
		var z stats.PairedQuantiles
		for i := range uint64(100) {
			z.Add(i, []int64{int64(i / 50)}, []int64{5})
		}
		_, ok = z.Ratio(0.5, 0.95)
		Expect(ok).To(BeFalse(), "the median is 0")
		for _, senseless := range [][2]float64{{0, 0.95}, {1, 0.95}, {95, 0.95}, {0.5, 0}, {0.5, 1}, {0.5, 0.9999},
			{math.NaN(), 0.95}} {
			_, ok = c.Difference(senseless[0], senseless[1])
			Expect(ok).To(BeFalse(), "%v", senseless)
		}
		c.Add(100, make([]int64, 20_000), []int64{5})
		_, ok = c.Difference(0.5, 0.95)
		Expect(ok).To(BeFalse(), "more than 16,384 values")
	})
})

var _ = Describe("Holm", func() {
	It("reference H: returns the reference adjusted p-values", func() {
		got := stats.Holm([]float64{.01, .04, .03, .005, .2, .03})
		for i, want := range []float64{.05, .12, .12, .03, .2, .12} {
			Expect(got[i]).To(BeNumerically("~", want, 1e-12))
		}
	})

	It("does not change a family of one p-value, or an empty one", func() {
		Expect(stats.Holm([]float64{.04})).To(Equal([]float64{.04}))
		Expect(stats.Holm(nil)).To(BeEmpty())
	})

	It("never returns an adjusted p-value above 1", func() {
		Expect(stats.Holm([]float64{.9, .6, .5})).To(Equal([]float64{1, 1, 1}))
	})
})

var _ = Describe("SequentialDropTest", func() {
	It("reference E1: proves a drop at the 7th consecutive loss", func() {
		s, ok := stats.NewSequentialDropTest(0, 0.05)
		Expect(ok).To(BeTrue())
		for i, want := range []float64{5: 2.350631, 6: 2.897209, 7: 3.460381} {
			if i == 0 {
				continue
			}
			proof := s.Add(1)
			Expect(proof == stats.DropMore).To(Equal(i == 7), "after %d", i)
			if more, _ := s.LogWealth(); want > 0 {
				Expect(more).To(BeNumerically("~", want, sixDigits))
			}
		}
		Expect(s.N()).To(Equal(int64(7)))
	})

	It("reference E2: reports no result as long as there is no proof", func() {
		s, _ := stats.NewSequentialDropTest(0.01, 0.05)
		for _, d := range []float64{1, 0, 0, 1, -1, .2, 1, 1, 0, 1, 1, 1} {
			Expect(s.Add(d)).To(Equal(stats.NoProof))
		}
		more, less := s.LogWealth()
		Expect(more).To(BeNumerically("~", 1.983374, sixDigits))
		Expect(less).To(BeNumerically("~", -1.996512, sixDigits))
	})

	It("does not revise a proof after later cases, and ignores an invalid drop", func() {
		s, _ := stats.NewSequentialDropTest(0.1, 0.05)
		for _, d := range []float64{math.NaN(), 1.1, -2} {
			Expect(s.Add(d)).To(Equal(stats.NoProof))
		}
		Expect(s.N()).To(BeZero())
		for s.Add(-1) == stats.NoProof {
		}
		Expect(s.Add(1)).To(Equal(stats.DropWithin))
	})

	DescribeTable("cannot be created with invalid arguments",
		func(margin, alpha float64) {
			_, ok := stats.NewSequentialDropTest(margin, alpha)
			Expect(ok).To(BeFalse())
		},
		Entry("a margin of 1", 1.0, 0.05), Entry("a margin below 0", -0.1, 0.05),
		Entry("a margin that is NaN", math.NaN(), 0.05),
		Entry("an alpha of 0", 0.0, 0.0), Entry("an alpha of 1", 0.0, 1.0),
	)
})

var _ = Describe("RegressionToMean", func() {
	It("reference T: returns the reference value", func() {
		rise, ok := stats.NormalRegressionToMean(0.1, 0.75, math.Hypot(0.15, 0.1), 0.7)
		Expect(ok).To(BeTrue())
		Expect(rise).To(BeNumerically("~", 0.054495, sixDigits))
	})

	It("equals (1−R)(μ−E[Y|Y<c]) for normal distributions", func() {
		const noise, quality, mean, cutoff = 0.1, 0.15, 0.75, 0.7
		random, sum, below := rand.New(rand.NewPCG(44, 1)), 0.0, 0.0
		for range 200_000 {
			if y := mean + quality*random.NormFloat64() + noise*random.NormFloat64(); y < cutoff {
				sum += y
				below++
			}
		}
		unreliable := noise * noise / (noise*noise + quality*quality)
		rise, _ := stats.NormalRegressionToMean(noise, mean, math.Hypot(noise, quality), cutoff)
		Expect(rise).To(BeNumerically("~", unreliable*(mean-sum/below), 5e-4))
	})

	It("equals the mean rise in a simulated second judgment, for any distribution of quality", func() {
		random, noise, cutoff := rand.New(rand.NewPCG(45, 1)), 0.08, 0.6
		first, rise, below := make([]float64, 20_000), 0.0, 0.0
		for i := range first {
			quality := 0.9 - 0.2*random.ExpFloat64()
			first[i] = quality + noise*random.NormFloat64()
			if first[i] < cutoff {
				rise += quality + noise*random.NormFloat64() - first[i]
				below++
			}
		}
		got, ok := stats.EmpiricalRegressionToMean(noise, first, cutoff)
		Expect(ok).To(BeTrue())
		Expect(got).To(BeNumerically("~", rise/below, 2e-3))
	})

	It("has no value for invalid arguments", func() {
		for _, scores := range [][]float64{nil, make([]float64, 29), make([]float64, 100)} {
			_, ok := stats.EmpiricalRegressionToMean(0.1, scores, 0.5)
			Expect(ok).To(BeFalse())
		}
		for _, senseless := range [][3]float64{{-1, 1, 1}, {1, -1, 1}, {1, 1, 0}, {1, 1, 2}, {math.NaN(), 1, 1}} {
			_, ok := stats.RegressionToMean(senseless[0], senseless[1], senseless[2])
			Expect(ok).To(BeFalse(), "%v", senseless)
		}
		_, ok := stats.NormalRegressionToMean(0.1, 0.5, 0, 0.5)
		Expect(ok).To(BeFalse())
	})
})
