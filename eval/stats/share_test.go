package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/stats"
)

func times(s *stats.Proportion, n int, k, m int64) {
	for range n {
		s.Add(k, m)
	}
}

var _ = Describe("Proportion", func() {
	DescribeTable("has the reference effective number of trials and the reference interval",
		func(fill func(s *stats.Proportion), p, effective, lo, hi float64) {
			var s stats.Proportion
			fill(&s)
			gotP, ok := s.Value()
			Expect(ok).To(BeTrue())
			gotLo, gotHi, ok := s.Interval(0.95)
			Expect(ok).To(BeTrue())
			Expect(gotP).To(BeNumerically("~", p, sixDigits))
			Expect(s.EffectiveN()).To(BeNumerically("~", effective, sixDigits))
			Expect(gotLo).To(BeNumerically("~", lo, sixDigits))
			Expect(gotHi).To(BeNumerically("~", hi, sixDigits))
		},
		Entry("reference A1: cases of one epoch", func(s *stats.Proportion) {
			times(s, 435, 1, 1)
			times(s, 31, 0, 1)
		}, 0.933476, 466.0, 0.907123, 0.952742),
		Entry("reference A2: six cases of five epochs", func(s *stats.Proportion) {
			for _, k := range []int64{5, 5, 5, 4, 2, 5} {
				s.Add(k, 5)
			}
		}, 0.866667, 9.025210, 0.541593, 0.972797),
		Entry("reference A3: a few cases whose epochs disagree", func(s *stats.Proportion) {
			times(s, 430, 5, 5)
			times(s, 20, 4, 5)
			times(s, 10, 2, 5)
			times(s, 6, 0, 5)
		}, 0.965665, 718.119584, 0.949676, 0.976699),
		Entry("reference A4: cases without any failure", func(s *stats.Proportion) { times(s, 466, 5, 5) }, 1.0,
			466.0, 0.991824, 1.0),
		Entry("reference A5: cases whose epochs always agree", func(s *stats.Proportion) {
			times(s, 25, 5, 5)
			times(s, 5, 0, 5)
		}, 0.833333, 30.0, 0.664356, 0.926635),
		Entry("reference A6: cases with different numbers of epochs", func(s *stats.Proportion) {
			for i, k := range []int64{3, 2, 5, 0, 1, 4, 1} {
				s.Add(k, []int64{3, 5, 5, 4, 1, 4, 2}[i])
			}
		}, 0.666667, 8.918919, 0.353022, 0.879963),
	)

	It("counts trials, successes and cases, and has no value without trials", func() {
		var s stats.Proportion
		s.Add(0, 0)
		_, ok := s.Value()
		Expect(ok).To(BeFalse())
		_, _, ok = s.Interval(0.95)
		Expect(ok).To(BeFalse())
		Expect(s.EffectiveN()).To(BeZero())
		s.Add(2, 3)
		s.Add(1, 1)
		Expect([]int64{s.Successes(), s.N(), s.Cases()}).To(Equal([]int64{3, 4, 2}))
	})

	It("bounds its interval by the extremes: all missing trials failed, or all succeeded", func() {
		var s, failed, succeeded stats.Proportion
		for i := range int64(100) {
			for _, one := range []*stats.Proportion{&s, &failed, &succeeded} {
				one.Add(min(i/4, 1), 1)
			}
		}
		for range 25 {
			failed.Add(0, 1)
			succeeded.Add(1, 1)
		}
		lo, hi, ok := s.WorstCaseBounds(25, 0.95)
		lowest, _, _ := failed.Interval(0.95)
		_, highest, _ := succeeded.Interval(0.95)
		Expect(ok).To(BeTrue())
		Expect([]float64{lo, hi}).
			To(HaveExactElements(BeNumerically("~", lowest, 1e-12), BeNumerically("~", highest, 1e-12)))
		within, _, _ := s.Interval(0.95)
		Expect(lo).To(BeNumerically("<", 96.0/125-(0.96-within)),
			"the interval of the value is narrower than that of the worst")
		_, _, ok = new(stats.Proportion).WorstCaseBounds(3, 0.95)
		Expect(ok).To(BeFalse())
	})

	It("has no interval at an invalid level, or for invalid counts", func() {
		var s stats.Proportion
		s.Add(1, 2)
		for _, level := range []float64{0, 1, 95, math.NaN()} {
			_, _, ok := s.Interval(level)
			Expect(ok).To(BeFalse(), "level %v", level)
		}
		s.Add(9, 2)
		_, _, ok := s.Interval(0.95)
		Expect(ok).To(BeFalse())
	})

	It("has Wilson's interval with one trial per case", func() {
		for k := range int64(21) {
			var s stats.Proportion
			times(&s, int(k), 1, 1)
			times(&s, int(20-k), 0, 1)
			lo, hi, _ := s.Interval(0.95)
			wantLo, wantHi := stats.Wilson(k, 20, 0.95)
			Expect([]float64{lo, hi}).
				To(HaveExactElements(BeNumerically("~", wantLo, 1e-15), BeNumerically("~", wantHi, 1e-15)))
			Expect(lo == 0).To(Equal(k == 0))
			Expect(hi == 1).To(Equal(k == 20))
		}
	})

	It("has an effective number of trials between the number of cases and the number of trials", func() {
		random := rand.New(rand.NewPCG(1, 9))
		for range 300 {
			var s stats.Proportion
			epochs := 1 + random.Int64N(5)
			for range 1 + random.IntN(40) {
				s.Add(random.Int64N(epochs+1), epochs)
			}
			Expect(s.EffectiveN()).To(And(BeNumerically(">=", float64(s.Cases())*(1-1e-12)),
				BeNumerically("<=", s.N())))
		}
	})

	It("returns bit-identical results for any order of cases", func() {
		random := rand.New(rand.NewPCG(2, 9))
		cases := make([][2]int64, 500)
		for i := range cases {
			m := 1 + random.Int64N(7)
			cases[i] = [2]int64{random.Int64N(m + 1), m}
		}
		interval := func() [3]float64 {
			var s stats.Proportion
			for _, c := range cases {
				s.Add(c[0], c[1])
			}
			lo, hi, _ := s.Interval(0.95)
			return [3]float64{s.EffectiveN(), lo, hi}
		}
		want := interval()
		for range 20 {
			random.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
			Expect(interval()).To(Equal(want))
		}
	})
})

func BenchmarkShareAdd(b *testing.B) {
	var s stats.Proportion
	b.ReportAllocs()
	for i := range b.N {
		s.Add(int64(i%6), 5)
	}
}
