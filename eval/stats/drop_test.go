package stats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/stats"
)

// fifths returns n cases of five epochs. drops has the number of cases for each drop, in fifths;
// all others are equal.
func fifths(n int, drops map[int64]int) *stats.PairedAccuracy {
	var list []int64
	for drop, count := range drops {
		list = append(list, slices.Repeat([]int64{-drop}, count)...)
	}
	return pairedOf(5, append(list, make([]int64, n-len(list))...)...)
}

// flips returns n cases of one epoch: losses are right only under A, gains only under B, all others
// are equal.
func flips(losses, gains, n int) *stats.PairedAccuracy {
	return pairedOf(1, flippedDifferences(gains, losses, n-losses-gains)...)
}

// passes reports whether a gate on the drop of one condition passes at 5 %: the drop is below
// margin.
func passes(p *stats.PairedAccuracy, margin float64) bool {
	lo, _, _ := p.OneSidedBounds(0.05)
	return p.DropBelowPValue(margin) <= 0.05 && -lo <= margin
}

func fails(p *stats.PairedAccuracy, margin float64) bool {
	_, hi, _ := p.OneSidedBounds(0.05)
	return p.DropAbovePValue(margin) < 0.05 && -hi > margin
}

var _ = Describe("The drop of paired cases", func() {
	DescribeTable("15.16: has the reference bounds and gate verdict",
		func(p *stats.PairedAccuracy, margin, lower, upper float64, verdict string) {
			lo, hi, ok := p.OneSidedBounds(0.05)
			Expect(ok).To(BeTrue())
			Expect([]float64{-hi, -lo}).
				To(HaveExactElements(BeNumerically("~", lower, sixDigits), BeNumerically("~", upper, sixDigits)))
			Expect(passes(p, margin)).To(Equal(verdict == "pass"))
			Expect(fails(p, margin)).To(Equal(verdict == "fail"))
		},
		Entry("no difference in 298 cases", flips(0, 0, 298), 0.01, -0.010002, 0.010002, "undecided"),
		Entry("no difference in 299 cases", flips(0, 0, 299), 0.01, -0.009969, 0.009969, "pass"),
		Entry("1 loss in 383 cases", flips(1, 0, 383), 0.01, -0.004102, 0.012326, "undecided"),
		Entry("row G1: 14 losses, 9 gains in 466 cases", flips(14, 9, 466), 0.01, -0.006601, 0.028923, "undecided"),
		Entry("row G2: 3 losses, 10 gains in 466 cases", flips(3, 10, 466), 0.01, -0.029683, -0.002290, "pass"),
		Entry("row G3: 20 losses, 4 gains in 466 cases", flips(20, 4, 466), 0.01, 0.017574, 0.053351, "fail"),
		Entry("row G5: 30 losses, 5 gains in 466 cases", flips(30, 5, 466), 0.0, 0.033917, 0.075954, "fail"),
		Entry("25 losses, 24 gains in 827 cases", flips(25, 24, 827), 0.02, -0.013068, 0.015527, "pass"),
		Entry("1 loss, 3 gains in 100 cases", flips(1, 3, 100), 0.02, -0.064201, 0.019301, "pass"),
		Entry("100 cases of 5 epochs, with gains only", fifths(100, map[int64]int{-1: 5}), 0.01, -0.033060,
			0.013078, "undecided"),
		Entry("231 cases of 5 epochs, with losses only", fifths(231, map[int64]int{1: 3}), 0.01, -0.007479,
			0.012993, "undecided"),
		Entry("466 cases of 5 epochs, with gains and losses",
			fifths(466, map[int64]int{1: 14, -1: 10, 2: 4, -2: 5, 5: 2, -5: 1}), 0.01, -0.006051,
			0.012703, "undecided"),
		Entry("row D4: 20 cases of 5 epochs, with gains and losses",
			fifths(20, map[int64]int{-3: 1, 1: 1, -2: 1, -5: 1, -1: 3, 2: 1, -4: 1}), 0.05,
			-0.290456, 0.001143, "pass"),
	)

	DescribeTable("passes the gate, if no case differs, from a minimum number of cases on; the recommended number is never below it",
		func(margin float64, n int) {
			Expect(passes(flips(0, 0, n-1), margin)).To(BeFalse())
			Expect(passes(flips(0, 0, n), margin)).To(BeTrue())
			for _, variance := range []float64{0, 1e-6, 0.001} {
				Expect(stats.NeededCasesForDropGate(variance, margin, 0.05, 0.8)).To(BeEquivalentTo(n))
			}
			Expect(stats.NeededCasesForDropGate(0.25, margin, 0.05, 0.8)).
				To(Equal(stats.NeededCasesWithinMargin(0.25, margin, 0.05, 0.8)))
			Expect(fifths(n, nil).DropBelowPValue(margin)).To(BeNumerically("~", math.Pow(1-margin, float64(n)), 1e-9),
				"of epochs")
		},
		Entry("a margin of 1 point: 299 cases", 0.01, 299), Entry("a margin of 2 points: 149 cases", 0.02, 149),
		Entry("a margin of 5 points: 59 cases", 0.05, 59),
	)

	It("15.16: wrongly passes the gate with at most 5 % probability if the true loss equals the margin", func() {
		for _, n := range []int{100, 231, 383} {
			s := newDropSizes(n, 0.01)
			for _, extra := range []float64{0, 0.05} {
				Expect(s.falsePass(extra)).To(BeNumerically("<=", 0.0505), "n %d, extra %g", n, extra)
				Expect(s.falseFail(extra)).To(BeNumerically("<=", 0.0525), "n %d, extra %g", n, extra)
			}
		}
	})

	It("has, with several epochs, the p-value that an enumeration of all results gives", func() {
		p := pairedOf(2, -1, 2, 0) // drops ½, −1, 0
		Expect(p.DropBelowPValue(0.1)).To(BeNumerically("~", tiltedTail([]float64{0.5, -1, 0}, 0.1, -0.5), 1e-6))
	})

	It("15.16: has the exact mean although fine drops are rounded", func() {
		list := slices.Repeat([]int64{-1, 2, 0, 0, 3, -2, 1, 0, 0, 0}, 40)
		exact, rounded := pairedOf(7, list...), pairedOf(7, list...)
		rounded.Add(0, 241, 1, 241) // from here on drops are rounded
		lo, hi, _ := exact.OneSidedBounds(0.05)
		roundedLo, roundedHi, _ := rounded.OneSidedBounds(0.05)
		Expect([]float64{roundedLo, roundedHi}).
			To(HaveExactElements(BeNumerically("~", lo, 5e-4), BeNumerically("~", hi, 5e-4)))
		value, _ := rounded.Value()
		Expect(rounded.DropBelowPValue(-value)).To(Equal(1.0))
	})

	It("15.16: is tested in limited time, and its p-value does not jump where the normal limit takes over", func() {
		began := time.Now()
		for _, n := range []int{1_900_000, 2_100_000} { // with 6 % gains the limit is between the two
			p := &stats.PairedAccuracy{}
			repeat(p, n*6/100, 0, 1)
			repeat(p, n*6/100+n/2000, 1, 0)
			repeat(p, n*88/100-n/2000, 1, 1)
			Expect(p.DropBelowPValue(0.001)).
				To(BeNumerically("~", map[int]float64{1_900_000: 0.0234, 2_100_000: 0.0183}[n], 5e-4))
		}
		Expect(time.Since(began)).To(BeNumerically("<", 10*time.Second))
	})

	It("15.16: is mirrored if A and B are exchanged, and proves nothing without cases or with invalid arguments",
		func() {
			random := rand.New(rand.NewPCG(16, 1))
			for _, scale := range []int64{1, 5, 7} {
				there, back := &stats.PairedAccuracy{}, &stats.PairedAccuracy{}
				for range 60 {
					a, b := random.Int64N(scale+1), random.Int64N(scale+1)
					there.Add(a, scale, b, scale)
					back.Add(b, scale, a, scale)
				}
				Expect(there.DropBelowPValue(0.05)).To(Equal(back.DropAbovePValue(-0.05)))
				lo, hi, _ := there.OneSidedBounds(0.05)
				backLo, backHi, _ := back.OneSidedBounds(0.05)
				Expect([]float64{lo, hi}).
					To(HaveExactElements(BeNumerically("~", -backHi, 1e-9), BeNumerically("~", -backLo, 1e-9)))
				for _, margin := range []float64{-2, -1, 1, 2, math.NaN()} {
					Expect(there.DropBelowPValue(margin)).To(BeElementOf(0.0, 1.0))
				}
				Expect(there.DropBelowPValue(math.NaN())).To(Equal(1.0))
			}
			all := flips(40, 0, 40)
			Expect([]float64{all.DropBelowPValue(0.99), all.DropBelowPValue(1), all.DropAbovePValue(0.5)}).
				To(HaveExactElements(BeNumerically(">", 0.5), 1.0, BeNumerically("<", 1e-4)))
			var none stats.PairedAccuracy
			Expect([]float64{none.DropBelowPValue(0.5), none.DropAbovePValue(0)}).To(Equal([]float64{1, 1}))
			_, _, ok := none.OneSidedBounds(0.05)
			Expect(ok).To(BeFalse())
		})
})

