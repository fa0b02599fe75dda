package power_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/power"
	"evalctl/eval/stats"
)

func TestPower(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Power")
}

func defaultValue(wanted ...float64) power.Params {
	return power.Params{Power: 0.8, Alpha: 0.05, Differences: wanted}
}

// compared returns a difference between two variants: the cases that were fixed (gained), broken
// (lost) and equal (same).
func compared(gained, lost, same int64) eval.Difference {
	n := gained + lost + same
	value := float64(gained-lost) / float64(n)
	return eval.Difference{Variant: "b", ComparedWith: "a", Fault: eval.NoFault, State: eval.NotSignificant, Cases: n,
		Fixed: gained, Broken: lost, BothCorrect: same,
		FamilySize: 1, Accuracy: eval.Contrast{Value: &value, N: n}}
}

func suiteOf(list ...eval.Difference) eval.SuiteSummary {
	return eval.SuiteSummary{Name: "s", Epochs: 1, Differences: list}
}

var _ = Describe("the power analysis with an assumed discordance", func() {
	// All values are from a separate program (Python, without a statistics library). It sums the
	// power of a mid-p sign test over the binomial number of flips. Its critical values are from
	// its own binomial sums, in a bisection over n or the difference. Connett's normal formula
	// gives 2353, 1132, 469, 218, 783, 1097 for the first six.
	DescribeTable("requires as many cases as an independent computation",
		func(share, difference float64, family, want int64) {
			q := defaultValue(difference)
			q.FamilySize = family
			a := q.ForDiscordance(0, share).Comparisons[0]
			Expect(a.RequiredCases[0].Cases).To(Equal(want))
			Expect([]int64{a.RequiredCases[0].CasesLo, a.RequiredCases[0].CasesHi}).To(Equal([]int64{want, want}))
			Expect(a.IsAssumedDiscordance).To(BeTrue())
			Expect(a.MinDetectableDifference).To(BeNil())
		},
		Entry(nil, 0.1, 0.02, int64(0), int64(2344)), Entry(nil, 0.1, 0.03, int64(0), int64(1123)),
		Entry(nil, 0.1, 0.05, int64(0), int64(461)),
		Entry(nil, 0.02, 0.05, int64(0), int64(199)), Entry(nil, 0.02, 0.02, int64(0), int64(763)),
		Entry(nil, 0.3, 0.05, int64(0), int64(1095)),
		Entry("no other case differs", 0.0, 0.02, int64(0), int64(335)),
		Entry("two comparisons tested together", 0.05, 0.03, int64(2), int64(818)),
	)

	DescribeTable("has the minimum detectable difference of an independent computation",
		func(share float64, family int64, want float64) {
			q := defaultValue(0.02)
			q.FamilySize = family
			Expect(*q.ForDiscordance(466, share).Comparisons[0].MinDetectableDifference).
				To(BeNumerically("~", want, 1e-5))
		},
		Entry(nil, 0.1, int64(1), 0.049691), Entry(nil, 0.02, int64(1), 0.027517),
		Entry("one of three comparisons tested together", 0.05, int64(3), 0.045122),
	)

	It("has the power of an independent computation for several numbers of cases", func() {
		found := defaultValue(0.02).ForDiscordance(466, 0.1).Comparisons[0].RequiredCases[0].PowerAt
		Expect(found).To(HaveLen(4))
		Expect(found[0].Power).To(BeNumerically("~", 0.235939, 1e-5))
		Expect(found[1].Power).To(BeNumerically("~", 0.419518, 1e-5))
		Expect([]int64{found[0].Cases, found[1].Cases, found[3].Cases}).To(Equal([]int64{466, 932, 3728}))
	})

	// (1.644854 + 0.841621)²·0.1/0.01² = 6182.6, and 0.05/0.02²: 772.8.
	DescribeTable("requires the cases for a gate that Blackwelder's formula gives",
		func(share, margin float64, want int64) {
			q := defaultValue(0.02)
			q.Margin = margin
			Expect(q.ForDiscordance(0, share).Comparisons[0].MarginCases.Cases).To(Equal(want))
		}, Entry("the reference value N", 0.1, 0.01, int64(6183)), Entry(nil, 0.05, 0.02, int64(773)))

	It("has no number of cases if none suffices", func() {
		a := power.Params{Power: 0.8, Alpha: 0.05, Differences: []float64{1e-9}}.ForDiscordance(3, 0.1).Comparisons[0]
		Expect(a.RequiredCases[0].Cases).To(BeZero())
		Expect(a.MinDetectableDifference).To(BeNil(), "three cases prove nothing")
		text, err := json.Marshal(a.RequiredCases[0])
		Expect(err).NotTo(HaveOccurred())
		Expect(text).To(ContainSubstring(`"cases":null,"cases_lo":null,"cases_hi":null`))
		Expect(power.Params{Power: 0.8, Alpha: 0.05, Margin: 0.01}.ForDiscordance(3, 0).
			Comparisons[0].MarginCases.Cases).
			To(BeEquivalentTo(299), "where nothing ever differs")
	})
})

