package stats_test

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/stats"
)

var _ = Describe("Bootstrap", func() {
	It("is deterministic by seed, and independent of order", func() {
		for round := range 20 {
			random := rand.New(rand.NewPCG(uint64(round), 13))
			rows := clusteredRows(random, 30, 3)
			replicates, seed := 41+round, uint64(round)
			want := bootstrapOf(replicates, seed, rows).Replicates()
			random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
			Expect(bootstrapOf(replicates, seed, rows).Replicates()).To(Equal(want))
			Expect(bootstrapOf(replicates, seed+1, rows).Replicates()).NotTo(Equal(want))
		}
	})

	It("gives the rows of one case the same weight", func() {
		// Right and wrong in one case: every resample that has the case has both.
		b := bootstrapOf(0, 0, []row{{caseKey: 5, expected: "a", predicted: "a"}, {caseKey: 5, expected: "a", predicted: "b"}})
		Expect(b.Replicates()).To(HaveEach(b.Replicates()[0]))
		_, _, ok := b.Interval(0.95)
		Expect(ok).To(BeFalse())
	})

	It("works without being made by a constructor", func() {
		var b stats.Bootstrap
		for i := range uint64(50) {
			b.Add(i, "a", []string{"a", "b"}[i%2])
		}
		lo, hi, ok := b.Interval(0.95)
		Expect(ok).To(BeTrue())
		Expect(lo).To(BeNumerically("<", hi))
		Expect(b.Replicates()).To(HaveLen(400))
	})

	It("cannot tell from nothing, from one case, from unanimity, or beyond its resolution", func() {
		var empty stats.Bootstrap
		_, _, ok := empty.Interval(0.95)
		Expect(ok).To(BeFalse())

		var right stats.Bootstrap
		for i := range uint64(100) {
			right.Add(i, "a", "a")
		}
		_, _, ok = right.Interval(0.95)
		Expect(ok).To(BeFalse())

		right.Add(7, "a", "b")
		for _, level := range []float64{0, 0.999, 1, 95, math.NaN()} {
			_, _, ok = right.Interval(level)
			Expect(ok).To(BeFalse(), "level %v", level)
		}
	})

	It("agrees with an ordinary multinomial bootstrap of cases", func() {
		const replicates = 4000
		random := rand.New(rand.NewPCG(14, 15))
		rows := clusteredRows(random, 150, 4)
		b := bootstrapOf(replicates, 16, rows)
		poisson, multinomial := b.Replicates(), multinomialBootstrap(random, rows, replicates)
		meanGot, sdGot := moments(poisson)
		meanWant, sdWant := moments(multinomial)
		Expect(meanGot).To(BeNumerically("~", meanWant, sdWant/10))
		Expect(sdGot).To(BeNumerically("~", sdWant, sdWant/15))
		lo, hi, ok := b.Interval(0.95)
		Expect(ok).To(BeTrue())
		Expect(lo).To(BeNumerically("~", multinomial[replicates/40-1], sdWant/5))
		Expect(hi).To(BeNumerically("~", multinomial[replicates-replicates/40], sdWant/5))
	})

	DescribeTable("covers the true macro-F1 as often as it says",
		func(cases, rowsPerCase int) {
			const rounds = 500
			truth := trueMacroF1()
			covered := 0
			random := rand.New(rand.NewPCG(17, 18))
			for range rounds {
				b := bootstrapOf(0, random.Uint64(), clusteredRows(random, cases, rowsPerCase))
				lo, hi, ok := b.Interval(0.95)
				if ok && lo <= truth && truth <= hi {
					covered++
				}
			}
			AddReportEntry("coverage", float64(covered)/rounds)
			Expect(float64(covered) / rounds).To(And(BeNumerically(">=", 0.92), BeNumerically("<=", 0.98)))
		},
		Entry("200 cases of a row", 200, 1),
		Entry("150 cases of 3 rows that agree with each other", 150, 3),
	)
})

