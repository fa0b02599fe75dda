package stats_test

import (
	"math"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/stats"
)

var _ = Describe("the power of a paired test", func() {
	It("agrees with an enumeration of all outcomes", func() {
		for _, n := range []int{1, 5, 12, 30} {
			for _, discordance := range []float64{0.05, 0.3, 1} {
				for _, share := range []float64{0, 0.5, 1} {
					difference := share * discordance
					Expect(stats.Power(int64(n), discordance, difference, 0.05)).
						To(BeNumerically("~", enumeratedPower(n, discordance, difference), 1e-8), "n %d, ψ %v, δ %v", n,
							discordance, difference)
				}
			}
		}
	})

	It("is the size of the test if there is no difference: at most slightly above alpha", func() {
		for _, n := range []int64{20, 100, 466, 2000} {
			for _, discordance := range []float64{0.03, 0.05, 0.1, 0.2} {
				Expect(stats.Power(n, discordance, 0, 0.05)).To(BeNumerically("<", 0.056), "n %d, ψ %v", n, discordance)
			}
		}
	})

	It("does not jump where the normal limit replaces the exact sum", func() {
		for _, difference := range []float64{0, 0.01, 0.02, 0.03, 0.05} {
			exact := stats.Power(4000, 0.1, difference, 0.05)
			Expect(stats.Power(4001, 0.1, difference, 0.05)).To(BeNumerically("~", exact, 3e-3), "δ %v", difference)
		}
	})

	It("is reached by the detectable difference, and not by a smaller one", func() {
		for _, n := range []int64{20, 100, 466, 2000, 100_000} {
			for _, discordance := range []float64{0, 0.03, 0.1, 0.2, 1} {
				difference, ok := stats.MinDetectableDifference(n, discordance, 0.05, 0.8)
				Expect(ok).To(BeTrue())
				with := func(difference float64) float64 {
					return stats.Power(n, min(discordance+difference, 1), difference, 0.05)
				}
				Expect(with(difference)).To(BeNumerically("~", 0.8, 5e-3), "n %d, ψ %v", n, discordance)
				Expect(with(difference*0.97)).To(BeNumerically("<", 0.8), "n %d, ψ %v", n, discordance)
			}
		}
	})

	It("has no detectable difference if the test is not significant even when all cases differ", func() {
		_, ok := stats.MinDetectableDifference(4, 1, 0.05, 0.8) // mid-p of 4 of 4 is 1/16
		Expect(ok).To(BeFalse())
		difference, ok := stats.MinDetectableDifference(5, 0, 0.05, 0.8)
		Expect(ok).To(BeTrue())
		Expect(difference).To(BeNumerically("~", math.Pow(0.8, 0.2), 1e-5)) // all five differ
	})

	It("is reached with the needed number of cases, and not with fewer", func() {
		for _, difference := range []float64{0.005, 0.02, 0.1, 0.5} {
			for _, discordance := range []float64{0.01, 0.1, 0.3} {
				n := stats.NeededCases(discordance, difference, 0.05, 0.8)
				Expect(stats.Power(n, discordance, difference, 0.05)).To(BeNumerically(">=", 0.8))
				Expect(stats.Power(n-1, discordance, difference, 0.05)).To(BeNumerically("<", 0.8), "ψ %v, δ %v",
					discordance, difference)
			}
		}
	})

	// Connett, Smith & McHugh (1987) and Miettinen (1968) for matched pairs: n =
	// (z_{α/2}√ψ + z_β√(ψ−δ²))²/δ²; 80 % at ψ 0.1, δ 0.02 is 1,958.
	It("needs as many cases as the published formula, if they are many", func() {
		formula := math.Pow(1.959964*math.Sqrt(0.1)+0.841621*math.Sqrt(0.1-0.0004), 2) / 0.0004
		Expect(float64(stats.NeededCases(0.1, 0.02, 0.05, 0.8))).To(BeNumerically("~", formula, formula/100))
	})

	DescribeTable("reference N: has the reference number of cases for a gate on a drop",
		func(variance, power float64, want int64) {
			Expect(stats.NeededCasesWithinMargin(variance, 0.01, 0.05, power)).To(Equal(want))
		},
		Entry(nil, 0.03, 0.8, int64(1855)), Entry(nil, 0.05, 0.8, int64(3092)), Entry(nil, 0.10, 0.8, int64(6183)),
		Entry(nil, 0.03, 0.9, int64(2570)), Entry(nil, 0.05, 0.9, int64(4282)), Entry(nil, 0.10, 0.9, int64(8564)),
	)

	DescribeTable("has no needed number of cases for invalid arguments",
		func(discordance, difference, alpha, power float64) {
			Expect(stats.NeededCases(discordance, difference, alpha, power)).To(BeZero())
			Expect(stats.NeededCasesWithinMargin(discordance, difference, alpha, power)).To(BeZero())
		},
		Entry("a difference of 0", 0.1, 0.0, 0.05, 0.8),
		Entry("a negative difference", 0.1, -0.1, 0.05, 0.8),
		Entry("a difference that is NaN", 0.1, math.NaN(), 0.05, 0.8),
		Entry("a negative discordance", -0.1, 0.1, 0.05, 0.8),
		Entry("an alpha of 0", 0.1, 0.1, 0.0, 0.8),
		Entry("a power of 1", 0.1, 0.1, 0.05, 1.0),
	)

	It("has detectable differences that scale with the typical size of a case's difference with several epochs",
		func() {
			p := pairedOf(5, append([]int64{3, -1, 2, 5, 1, -2, 0, 4, 1, 1}, make([]int64, 10)...)...)
			flip, _ := stats.MinDetectableDifference(20, 9.0/20, 0.05, 0.8)
			size := math.Sqrt(62.0 / 25 / 9)
			got, ok := p.MinDetectableDifference(0.05, 0.8)
			Expect(ok).To(BeTrue())
			Expect(got).To(BeNumerically("~", flip*size, 1e-9))
		})

	It("15.19: pairs the cases at random to compute the discordance of independent errors", func() {
		var p stats.PairedAccuracy
		for _, c := range [][4]int64{{1, 1, 1, 1}, {1, 1, 0, 1}, {1, 1, 1, 1}, {0, 1, 0, 1}} {
			p.Add(c[0], c[1], c[2], c[3])
		}
		// 3 of 4 and 2 of 4 are right: 4·(3/4·2/4 + 1/4·2/4) cases differ.
		Expect(p.IndependentDiscordance()).
			To(Equal(stats.Discordance{Cases: 4, DifferingCases: 2, SumDifferences: -1, SumSquaredDifferences: 2}))

		var q stats.PairedAccuracy
		q.Add(1, 2, 2, 2)
		q.Add(2, 2, 1, 2)
		// Of the four pairs of {½, 1} with {1, ½} two differ, by ½: one case of two, ¼.
		Expect(q.IndependentDiscordance()).
			To(Equal(stats.Discordance{Cases: 2, DifferingCases: 1, SumSquaredDifferences: 0.25}))
		Expect(new(stats.PairedAccuracy).IndependentDiscordance()).To(BeZero())
	})

	It("15.19: is reached by the reference difference if few cases lose all of their epochs", func() {
		d, ok := stats.MinDetectableDifferenceAllEpochs(100, 0.019, 0.05, 0.8)
		Expect(ok).To(BeTrue())
		// (7.848880 + √(7.848880² + 4·107.848880·7.848880·0.019))/215.697759
		Expect(d).To(BeNumerically("~", 0.088416, 1e-6))
		Expect(stats.NeededCasesAllEpochs(0.019, d, 0.05, 0.8)).To(BeEquivalentTo(100))
		for _, bad := range [][3]float64{{-0.1, 0.05, 0.8}, {2, 0.05, 0.8}, {math.NaN(), 0.05, 0.8}, {0.1, 0, 0.8},
			{0.1, 0.05, 1}} {
			_, ok := stats.MinDetectableDifferenceAllEpochs(100, bad[0], bad[1], bad[2])
			Expect(ok).To(BeFalse())
			Expect(stats.NeededCasesAllEpochs(bad[0], 0.1, bad[1], bad[2])).To(BeZero())
		}
		_, ok = stats.MinDetectableDifferenceAllEpochs(2, 0, 0.05, 0.8)
		Expect(ok).To(BeTrue(), "a normal limit")
		Expect(stats.NeededCasesAllEpochs(0.1, 0, 0.05, 0.8)).To(BeZero())
	})

	It("counts as differing the present cases and those of a new difference, less the significant part of the present difference", func() {
		identical, _ := pairedOf(1, flippedDifferences(20, 20, 160)...).MinDetectableDifference(0.05, 0.8)
		Expect(stats.Power(200, 0.2+identical, identical, 0.05)).To(BeNumerically("~", 0.8, 5e-3))
		Expect(stats.Power(200, 0.2, identical, 0.05)).To(BeNumerically(">", 0.9))
		luck, _ := pairedOf(1, flippedDifferences(24, 16, 160)...).MinDetectableDifference(0.05, 0.8)
		Expect(luck).To(Equal(identical))
		lead := 50 - 1.959964*math.Sqrt(70)
		want, _ := stats.MinDetectableDifference(200, (70-lead)/200, 0.05, 0.8)
		proven, _ := pairedOf(1, flippedDifferences(10, 60, 130)...).MinDetectableDifference(0.05, 0.8)
		Expect(proven).To(BeNumerically("~", want, 1e-5))
	})
})

