package stats_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/stats"
)

var _ = Describe("Quantile", func() {
	DescribeTable("is the smallest value whose rank is at least ⌈q·n⌉, for",
		func(q float64, want int64) {
			var s stats.QuantileSketch
			for v := range int64(100) {
				s.Add(v + 1)
			}
			got, ok := s.Quantile(q)
			Expect(ok).To(BeTrue())
			Expect(got).To(Equal(want))
		},
		Entry("q = 0, which is the minimum", 0.0, int64(1)),
		Entry("a q of almost 0", 1e-300, int64(1)),
		Entry("a q with an integer rank", 0.5, int64(50)),
		Entry("a q with a fractional rank", 0.501, int64(51)),
		Entry("0.07·100, which floating point rounds above 7", 0.07, int64(7)),
		Entry("0.29·100, which floating point rounds below 29", 0.29, int64(29)),
		Entry("p95", 0.95, int64(95)),
		Entry("p99", 0.99, int64(99)),
		Entry("p99.9", 0.999, int64(100)),
		Entry("q = 1, which is the maximum", 1.0, int64(100)),
	)

	DescribeTable("has no value for a q outside 0…1",
		func(q float64) {
			var s stats.QuantileSketch
			s.Add(1)
			_, ok := s.Quantile(q)
			Expect(ok).To(BeFalse())
		},
		Entry("a negative q", -0.1), Entry("a percentage instead of a fraction", 95.0),
		Entry("a q that is NaN", math.NaN()), Entry("an infinite q", math.Inf(1)),
	)

	It("agrees with the sorted values, exactly or within 2⁻¹¹", func() {
		random := rand.New(rand.NewPCG(8, 9))
		for round := range 60 {
			values := make([]int64, 1+random.IntN(400))
			s := stats.NewSketch(1 + 100*(round%5))
			for i := range values {
				values[i] = max(randomDuration(random), 0)
				s.Add(values[i])
			}
			slices.Sort(values)
			for percent := int64(0); percent <= 100; percent++ {
				rank := (percent*int64(len(values)) + 99) / 100
				want := values[max(rank, 1)-1]
				got, ok := s.Quantile(float64(percent) / 100)
				Expect(ok).To(BeTrue())
				if s.IsExact() {
					Expect(got).To(Equal(want), "p%d of %d", percent, len(values))
				}
				Expect(tooFar(got, want)).To(BeFalse(), "p%d of %d: got %d, want %d", percent, len(values), got, want)
			}
		}
	})

	It("has the stated maximum relative error at the edges of every power of two", func() {
		for e := range 63 {
			for _, v := range []int64{1<<e - 1, 1 << e, 1<<e + 1, 1<<e | 1<<e>>11, math.MaxInt64 >> (62 - e)} {
				s := stats.NewSketch(1)
				s.Add(0)
				s.Add(v)
				s.AddN(math.MaxInt64, 2) // so that no extreme clamps the middle
				Expect(s.IsExact()).To(BeFalse())
				got, _ := s.Quantile(0.5)
				Expect(tooFar(got, v)).To(BeFalse(), "got %d, want %d", got, v)
			}
		}
	})

	It("has, in a coarse sketch, an interval that contains the exact one", func() {
		random := rand.New(rand.NewPCG(10, 11))
		exact, coarse := stats.NewSketch(5000), stats.NewSketch(1)
		for range 5000 {
			v := int64(1e9 * math.Exp(random.NormFloat64()))
			exact.Add(v)
			coarse.Add(v)
		}
		for _, q := range []float64{0.01, 0.5, 0.9, 0.95, 0.99} {
			lo, hi, ok := exact.Interval(q, 0.95)
			coarseLo, coarseHi, coarseOK := coarse.Interval(q, 0.95)
			point, _ := coarse.Quantile(q)
			Expect([]bool{ok, coarseOK}).To(HaveEach(true))
			Expect(coarseLo).To(BeNumerically("<=", lo))
			Expect(coarseHi).To(BeNumerically(">=", hi))
			Expect(float64(coarseLo)).To(BeNumerically("~", lo, float64(lo)/1000))
			Expect(float64(coarseHi)).To(BeNumerically("~", hi, float64(hi)/1000))
			Expect(point).To(And(BeNumerically(">=", coarseLo), BeNumerically("<=", coarseHi)))
		}
	})

	It("has as its interval the order statistics at the ranks of QuantileRanks", func() {
		var s stats.QuantileSketch
		for v := range int64(100) {
			s.Add((v + 1) * 1000)
		}
		lo, hi, ok := s.Interval(0.5, 0.95)
		Expect(ok).To(BeTrue())
		Expect([]int64{lo, hi}).To(Equal([]int64{40_000, 61_000}))
		_, _, ok = s.Interval(0.99, 0.95)
		Expect(ok).To(BeFalse(), "100 are too few for a p99")
	})
})

// tooFar reports whether got differs from want by more than want/2¹¹. It computes |got − want|·2¹¹
// > want without overflow.
func tooFar(got, want int64) bool {
	off := new(big.Int).Abs(new(big.Int).Sub(big.NewInt(got), big.NewInt(want)))
	return off.Lsh(off, 11).Cmp(big.NewInt(want)) > 0
}
