package stats_test

import (
	"math"
	"math/rand/v2"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/stats"
)

// pooledOf counts values.
func pooledOf(values ...float64) *stats.PooledMean {
	var m stats.PooledMean
	for _, v := range values {
		m.Add(v)
	}
	return &m
}

var _ = Describe("a pooled mean", func() {
	value := func(m *stats.PooledMean) float64 {
		GinkgoHelper()
		v, ok := m.Value()
		Expect(ok).To(BeTrue())
		return v
	}

	It("is of its values, and has none without any", func() {
		m := pooledOf(0.5, 0.75, 0.25)
		Expect(value(m)).To(BeNumerically("~", 0.5, 1e-15))
		Expect(m.N()).To(Equal(int64(3)))
		_, ok := pooledOf().Value()
		Expect(ok).To(BeFalse())
	})

	DescribeTable("has the interval of a t table",
		func(n int, t float64) {
			var values []float64
			for i := range n {
				values = append(values, float64(i%3)/4)
			}
			mean, deviation := twoPasses(values)
			lo, hi, ok := pooledOf(values...).Interval(0.95, int64(n))
			Expect(ok).To(BeTrue())
			half := t * deviation / math.Sqrt(float64(n))
			Expect(lo).To(BeNumerically("~", mean-half, 1e-3*half))
			Expect(hi).To(BeNumerically("~", mean+half, 1e-3*half))
		},
		Entry("1 degree of freedom", 2, 12.706), Entry("2", 3, 4.303), Entry("4", 5, 2.776),
		Entry("9", 10, 2.262), Entry("29", 30, 2.045), Entry("119", 120, 1.980),
	)

	It("has a wider interval at a higher level", func() {
		lo, hi, _ := pooledOf(0, 1, 2, 3, 4).Interval(0.99, 5)
		half := 4.604 * math.Sqrt(2.5) / math.Sqrt(5) // t of 4 degrees of freedom, spread 10/4
		Expect(lo).To(BeNumerically("~", 2-half, 1e-3))
		Expect(hi).To(BeNumerically("~", 2+half, 1e-3))
	})

	It("has no interval of fewer than two observations", func() {
		for _, m := range []*stats.PooledMean{pooledOf(), pooledOf(0.3)} {
			_, _, ok := m.Interval(0.95, m.N())
			Expect(ok).To(BeFalse())
		}
		_, _, ok := pooledOf(0.3, 0.3, 0.4).Interval(0.95, 1) // three epochs of one case
		Expect(ok).To(BeFalse())
	})

	It("has the interval of one epoch where all epochs are the same", func() {
		for _, once := range [][]float64{{0.2, 0.9}, {0.2, 0.4, 0.9, 0.1}} {
			n := int64(len(once))
			thrice := append(append(append([]float64{}, once...), once...), once...)
			lo, hi, _ := pooledOf(once...).Interval(0.95, n)
			lo3, hi3, ok := pooledOf(thrice...).Interval(0.95, n)
			Expect(ok).To(BeTrue())
			Expect(lo3).To(BeNumerically("~", lo, 1e-12))
			Expect(hi3).To(BeNumerically("~", hi, 1e-12))
		}
	})

	It("has an interval of no width where all values are the same", func() {
		for _, v := range []float64{0, 0.767, -0.1, 999.99999} {
			var m stats.PooledMean
			for range 100_000 {
				m.Add(v)
			}
			lo, hi, ok := m.Interval(0.95, 100_000)
			Expect(ok).To(BeTrue())
			Expect([]float64{lo, hi}).To(HaveEach(value(&m)))
			Expect(lo).To(BeNumerically("~", v, 1e-9))
		}
	})

	DescribeTable("X8: of a million values is that of two passes, in whatever order they come",
		func(centre, spread float64) {
			random := rand.New(rand.NewPCG(1, 2))
			values := make([]float64, 1_000_000)
			for i := range values {
				values[i] = centre + spread*random.NormFloat64()
			}
			m := pooledOf(values...)
			mean, deviation := twoPasses(values)
			Expect(value(m)).To(BeNumerically("~", mean, 1e-8))
			lo, hi, _ := m.Interval(0.95, m.N())
			// A value is at most half a unit away from its rounding, evenly so.
			rounded := math.Hypot(deviation, 1e-5/math.Sqrt(12))
			Expect((hi - lo) / 2).To(BeNumerically("~", 1.959966*rounded/1000, 1e-4*rounded/1000))

			random.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
			Expect(pooledOf(values...)).To(Equal(m))
		},
		Entry("scores", 0.7, 0.1),
		Entry("scores that hardly differ", 0.9, 1e-4),
		Entry("around nothing", 0.0, 0.3),
		Entry("as great as they may be, and as near", 990.0, 1e-3),
		Entry("of both signs", -3.0, 200.0),
	)
})