func repeat(p *stats.PairedAccuracy, n int, kA, kB int64) {
	for range n {
		p.Add(kA, 1, kB, 1)
	}
}

// tiltedTail returns the probability that a sum of len(drops) draws is at most sum, with weights
// whose mean is margin. It finds the weights by exhaustive search, independently of the package.
func tiltedTail(drops []float64, margin, sum float64) float64 {
	weights := make([]float64, len(drops)+1)
	values := append(slices.Clone(drops), 1)
	best := math.Inf(1)
	for i := range 400_000 {
		lambda := -float64(i) / 400_000 / (1 - margin)
		mean := 0.0
		for _, d := range drops {
			mean += (d - margin) / (1 + lambda*(d-margin)) / float64(len(drops))
		}
		if math.Abs(mean) >= best {
			continue
		}
		best = math.Abs(mean)
		rest := 1.0
		for k, d := range drops {
			weights[k] = 1 / (1 + lambda*(d-margin)) / float64(len(drops))
			rest -= weights[k]
		}
		weights[len(drops)] = max(rest, 0)
	}
	tail := 0.0
	for _, a := range []int{0, 1, 2, 3} {
		for _, b := range []int{0, 1, 2, 3} {
			for _, c := range []int{0, 1, 2, 3} {
				if values[a]+values[b]+values[c] <= sum+1e-9 {
					tail += weights[a] * weights[b] * weights[c]
				}
			}
		}
	}
	return tail
}
