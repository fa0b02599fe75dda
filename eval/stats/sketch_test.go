package stats_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/stats"
)

var _ = Describe("Sketch", func() {
	It("has no statistics while it is empty", func() {
		var s stats.QuantileSketch
		_, okMean := s.Mean()
		_, okQuantile := s.Quantile(0.5)
		_, _, okInterval := s.Interval(0.5, 0.95)
		Expect([]bool{okMean, okQuantile, okInterval}).To(HaveEach(false))
		Expect(s.N()).To(BeZero())
		Expect(s.IsExact()).To(BeTrue())
	})

	It("works without a constructor: its zero value counts durations", func() {
		var s stats.QuantileSketch
		s.AddN(30, 2)
		s.Add(10)
		Expect(snapshot(&s)).To(
			Equal("n=3 exact=true min=10,true max=30,true mean=23.333333333333332,true values=10×1 30×2"))
	})

	It("ignores negative durations", func() {
		var s stats.QuantileSketch
		s.Add(-1)
		s.AddN(-5, 3)
		s.AddN(7, 0)
		s.AddN(7, -2)
		s.Add(0)
		Expect(s.N()).To(Equal(int64(1)))
	})

	It("has no statistics once it counts 2⁶³−1 values or more", func() {
		var s stats.QuantileSketch
		s.AddN(5, math.MaxInt64-1)
		v, ok := s.Quantile(0.5)
		Expect(v).To(Equal(int64(5)))
		Expect(ok).To(BeTrue())
		s.AddN(5, math.MaxInt64)
		Expect(s.N()).To(Equal(int64(math.MaxInt64)))
		_, ok = s.Quantile(0.5)
		Expect(ok).To(BeFalse())
		_, ok = s.Mean()
		Expect(ok).To(BeFalse())
	})

	It("computes the mean from an exact sum beyond 64 bits", func() {
		random := rand.New(rand.NewPCG(3, 4))
		var s stats.QuantileSketch
		sum := new(big.Int)
		for range 1000 {
			v, n := random.Int64(), random.Int64N(1<<40)+1
			s.AddN(v, n)
			sum.Add(sum, new(big.Int).Mul(big.NewInt(v), big.NewInt(n)))
		}
		want, _ := new(big.Rat).SetFrac(sum, big.NewInt(s.N())).Float64()
		got, ok := s.Mean()
		Expect(ok).To(BeTrue())
		Expect(got).To(BeNumerically("~", want, want*1e-15))
	})

	It("is exact up to its limit, and coarse from the next different value", func() {
		s := stats.NewSketch(100)
		for v := range int64(100) {
			s.AddN(v*1_000_003, 7)
		}
		Expect(s.IsExact()).To(BeTrue())
		s.Add(100 * 1_000_003)
		Expect(s.IsExact()).To(BeFalse())
	})

	It("has the same state for any order of values, exact, coarse, and across the switch", func() {
		for round := range 150 {
			random := rand.New(rand.NewPCG(uint64(round), 5))
			limit := 1 + random.IntN(40)
			values := make([]int64, 1+random.IntN(80))
			for i := range values {
				values[i] = randomDuration(random)
			}
			want := stats.NewSketch(limit)
			for _, v := range values {
				want.Add(v)
			}
			random.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
			got := stats.NewSketch(limit)
			for _, v := range values {
				got.Add(v)
				got.Quantile(0.5) // a query must not change anything
			}
			Expect(snapshot(got)).To(Equal(snapshot(want)), "round %d, limit %d", round, limit)
		}
	})
})

// randomDuration returns durations of every magnitude. Small ones repeat often.
func randomDuration(random *rand.Rand) int64 {
	if random.IntN(3) == 0 {
		return random.Int64N(8) - 1
	}
	return random.Int64() >> random.IntN(63)
}

// snapshot returns everything that can be observed of a sketch, as text for comparison.
func snapshot(s *stats.QuantileSketch) string {
	low, okLow := s.Quantile(0)
	high, okHigh := s.Quantile(1)
	mean, okMean := s.Mean()
	text := fmt.Sprintf("n=%d exact=%v min=%d,%v max=%d,%v mean=%v,%v values=",
		s.N(), s.IsExact(), low, okLow, high, okHigh, mean, okMean)
	separator := ""
	for v, n := range s.All() {
		text += fmt.Sprintf("%s%d×%d", separator, v, n)
		separator = " "
	}
	return text
}

func ExampleSketch() {
	var latency stats.QuantileSketch
	for i := range 200 {
		latency.Add(int64(i+1) * int64(time.Millisecond))
	}
	p95, _ := latency.Quantile(0.95)
	lo, hi, _ := latency.Interval(0.95, 0.95)
	fmt.Println(time.Duration(p95), "in", time.Duration(lo), "…", time.Duration(hi), "of", latency.N())
	_, _, ok := latency.Interval(0.99, 0.95)
	fmt.Println("200 are enough for the interval of a p99:", ok)
	// Output:
	// 190ms in 184ms … 197ms of 200
	// 200 are enough for the interval of a p99: false
}

func BenchmarkSketchAdd(b *testing.B) {
	for name, distinct := range map[string]int64{"few": 50, "full": 16000, "coarse": 1 << 40} {
		b.Run(name, func(b *testing.B) {
			random := rand.New(rand.NewPCG(6, 7))
			values := make([]int64, 1<<16)
			for i := range values {
				values[i] = int64(time.Second) + random.Int64N(distinct)*1001
			}
			var s stats.QuantileSketch
			for _, v := range values {
				s.Add(v)
			}
			b.ResetTimer()
			b.ReportAllocs()
			for i := range b.N {
				s.Add(values[i&(1<<16-1)])
			}
		})
	}
}

func BenchmarkSketchFill(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		var s stats.QuantileSketch
		for v := range int64(16384) {
			s.Add(v * 1_000_003)
		}
	}
}

func BenchmarkSketchQuantile(b *testing.B) {
	var s stats.QuantileSketch
	for v := range int64(16384) {
		s.Add(v * 1_000_003)
	}
	b.Run("again", func(b *testing.B) {
		for range b.N {
			s.Quantile(0.95)
		}
	})
	b.Run("interval", func(b *testing.B) {
		for range b.N {
			s.Interval(0.95, 0.95)
		}
	})
	b.Run("after an add", func(b *testing.B) {
		for range b.N {
			s.Add(0)
			s.Quantile(0.95)
		}
	})
}