// enumeratedPower computes the power by summing over all numbers of gained and lost cases among n,
// with its own mid-p.
func enumeratedPower(n int, discordance, difference float64) float64 {
	up, down := (discordance+difference)/2, (discordance-difference)/2
	power := 0.0
	for gained := 0; gained <= n; gained++ {
		for lost := 0; gained+lost <= n; lost++ {
			if signTest(gained, lost) <= 0.05 {
				power += multinomial(n, gained, lost) * math.Pow(up, float64(gained)) * math.Pow(down, float64(lost)) *
					math.Pow(1-discordance, float64(n-gained-lost))
			}
		}
	}
	return power
}

// signTest returns the two-sided mid-p value of the sign test.
func signTest(gained, lost int) float64 {
	flips, p := gained+lost, 0.0
	for k := range flips + 1 {
		chance := multinomial(flips, k, flips-k) / math.Pow(2, float64(flips))
		switch far, limit := abs(2*k-flips), abs(gained-lost); {
		case far > limit:
			p += chance
		case far == limit:
			p += chance / 2
		}
	}
	if flips == 0 {
		return 1
	}
	return p
}

func multinomial(n, a, b int) float64 {
	logOf := func(n int) float64 { v, _ := math.Lgamma(float64(n + 1)); return v }
	return math.Exp(logOf(n) - logOf(a) - logOf(b) - logOf(n-a-b))
}

func abs(v int) int { return max(v, -v) }