var _ = Describe("the power analysis of a comparison in a run", func() {
	It("has the minimum detectable difference of the run's summary", func() {
		d := compared(24, 16, 160)
		var by stats.PairedAccuracy
		for i := range int64(200) {
			switch {
			case i < 24:
				by.Add(0, 1, 1, 1)
			case i < 40:
				by.Add(1, 1, 0, 1)
			default:
				by.Add(1, 1, 1, 1)
			}
		}
		want, _ := by.MinDetectableDifference(0.05, 0.8)
		a := defaultValue(0.05).ForSuite(suiteOf(d)).Comparisons[0]
		Expect(*a.MinDetectableDifference).To(BeNumerically("~", want, 1e-9))
		Expect([]any{a.Cases, a.DiscordantCases, a.IsAssumedDiscordance}).To(Equal([]any{int64(200), int64(40), false}))
		// Wilson's interval of 40 in 200; no part of the difference of 8 is significant.
		Expect([]float64{a.Discordance.Value, a.Discordance.Lo, a.Discordance.Hi}).
			To(HaveExactElements(0.2, BeNumerically("~", 0.150452, 1e-6), BeNumerically("~", 0.260855, 1e-6)))
		n := a.RequiredCases[0]
		Expect(n.Cases).To(Equal(stats.NeededCases(0.25, 0.05, 0.05, 0.8)))
		Expect(n.CasesLo).To(BeNumerically("<", n.Cases))
		Expect(n.CasesHi).To(BeNumerically(">", n.Cases))
	})

	It("excludes the significant part of the measured difference from the discordance", func() {
		a := defaultValue(0.05).ForSuite(suiteOf(compared(60, 10, 130))).Comparisons[0]
		Expect(a.Discordance.Value).To(BeNumerically("~", (70-(50-1.959964*8.366600))/200, 1e-6))
	})

	It("divides alpha by the family size of the run, or by the given one", func() {
		d := compared(24, 16, 160)
		d.FamilySize = 3
		three := defaultValue(0.05).ForSuite(suiteOf(d)).Comparisons[0]
		Expect(three.FamilySize).To(BeEquivalentTo(3))
		want, _ := stats.MinDetectableDifference(200, three.Discordance.Value, 0.05/3, 0.8)
		Expect(*three.MinDetectableDifference).To(Equal(want))
		Expect(three.RequiredCases[0].Cases).
			To(Equal(stats.NeededCases(three.Discordance.Value+0.05, 0.05, 0.05/3, 0.8)))
		Expect(three.RequiredCases[0].PowerAt[0].Power).
			To(Equal(stats.Power(200, three.Discordance.Value+0.05, 0.05, 0.05/3)))
		q := defaultValue(0.05)
		q.FamilySize = 1
		Expect(*q.ForSuite(suiteOf(d)).Comparisons[0].MinDetectableDifference).To(BeNumerically("<", want))
		led := compared(60, 10, 130)
		// a smaller part of the difference is significant: 2.393980 is the normal quantile of 1 −
		// 0.05/6
		led.FamilySize = 3
		a := defaultValue(0.05).ForSuite(suiteOf(led)).Comparisons[0]
		Expect(a.Discordance.Value).To(BeNumerically("~", (70-(50-2.393980*8.366600))/200, 1e-6))
	})

	It("uses the rule of three if no case differs", func() {
		a := defaultValue(0.02).ForSuite(suiteOf(compared(0, 0, 466))).Comparisons[0]
		Expect(a.Discordance.Value).To(BeZero())
		Expect(a.Discordance.Lo).To(BeZero())
		Expect(a.Discordance.Hi).To(BeNumerically("~", 3.0/466, 3e-5))
		Expect(a.RequiredCases[0].Cases).To(BeEquivalentTo(335))
		Expect(a.RequiredCases[0].CasesHi).To(Equal(stats.NeededCases(a.Discordance.Hi+0.02, 0.02, 0.05, 0.8)))
	})

	It("uses the mean size of the differences if there are several epochs", func() {
		d := compared(20, 20, 160)
		d.MeanSquaredDifference = new(40 * 0.25 / 200) // each case differs in half of its epochs
		a := defaultValue(0.05, 0.6).ForSuite(suiteOf(d)).Comparisons[0]
		Expect(a.RequiredCases[0].Cases).To(Equal(stats.NeededCases(0.3, 0.1, 0.05, 0.8)))
		Expect(a.RequiredCases[1].Cases).To(BeZero(), "no flips of a half make a difference of 60 points")
	})

	It("15.19: assumes independent errors for simulated models, and uses the measured discordance for others", func() {
		d := compared(2, 1, 197)
		d.IndependentDiscordance = &eval.Discordance{DifferingCases: 36, MeanSquare: 0.18}
		s := suiteOf(d)
		a := defaultValue(0.05).ForSuite(s).Comparisons[0]
		Expect(a.DiscordantCases).To(BeEquivalentTo(3))
		Expect(a.ObservedDiscordantCases).To(BeNil())
		s.Models = []eval.ModelInfo{{Component: "router", Kind: "simulated", LabelBased: true, Variants: []string{"b"}}}
		found := defaultValue(0.05).ForSuite(s)
		Expect(found.Simulated).To(BeTrue())
		Expect([]any{found.Comparisons[0].DiscordantCases, *found.Comparisons[0].ObservedDiscordantCases}).
			To(Equal([]any{int64(36), int64(3)}))
		Expect(found.Comparisons[0].RequiredCases[0].Cases).To(Equal(stats.NeededCases(0.18+0.05, 0.05, 0.05, 0.8)))
		s.Models[0].Variants = []string{"other"}
		Expect(defaultValue(0.05).ForSuite(s).Simulated).To(BeFalse())
	})

	It("15.19: with several epochs also has the difference if few cases lose all of their epochs", func() {
		d := compared(20, 20, 160)
		d.MeanSquaredDifference = new(40 * 0.25 / 200) // each case differs in half of its epochs: s² is 0.05
		s := suiteOf(d)
		Expect(defaultValue(0.05).ForSuite(s).Comparisons[0].MinDetectableDifferenceAllEpochs).
			To(BeNil(), "of one epoch nothing else is true")
		s.Epochs = 2
		a := defaultValue(0.05).ForSuite(s).Comparisons[0]
		// d solves n·d² = (1.959964 + 0.841621)²·(0.05 + d − d²); n for d = 0.05 follows.
		v := *a.MinDetectableDifferenceAllEpochs
		Expect(200 * v * v).To(BeNumerically("~", 7.848880*(0.05+v-v*v), 1e-5))
		Expect(v).To(BeNumerically(">", *a.MinDetectableDifference))
		Expect(a.RequiredCases[0].CasesAllEpochs).To(BeEquivalentTo(307)) // 7.848880·0.0975/0.0025 = 306.1
	})

	It("requires the same cases for a gate as the gate itself", func() {
		q := defaultValue(0.05)
		q.Margin = 0.01
		a := q.ForSuite(suiteOf(compared(10, 10, 446))).Comparisons[0]
		Expect(a.MarginCases.Cases).To(Equal(stats.NeededCasesWithinMargin((20.0+2)/468, 0.01, 0.05, 0.8)))
	})

	It("15.16: never requires fewer cases for a gate than the gate needs to pass if no case differs", func() {
		q := defaultValue(0.05)
		for margin, least := range map[float64]int64{0.01: 299, 0.02: 149, 0.05: 59} {
			q.Margin = margin
			for _, n := range []int64{20, 2000} {
				a := q.ForSuite(suiteOf(compared(0, 0, n))).Comparisons[0]
				Expect([]int64{a.MarginCases.Cases, a.MarginCases.CasesLo, a.MarginCases.CasesHi}).
					To(HaveEach(BeNumerically(">=", least)))
			}
			Expect(q.ForSuite(suiteOf(compared(0, 0, 100_000))).Comparisons[0].MarginCases.Cases).To(Equal(least))
		}
	})

	It("is omitted with insufficient data; if no comparison remains, discordances are assumed", func() {
		d := compared(1, 1, 1)
		d.State = eval.InsufficientData
		s := suiteOf(d)
		s.Conditions = []eval.ConditionSummary{{Variant: "a",
			Metrics: map[string]eval.Estimate{"route.accuracy": {N: 35, Cases: 7}}}}
		found := defaultValue(0.05).ForSuite(s)
		Expect(found.SkippedComparisons).To(BeEquivalentTo(1))
		Expect(found.Comparisons).To(HaveLen(len(power.TypicalDiscordances())))
		Expect(found.Comparisons[0].Cases).To(BeEquivalentTo(7))
		Expect(found.Comparisons[0].IsAssumedDiscordance).To(BeTrue())
	})

	It("can use a given discordance", func() {
		a := defaultValue(0.05).
			ForPlannedCases(eval.SuiteSummary{Name: "s",
				Conditions: []eval.ConditionSummary{{Metrics: map[string]eval.Estimate{"route.accuracy": {N: 466}}}}},
				0.1)
		Expect(a.Name).To(Equal("s"))
		Expect(*a.Comparisons[0].MinDetectableDifference).To(BeNumerically("~", 0.049691, 1e-5))
	})
})

// In the simulation the variants differ in a tenth of the cases anyway, and B loses another 3
// points, with the required number of cases.
var _ = It("the required number of cases detects a difference in 80 of 100 simulated runs", func() {
	n := defaultValue(0.03).ForDiscordance(0, 0.1).Comparisons[0].RequiredCases[0].Cases
	random := rand.New(rand.NewPCG(10, 4))
	const runs = 800
	shown := int64(0)
	for range runs {
		var p stats.PairedAccuracy
		for range n {
			switch u := random.Float64(); {
			case u < 0.05:
				p.Add(0, 1, 1, 1)
			case u < 0.13:
				p.Add(1, 1, 0, 1)
			default:
				p.Add(1, 1, 1, 1)
			}
		}
		if p.MidP() <= 0.05 {
			shown++
		}
	}
	lo, hi := stats.Wilson(shown, runs, 0.999)
	Expect(lo).To(BeNumerically("<", 0.8))
	Expect(hi).To(BeNumerically(">", 0.8))
})
