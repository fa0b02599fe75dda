package stats_test

import (
	"math/rand/v2"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/stats"
)

// woodruff returns the sample of the reference values for clustered quantiles (Woodruff 1952): 100
// cases with three epochs.
func woodruff() *stats.QuantileSketch {
	var s stats.QuantileSketch
	for i := range int64(100) {
		var values []int64
		for k := range int64(3) {
			values = append(values, 100+3*(7*i%100)+11*(i*k%5))
		}
		s.AddCase(values...)
	}
	return &s
}

var _ = Describe("the confidence bounds of a quantile", func() {
	DescribeTable("have the reference ends for cases with three epochs",
		func(q float64, want, lo, hi int64, enough bool) {
			s := woodruff()
			got, ok := s.Quantile(q)
			Expect(ok).To(BeTrue())
			Expect(got).To(Equal(want))
			gotLo, gotHi, ok := s.Interval(q, 0.95)
			Expect(ok).To(Equal(enough))
			Expect([]int64{gotLo, gotHi}).To(Equal([]int64{lo, hi}))
		},
		Entry("reference W1: p50", 0.5, int64(263), int64(235), int64(294), true),
		Entry("reference W2: p95", 0.95, int64(398), int64(385), int64(426), true),
		Entry("reference W3: p99, without an interval", 0.99, int64(426), int64(0), int64(0), false),
	)

	DescribeTable("reference R: have the reference ranks for a quantile of n durations",
		func(n int64, q float64, l, u int64) {
			gotL, gotU, ok := stats.QuantileIntervalRanks(n, q, 0.95)
			Expect(ok).To(Equal(l > 0))
			Expect([]int64{gotL, gotU}).To(Equal([]int64{l, u}))
		},
		Entry("p95 of 59 durations", int64(59), 0.95, int64(50), int64(59)),
		Entry("p95 of 100 durations", int64(100), 0.95, int64(90), int64(100)),
		Entry("p95 of 466 durations", int64(466), 0.95, int64(433), int64(452)),
		Entry("p95 of 718 durations", int64(718), 0.95, int64(670), int64(694)),
		Entry("p50 of 20 durations", int64(20), 0.5, int64(6), int64(15)),
		Entry("p99 of 299 durations", int64(299), 0.99, int64(289), int64(299)),
		Entry("p95 of 58 durations, which are too few for an interval", int64(58), 0.95, int64(0), int64(0)),
	)

	DescribeTable("have the ranks of the published table L of one-sided lower bounds",
		func(n int64, q float64, l int64) {
			got, ok := stats.QuantileLowerBoundRank(n, q, 0.95)
			Expect(ok).To(BeTrue())
			Expect(got).To(Equal(l))
			var s stats.QuantileSketch
			for v := range n {
				s.Add(1000 * (v + 1))
			}
			lo, ok := s.LowerBound(q, 0.95)
			Expect(ok).To(BeTrue())
			Expect(lo).To(Equal(1000 * l))
		},
		Entry("p95 of 10 durations", int64(10), 0.95, int64(8)),
		Entry("p95 of 30 durations", int64(30), 0.95, int64(26)),
		Entry("p95 of 58 durations", int64(58), 0.95, int64(52)),
		Entry("p99 of 30 durations", int64(30), 0.99, int64(29)),
	)

	DescribeTable("have no rank for a one-sided lower bound if an argument is invalid",
		func(n int64, q, level float64) {
			_, ok := stats.QuantileLowerBoundRank(n, q, level)
			Expect(ok).To(BeFalse())
		},
		Entry("zero draws", int64(0), 0.5, 0.95),
		Entry("too few draws for the level", int64(4), 0.5, 0.95),
		Entry("quantile 1, which is outside the open interval", int64(100), 1.0, 0.95),
		Entry("level 95 instead of 0.95", int64(100), 0.5, 95.0),
	)

	It("do not jump at the number of draws where the normal limit replaces the exact ranks", func() {
		exact, _ := stats.QuantileLowerBoundRank(1_000_000, 0.5, 0.95)
		l, ok := stats.QuantileLowerBoundRank(1_000_001, 0.5, 0.95)
		Expect(ok).To(BeTrue())
		Expect(exact - l).To(BeNumerically("~", 2, 1.5))
	})

	It("are those of one epoch if all epochs of a case are equal, for any number of values", func() {
		for _, n := range []int64{100, 10_000} { // the second number exceeds what is stored by case
			var once, thrice stats.QuantileSketch
			for i := range n {
				v := i * 7919 % n
				once.Add(v)
				thrice.AddCase(v, v, v)
			}
			for _, q := range []float64{0.5, 0.95} {
				lo, hi, ok := once.Interval(q, 0.95)
				lo3, hi3, ok3 := thrice.Interval(q, 0.95)
				Expect([]any{lo3, hi3, ok3}).To(Equal([]any{lo, hi, ok}))
				least, _ := once.LowerBound(q, 0.95)
				least3, _ := thrice.LowerBound(q, 0.95)
				Expect(least3).To(Equal(least))
			}
		}
	})

	It("come with the number of values that equal the quantile", func() {
		var s stats.QuantileSketch
		s.AddN(5, 40)
		s.AddN(7, 50)
		s.AddCase(9, 9, -1)
		Expect([]int64{s.TiesAtQuantile(0), s.TiesAtQuantile(0.5), s.TiesAtQuantile(0.99), s.TiesAtQuantile(1.5)}).
			To(Equal([]int64{40, 50, 2, 0}))
		coarse := stats.NewSketch(1)
		coarse.AddN(5, 3)
		coarse.AddN(1e6, 4)
		coarse.Add(1e6 + 1)
		Expect([]int64{coarse.TiesAtQuantile(0.1), coarse.TiesAtQuantile(0.9)}).To(Equal([]int64{3, 0}))
		Expect(new(stats.QuantileSketch).TiesAtQuantile(0.5)).To(BeZero())
	})

	It("do not depend on the order of cases, even with too many to store", func() {
		for _, limit := range []int{100, 20_000} {
			random := rand.New(rand.NewPCG(7, 9))
			list := make([][]int64, 6000)
			for i := range list {
				for range 1 + random.IntN(limit/1000+5) {
					list[i] = append(list[i], int64(i)*1000+random.Int64N(2_000_000))
				}
			}
			bounds := func() (all []int64) {
				s := stats.NewSketch(limit)
				for _, values := range list {
					s.AddCase(values...)
				}
				for _, q := range []float64{0.5, 0.95, 0.99} {
					lo, hi, _ := s.Interval(q, 0.95)
					least, _ := s.LowerBound(q, 0.95)
					all = append(all, lo, hi, least, s.TiesAtQuantile(q))
				}
				return all
			}
			want := bounds()
			random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			Expect(bounds()).To(Equal(want))
		}
	})

	It("do not change the slice of values that the caller passes", func() {
		var s stats.QuantileSketch
		values := []int64{3, -1, 2}
		s.AddCase(values...)
		Expect(values).To(Equal([]int64{3, -1, 2}))
		Expect(s.N()).To(Equal(int64(2)))
	})
})
