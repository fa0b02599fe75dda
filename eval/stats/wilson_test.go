package stats_test

import (
	"math"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/stats"
)

var _ = Describe("Wilson", func() {
	DescribeTable("agrees with the published interval of",
		func(k, n int64, level, wantLo, wantHi, within float64) {
			lo, hi := stats.Wilson(k, n, level)
			Expect(lo).To(BeNumerically("~", wantLo, within))
			Expect(hi).To(BeNumerically("~", wantHi, within))
		},
		// Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in
		// Medicine 17 (1998), table I, method 3.
		Entry("81 successes in 263 trials", int64(81), int64(263), 0.95, 0.2553, 0.3662, 5e-5),
		Entry("15 successes in 148 trials", int64(15), int64(148), 0.95, 0.0624, 0.1605, 5e-5),
		Entry("0 successes in 20 trials", int64(0), int64(20), 0.95, 0.0000, 0.1611, 5e-5),
		Entry("1 success in 29 trials", int64(1), int64(29), 0.95, 0.0061, 0.1718, 5e-5),
	)

	It("has ends that solve the equation of the score test", func() {
		for _, level := range []float64{0.5, 0.8, 0.9, 0.95, 0.99, 0.9999} {
			z := math.Sqrt2 * math.Erfinv(level) // independent of the package's z
			for _, n := range []int64{1, 2, 3, 10, 97, 1000, 1_000_000} {
				for _, k := range []int64{0, 1, n / 3, n / 2, n - 1, n} {
					lo, hi := stats.Wilson(k, n, level)
					wantLo, wantHi := scoreRoots(k, n, z)
					Expect(lo).To(BeNumerically("~", wantLo, 1e-9), "lower end of %d of %d at %v", k, n, level)
					Expect(hi).To(BeNumerically("~", wantHi, 1e-9), "upper end of %d of %d at %v", k, n, level)
				}
			}
		}
	})

	It("returns (0, 1) without observations", func() {
		lo, hi := stats.Wilson(0, 0, 0.95)
		Expect([]float64{lo, hi}).To(Equal([]float64{0, 1}))
	})

	It("ends exactly at 0 without successes and at 1 without failures, and never beyond", func() {
		lo, _ := stats.Wilson(0, 7, 0.95)
		_, hi := stats.Wilson(7, 7, 0.95)
		Expect([]float64{lo, hi}).To(Equal([]float64{0, 1}))
	})

	It("mirrors the interval if successes and failures are exchanged", func() {
		for k := int64(0); k <= 41; k++ {
			lo, hi := stats.Wilson(k, 41, 0.9)
			mirrorLo, mirrorHi := stats.Wilson(41-k, 41, 0.9)
			Expect(lo).To(BeNumerically("~", 1-mirrorHi, 1e-14))
			Expect(hi).To(BeNumerically("~", 1-mirrorLo, 1e-14))
		}
	})

	DescribeTable("returns NaN for invalid arguments",
		func(k, n int64, level float64) {
			lo, hi := stats.Wilson(k, n, level)
			Expect(math.IsNaN(lo) && math.IsNaN(hi)).To(BeTrue(), "got (%v, %v)", lo, hi)
		},
		Entry("more successes than trials", int64(3), int64(2), 0.95),
		Entry("negative successes", int64(-1), int64(2), 0.95),
		Entry("negative trials", int64(-2), int64(-1), 0.95),
		Entry("a percentage instead of a fraction as level", int64(1), int64(2), 95.0),
		Entry("level 1", int64(1), int64(2), 1.0),
		Entry("level 0", int64(1), int64(2), 0.0),
		Entry("a level that is NaN", int64(1), int64(2), math.NaN()),
	)
})

// scoreRoots returns, by bisection, the ends of the interval in which |k/n − p| is at most
// z·√(p(1−p)/n).
func scoreRoots(k, n int64, z float64) (lo, hi float64) {
	observed := float64(k) / float64(n)
	rejected := func(p float64) bool {
		return math.Abs(observed-p) > z*math.Sqrt(p*(1-p)/float64(n))
	}
	bisect := func(out, in float64) float64 {
		if !rejected(out) {
			return out
		}
		for range 200 {
			middle := (out + in) / 2
			if rejected(middle) {
				out = middle
			} else {
				in = middle
			}
		}
		return (out + in) / 2
	}
	return bisect(0, observed), bisect(1, observed)
}