// clusteredRows draws cases of 3 labels (50, 30 and 20 %). A case is easy or hard, and
// its rows share that, so they are correlated.
func clusteredRows(random *rand.Rand, cases, rowsPerCase int) []row {
	rows := make([]row, 0, cases*rowsPerCase)
	for i := range cases {
		expected := labelAt(random.Float64())
		right := 0.4
		if random.Float64() < 0.7 {
			right = 0.95
		}
		for range rowsPerCase {
			predicted := expected
			if random.Float64() > right {
				predicted = labelAt(random.Float64())
			}
			rows = append(rows, row{caseKey: uint64(i), expected: expected, predicted: predicted})
		}
	}
	return rows
}

func labelAt(u float64) string {
	switch {
	case u < 0.5:
		return "a"
	case u < 0.8:
		return "b"
	}
	return "c"
}

// trueMacroF1 is that of the law behind clusteredRows: an answer is right with 0.785,
// or by the luck of the 0.215 that draw afresh; the label frequencies of expectation
// and prediction are equal, so F1 = precision = recall = 0.785 + 0.215·frequency.
func trueMacroF1() float64 {
	kept := 0.7*0.95 + 0.3*0.4
	return kept + (1-kept)*(0.5+0.3+0.2)/3
}

func bootstrapOf(replicates int, seed uint64, rows []row) *stats.Bootstrap {
	b := stats.NewBootstrap(replicates, seed)
	for _, r := range rows {
		b.Add(r.caseKey, r.expected, r.predicted)
	}
	return b
}

// multinomialBootstrap draws as many cases with replacement as there are.
func multinomialBootstrap(random *rand.Rand, rows []row, replicates int) []float64 {
	byCase := map[uint64][]row{}
	for _, r := range rows {
		byCase[r.caseKey] = append(byCase[r.caseKey], r)
	}
	values := make([]float64, replicates)
	for i := range values {
		var c stats.Confusion
		for range len(byCase) {
			for _, r := range byCase[uint64(random.IntN(len(byCase)))] {
				c.Add(r.expected, r.predicted, 1)
			}
		}
		values[i], _ = c.MacroF1()
	}
	slices.Sort(values)
	return values
}

func moments(values []float64) (mean, sd float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		sd += (v - mean) * (v - mean) / float64(len(values))
	}
	return mean, math.Sqrt(sd)
}

func ExampleBootstrap() {
	var confusion stats.Confusion
	var b stats.Bootstrap // of 400 replicates
	for i := range 300 {
		id, want, got := fmt.Sprintf("case-%d", i/3), []string{"chat", "image_gen"}[i%2], "chat"
		if i%5 > 0 {
			got = want
		}
		key := fnv.New64a()
		key.Write([]byte(id))
		confusion.Add(want, got, 1)
		b.Add(key.Sum64(), want, got)
	}
	macro, _ := confusion.MacroF1()
	lo, hi, ok := b.Interval(0.95)
	fmt.Printf("macro-F1 %.3f [%.3f, %.3f] %v\n", macro, lo, hi, ok)
	// Output:
	// macro-F1 0.899 [0.865, 0.926] true
}

func BenchmarkBootstrapAdd(b *testing.B) {
	for _, labels := range []int{5, 150} {
		rows := randomRows(rand.New(rand.NewPCG(1, 2)), 4096, labels)
		b.Run(fmt.Sprintf("a case a row, %d labels", labels), func(b *testing.B) {
			var boot stats.Bootstrap
			b.ReportAllocs()
			for i := range b.N {
				r := rows[i%4096]
				boot.Add(uint64(i), r.expected, r.predicted)
			}
		})
		b.Run(fmt.Sprintf("5 rows a case, %d labels", labels), func(b *testing.B) {
			var boot stats.Bootstrap
			b.ReportAllocs()
			for i := range b.N {
				r := rows[i%4096]
				boot.Add(uint64(i/5), r.expected, r.predicted)
			}
		})
	}
}

func BenchmarkBootstrapInterval(b *testing.B) {
	boot := bootstrapOf(0, 0, randomRows(rand.New(rand.NewPCG(1, 2)), 4096, 20))
	for range b.N {
		boot.Interval(0.95)
	}
}
