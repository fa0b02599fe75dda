package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/stats"
)

func meanOf(values ...float64) *stats.Mean {
	var m stats.Mean
	for _, v := range values {
		m.Add(v)
	}
	return &m
}

// twoPasses returns the mean and sample standard deviation by the textbook formula in two passes.
func twoPasses(values []float64) (mean, deviation float64) {
	for _, v := range values {
		mean += v
	}
	mean /= float64(len(values))
	sum := 0.0
	for _, v := range values {
		sum += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(sum / float64(len(values)-1))
}

var _ = Describe("Mean", func() {
	value := func(m *stats.Mean) float64 {
		GinkgoHelper()
		v, ok := m.Value()
		Expect(ok).To(BeTrue())
		return v
	}

	It("returns the mean of its values, and no value without any", func() {
		m := meanOf(0.5, 0.75, 0.25)
		Expect(value(m)).To(BeNumerically("~", 0.5, 1e-15))
		Expect(m.N()).To(Equal(int64(3)))
		m.Add()
		m.Add(math.NaN(), math.Inf(-1))
		Expect(m.N()).To(Equal(int64(3)))
		Expect(m.Cases()).To(Equal(int64(3)))
		_, ok := meanOf().Value()
		Expect(ok).To(BeFalse())
	})

	DescribeTable("has the interval of a published t table with",
		func(n int, t float64) {
			var values []float64
			for i := range n {
				values = append(values, float64(i%3)/4)
			}
			mean, deviation := twoPasses(values)
			lo, hi, ok := meanOf(values...).Interval(0.95)
			Expect(ok).To(BeTrue())
			half := t * deviation / math.Sqrt(float64(n))
			Expect(lo).To(BeNumerically("~", mean-half, 1e-3*half))
			Expect(hi).To(BeNumerically("~", mean+half, 1e-3*half))
		},
		Entry("1 degree of freedom", 2, 12.706), Entry("2 degrees of freedom", 3, 4.303),
		Entry("4 degrees of freedom", 5, 2.776),
		Entry("9 degrees of freedom", 10, 2.262), Entry("29 degrees of freedom", 30, 2.045),
		Entry("119 degrees of freedom", 120, 1.980),
	)

	It("has a wider interval at a higher level", func() {
		lo, hi, _ := meanOf(0, 1, 2, 3, 4).Interval(0.99)
		half := 4.604 * math.Sqrt(2.5) / math.Sqrt(5) // t with 4 degrees of freedom, variance 10/4
		Expect(lo).To(BeNumerically("~", 2-half, 1e-3))
		Expect(hi).To(BeNumerically("~", 2+half, 1e-3))
	})

	// Student's own example, the additional sleep of ten patients by two drugs (Biometrika 6, 1908,
	// p. 20): differences with mean 1.58 and standard deviation 1.23 by Student's divisor n, t 4.06
	// with 9 degrees of freedom; [0.70, 2.46] in textbooks.
	It("agrees with the interval of Student's own example", func() {
		lo, hi, _ := meanOf(1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4).Interval(0.95)
		Expect((lo + hi) / 2).To(BeNumerically("~", 1.58, 1e-9))
		Expect(lo).To(BeNumerically("~", 0.70, 5e-3))
		Expect(hi).To(BeNumerically("~", 2.46, 5e-3))
	})

	It("has no interval of fewer than two cases, or at an invalid level", func() {
		threeEpochs := &stats.Mean{}
		threeEpochs.Add(0.3, 0.3, 0.4)
		for _, m := range []*stats.Mean{meanOf(), meanOf(0.3), threeEpochs} {
			_, _, ok := m.Interval(0.95)
			Expect(ok).To(BeFalse())
		}
		for _, level := range []float64{0, 1, math.NaN()} {
			_, _, ok := meanOf(1, 2).Interval(level)
			Expect(ok).To(BeFalse())
		}
	})

	It("has the interval of one epoch if all epochs of each case are equal", func() {
		once := []float64{0.2, 0.4, 0.9, 0.1}
		var thrice stats.Mean
		for _, v := range once {
			thrice.Add(v, v, v)
		}
		lo, hi, _ := meanOf(once...).Interval(0.95)
		lo3, hi3, ok := thrice.Interval(0.95)
		Expect(ok).To(BeTrue())
		Expect(lo3).To(BeNumerically("~", lo, 1e-12))
		Expect(hi3).To(BeNumerically("~", hi, 1e-12))
	})

	It("computes the variance from the sums of the cases around their expectation, for any number of values per case",
		func() {
			random := rand.New(rand.NewPCG(6, 9))
			var m stats.Mean
			var sums, sizes []float64
			var total, n float64
			for range 57 {
				values := make([]float64, 1+random.IntN(4))
				sum := 0.0
				for i := range values {
					values[i] = math.Round(random.Float64()*1e8) / 1e3 // milliseconds
					sum += values[i]
				}
				m.Add(values...)
				sums, sizes = append(sums, sum), append(sizes, float64(len(values)))
				total, n = total+sum, n+float64(len(values))
			}
			square := 0.0
			for i := range sums {
				square += math.Pow(sums[i]-sizes[i]*total/n, 2)
			}
			half := 2.003241 * math.Sqrt(57.0/56*square) / n // t with 56 degrees of freedom
			lo, hi, _ := m.Interval(0.95)
			Expect(lo).To(BeNumerically("~", total/n-half, half*1e-6))
			Expect(hi).To(BeNumerically("~", total/n+half, half*1e-6))
		})

	It("has an interval of zero width if all values are equal", func() {
		for _, v := range []float64{0, 0.767, -0.1, 999.99999, 1e8, 0.000012345} {
			var m stats.Mean
			for range 10_000 {
				m.Add(v)
			}
			lo, hi, ok := m.Interval(0.95)
			Expect(ok).To(BeTrue())
			Expect([]float64{lo, hi}).To(HaveEach(value(&m)))
			Expect(lo).To(BeNumerically("~", v, 1e-15+v*1e-15))
		}
	})

	It("supports values far beyond 64 bits", func() {
		lo, hi, ok := meanOf(1e30, 3e30, 2e30).Interval(0.95)
		Expect(ok).To(BeTrue())
		Expect((lo + hi) / 2).To(BeNumerically("~", 2e30, 1e16))
		Expect(hi - lo).To(BeNumerically("~", 2*4.302653e30/math.Sqrt(3), 1e25))
	})

	DescribeTable("X8: equals the two-pass result for many values, in any order:",
		func(n int, centre, spread float64) {
			random := rand.New(rand.NewPCG(1, 2))
			values := make([]float64, n)
			for i := range values {
				values[i] = centre + spread*random.NormFloat64()
			}
			m := meanOf(values...)
			mean, deviation := twoPasses(values)
			Expect(value(m)).To(BeNumerically("~", mean, 1e-8*(math.Abs(centre)+spread)))
			lo, hi, _ := m.Interval(0.95)
			half := 1.96 * deviation / math.Sqrt(float64(n))
			Expect((hi - lo) / 2).To(BeNumerically("~", half, 1e-4*half))

			random.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
			Expect(meanOf(values...)).To(Equal(m))
		},
		Entry("a million scores", 1_000_000, 0.7, 0.1),
		Entry("scores that differ little", 100_000, 0.9, 1e-4),
		Entry("values around zero", 100_000, 0.0, 0.3),
		Entry("milliseconds of maximum size that differ little", 100_000, 1e8, 1.0),
		Entry("values of both signs", 100_000, -3.0, 200.0),
		Entry("small amounts in dollars", 100_000, 2e-4, 1e-5),
	)
})

func BenchmarkMeanAdd(b *testing.B) {
	var m stats.Mean
	b.ReportAllocs()
	for i := range b.N {
		m.Add(float64(i%1000) / 7)
	}
}
