package finding_test

import (
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/reports/finding"
)

func TestFinding(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "finding")
}

func of(k, n int64) eval.Estimate { return eval.Estimate{Value: new(float64(k) / float64(n)), N: n} }

func condition(name, fault string, right, n int64) eval.ConditionSummary {
	return eval.ConditionSummary{Variant: name, Fault: fault, Trials: n,
		Metrics: map[string]eval.Estimate{"route.accuracy": of(right, n)}}
}

func versus(b, a string, state eval.ComparisonState, v, lo, hi float64) eval.Difference {
	return eval.Difference{Variant: b, ComparedWith: a, State: state, Cases: 100, Fixed: 7, Broken: 4,
		Accuracy: eval.Contrast{Value: &v, Lo: &lo, Hi: &hi, N: 100}, MinDetectableDifference: new(0.082)}
}

// three returns a suite in which the variants a, b and c have 70, 80 and 81 of 100 decisions right.
func three(differences ...eval.Difference) eval.SuiteSummary {
	return eval.SuiteSummary{Cases: 100, Epochs: 1, Differences: differences, Conditions: []eval.ConditionSummary{
		condition("a", eval.NoFault, 70, 100), condition("b", eval.NoFault, 80, 100),
		condition("c", eval.NoFault, 81, 100)}}
}

func sentenceOf(s eval.SuiteSummary, kind finding.Kind) string {
	for _, f := range finding.Findings(s) {
		if f.Kind == kind {
			return f.String()
		}
	}
	return ""
}

var _ = Describe("The finding on the most accurate variant", func() {
	It("compares it with the baseline variant and the runner-up, in whichever order the summary compares them", func() {
		s := three(versus("b", "a", eval.Better, 0.1, 0.04, 0.16), versus("c", "a", eval.Better, 0.11, 0.05, 0.17),
			versus("b", "c", eval.Worse, -0.01, -0.02, -0.004))
		Expect(sentenceOf(s, finding.KindMostAccurate)).
			To(Equal("c has the highest accuracy: 81.0 % of 100, 11.0 points above a [5.0, 17.0] (7 cases fixed, 4 broken), 1.0 above b [0.4, 2.0]."))
	})

	It("states that it is not significantly better, and the minimum detectable difference", func() {
		s := three(versus("c", "a", eval.Better, 0.11, 0.05, 0.17),
			versus("c", "b", eval.NotSignificant, 0.01, -0.02, 0.04))
		Expect(sentenceOf(s, finding.KindMostAccurate)).
			To(Equal("c has the highest accuracy: 81.0 % of 100, 11.0 points above a [5.0, 17.0] (7 cases fixed, 4 broken), not significantly above b (+1.0 points [−2.0, +4.0]). These 100 cases can detect a difference of 8.2 points with 80 % power."))
	})

	It("compares it only with the baseline variant and the runner-up, even if it is better than more variants", func() {
		s := three(versus("c", "a", eval.Better, 0.11, 0.05, 0.17), versus("c", "b", eval.Better, 0.01, 0.004, 0.02),
			versus("c", "d", eval.Better, 0.06, 0.01, 0.11), versus("c", "e", eval.Better, 0.07, 0.01, 0.13))
		s.Conditions = append(s.Conditions, condition("d", eval.NoFault, 75, 100),
			condition("e", eval.NoFault, 74, 100))
		Expect(sentenceOf(s, finding.KindMostAccurate)).
			To(HaveSuffix("(7 cases fixed, 4 broken), 1.0 above b [0.4, 2.0]."))
	})

	It("compares it with the baseline variant even if only the runner-up is significantly worse", func() {
		s := three(versus("c", "a", eval.NotSignificant, 0.11, -0.05, 0.17),
			versus("c", "b", eval.Better, 0.01, 0.001, 0.04))
		Expect(sentenceOf(s, finding.KindMostAccurate)).
			To(HavePrefix("c has the highest accuracy: 81.0 % of 100, 1.0 points above b [0.1, 4.0], not significantly above a (+11.0 points [−5.0, +17.0])"))
	})

	It("states a tie if the paired difference is 0", func() {
		tied := versus("c", "b", eval.NotSignificant, 0, -0.03, 0.03)
		s := three(tied)
		Expect(sentenceOf(s, finding.KindMostAccurate)).
			To(Equal("c and b have equal accuracy: 81.0 % of 100; they differ in 11 cases. These 100 cases can detect a difference of 8.2 points with 80 % power."))
		s.Differences = append(s.Differences, versus("c", "a", eval.Better, 0.11, 0.05, 0.17))
		Expect(sentenceOf(s, finding.KindMostAccurate)).
			To(HaveSuffix("with 80 % power. c is 11.0 points above a [5.0, 17.0] (7 cases fixed, 4 broken)."))
		s.Differences[1].State = eval.NotSignificant
		Expect(sentenceOf(s, finding.KindMostAccurate)).
			To(HaveSuffix("; they differ in 11 cases. c is not significantly above a (+11.0 points). These 100 cases can detect a difference of 8.2 points with 80 % power."))
		s.Differences[0].Unpaired = 3
		Expect(sentenceOf(s, finding.KindMostAccurate)).
			To(HavePrefix("c and b have equal accuracy over the 100 cases that both score; they differ in 11 cases"))
	})

	It("states the number of comparisons if only the correction makes the difference not significant", func() {
		d := versus("c", "b", eval.NotSignificant, 0.05, 0.01, 0.09)
		d.FamilySize = 12
		Expect(sentenceOf(three(d), finding.KindMostAccurate)).
			To(HaveSuffix("not significantly above b (+5.0 points), corrected for 12 comparisons. These 100 cases can detect a difference of 8.2 points with 80 % power."))
	})

	It("counts cases that are right more or less often if there are several epochs", func() {
		s := three(versus("c", "a", eval.Better, 0.11, 0.05, 0.17))
		s.Epochs = 3
		Expect(sentenceOf(s, finding.KindMostAccurate)).
			To(ContainSubstring(" (7 cases right more often, 4 less often)"))
		s = three(versus("c", "b", eval.Identical, 0, 0, 0), versus("a", "c", eval.Worse, -0.11, -0.17, -0.05))
		s.Epochs = 3
		Expect(sentenceOf(s, finding.KindMostAccurate)).
			To(ContainSubstring("; a is right less often in 4 of these and more often in 7"))
	})

	It("is omitted if the cases were selected because they failed", func() {
		s := three(versus("c", "a", eval.Better, 0.11, 0.05, 0.17))
		s.FailedInRun = "runs/first"
		Expect(sentenceOf(s, finding.KindMostAccurate)).To(BeEmpty())
	})

	It("15.13: is accompanied by a warning if variants with simulated models differ in prompts, because these models read no prompts", func() {
		s := three(versus("c", "b", eval.Better, 0.11, 0.05, 0.17))
		s.Models = []eval.ModelInfo{{Component: "router", Kind: "simulated", LabelBased: true}}
		Expect(sentenceOf(s, finding.KindPromptsNotRead)).To(BeEmpty())
		s.Prompts = map[string]string{"b": "1"}
		Expect(sentenceOf(s, finding.KindPromptsNotRead)).To(HavePrefix("Simulated models do not read prompts"))
		s.Models = []eval.ModelInfo{{Kind: "simulated", Variants: []string{"a", "c"}},
			{Kind: "real", Variants: []string{"b"}}}
		Expect(sentenceOf(s, finding.KindPromptsNotRead)).To(BeEmpty(), "the simulated ones have the same prompts")
		s.Prompts["c"] = "2"
		Expect(sentenceOf(s, finding.KindPromptsNotRead)).NotTo(BeEmpty())
	})

	It("names all variants that make identical decisions", func() {
		s := three(versus("c", "b", eval.Identical, 0, 0, 0), versus("c", "a", eval.Better, 0.11, 0.05, 0.17))
		s.Conditions[1] = condition("b", eval.NoFault, 81, 100)
		Expect(sentenceOf(s, finding.KindMostAccurate)).
			To(Equal("b and c make identical decisions in all 100 cases, accuracy 81.0 % of 100."),
				"b against a is unknown")
		s.Differences = append(s.Differences, versus("a", "b", eval.Worse, -0.11, -0.17, -0.05))
		Expect(sentenceOf(s, finding.KindMostAccurate)).
			To(Equal("b and c make identical decisions in all 100 cases, accuracy 81.0 % of 100; a breaks 4 of these and fixes 7 (−11.0 points [−17.0, −5.0])."))
	})

	It("states the number of wrong cases if there is only one variant", func() {
		s := three()
		s.Conditions = s.Conditions[:1]
		Expect(sentenceOf(s, finding.KindMostAccurate)).To(Equal("a is wrong in 30 of 100 cases."))
		s.Cases = 60
		Expect(sentenceOf(s, finding.KindMostAccurate)).To(Equal("a is wrong in 30 of 100 decisions."))
		s.Conditions[0].Metrics["route.accuracy"] = of(60, 60)
		Expect(sentenceOf(s, finding.KindMostAccurate)).To(Equal("a is right in all 60 cases."))
		s.Epochs = 3
		Expect(sentenceOf(s, finding.KindMostAccurate)).To(Equal("a is right in all 60 trials."))
	})

	It("is omitted without comparisons or if most trials are unscored", func() {
		Expect(sentenceOf(three(), finding.KindMostAccurate)).To(BeEmpty())
		s := three(versus("c", "b", eval.InsufficientData, 0.01, 0, 0.02))
		Expect(sentenceOf(s, finding.KindMostAccurate)).To(BeEmpty())
		s = three(versus("b", "a", eval.Better, 0.1, 0.04, 0.16), versus("c", "a", eval.Better, 0.3, 0.1, 0.4))
		s.Conditions[2].Metrics["route.accuracy"] = eval.Estimate{Value: new(1.0), N: 9, Missing: 91}
		Expect(sentenceOf(s, finding.KindMostAccurate)).
			To(HavePrefix("b has the highest accuracy: 80.0 % of 100, 10.0 points above a "))
		s.Conditions = s.Conditions[1:]
		s.Conditions[0].Metrics["route.accuracy"] = eval.Estimate{Missing: 100}
		Expect(sentenceOf(s, finding.KindMostAccurate)).To(BeEmpty(), "another run is the reference")
	})
})

var _ = Describe("The finding on the top confusion", func() {
	mistakes := func(c *eval.ConditionSummary, predicted string, n int64) {
		c.ConfusedPairs = []eval.ConfusedPair{{Expected: "x", Predicted: predicted, N: n, Cases: []string{"case-1"}}}
		c.Confusion = &eval.Confusion{Labels: []string{"x", predicted}, Counts: [][]int64{{40, n}, {0, 50}}}
	}

	It("names that of the best variant, compared with the baseline variant", func() {
		s := three()
		mistakes(&s.Conditions[2], "y", 4)
		Expect(sentenceOf(s, finding.KindTopConfusion)).To(Equal("Top confusion of c: x → y, 4 of 44."))
		mistakes(&s.Conditions[0], "y", 9)
		Expect(sentenceOf(s, finding.KindTopConfusion)).To(Equal("Top confusion of c: x → y, 4 of 44 (a: 9)."))
		mistakes(&s.Conditions[0], "z", 9)
		Expect(sentenceOf(s, finding.KindTopConfusion)).To(Equal("Top confusion of c: x → y, 4 of 44; a: x → z, 9."))
		id, variant := finding.ExampleCase(s)
		Expect([]string{id, variant}).To(Equal([]string{"case-1", "c"}))
	})

	It("names up to two equally frequent confusions that occurred at least three times", func() {
		s := three()
		mistakes(&s.Conditions[2], "y", 2)
		Expect(sentenceOf(s, finding.KindTopConfusion)).To(BeEmpty())
		mistakes(&s.Conditions[2], "y", 4)
		tied := func(c *eval.ConditionSummary, n int64) {
			c.ConfusedPairs = append(c.ConfusedPairs, eval.ConfusedPair{Expected: "y", Predicted: "x", N: n})
		}
		tied(&s.Conditions[2], 4)
		Expect(sentenceOf(s, finding.KindTopConfusion)).To(Equal("Top confusions of c: x → y and y → x, 4 each."))
		tied(&s.Conditions[2], 4)
		Expect(sentenceOf(s, finding.KindTopConfusion)).To(BeEmpty())
		mistakes(&s.Conditions[2], "y", 4)
		mistakes(&s.Conditions[0], "z", 9)
		tied(&s.Conditions[0], 9)
		Expect(sentenceOf(s, finding.KindTopConfusion)).
			To(Equal("Top confusion of c: x → y, 4 of 44; a: x → z and y → x, 9 each."))
	})

	It("excludes invalid labels, which have a finding of their own", func() {
		s := three()
		c := &s.Conditions[2]
		mistakes(c, "invalid", 12)
		c.ConfusedPairs = append(c.ConfusedPairs,
			eval.ConfusedPair{Expected: "x", Predicted: "y", N: 4, Cases: []string{"case-2"}})
		Expect(sentenceOf(s, finding.KindTopConfusion)).To(Equal("Top confusion of c: x → invalid, 12 of 52."),
			"a label of that name")
		Expect(sentenceOf(s, finding.KindInvalidLabels)).To(BeEmpty())
		c.Confusion = &eval.Confusion{Labels: []string{"x", "y", "invalid"},
			Counts: [][]int64{{36, 4, 12}, {3, 50, 0}, {0, 0, 0}}, InvalidLabel: "invalid"}
		Expect(sentenceOf(s, finding.KindTopConfusion)).To(Equal("Top confusion of c: x → y, 4 of 52."))
		Expect(sentenceOf(s, finding.KindInvalidLabels)).To(Equal("12 of 19 wrong answers of c are invalid labels."))
		id, _ := finding.ExampleCase(s)
		Expect(id).To(Equal("case-2"))
	})

	It("is not followed by a finding on invalid labels if these are rare", func() {
		s := three()
		mistakes(&s.Conditions[2], "invalid", 3)
		s.Conditions[2].Confusion.InvalidLabel = "invalid"
		s.Conditions[2].Confusion.Counts[1][0] = 16
		Expect(sentenceOf(s, finding.KindInvalidLabels)).To(BeEmpty(), "3 of 19")
		s.Conditions[2].Confusion.Counts[1][0] = 0
		Expect(sentenceOf(s, finding.KindInvalidLabels)).To(Equal("All 3 wrong answers of c are invalid labels."))
	})

	It("counts turns, not cases, if cases have several turns", func() {
		s := three()
		s.Conditions[2].Metrics["route.accuracy"] = of(0, 5)
		mistakes(&s.Conditions[2], "invalid", 6)
		s.Conditions[2].Confusion.InvalidLabel = "invalid"
		Expect(sentenceOf(s, finding.KindInvalidLabels)).To(Equal("All 6 wrong answers of c are invalid labels."))
	})
})

var _ = Describe("The finding on unscored trials", func() {
	lacks := func(c *eval.ConditionSummary, n int64) {
		c.Metrics["route.accuracy"] = eval.Estimate{Value: new(1.0), N: 100 - n, Missing: n}
	}

	It("appears if more than 5 % are unscored", func() {
		s := three()
		lacks(&s.Conditions[1], 5)
		Expect(sentenceOf(s, finding.KindUnscored)).To(BeEmpty())
		lacks(&s.Conditions[1], 6)
		s.Conditions[1].Metrics["errors.timeout"] = eval.Estimate{Value: new(6.0), N: 100}
		Expect(sentenceOf(s, finding.KindUnscored)).To(Equal("b: 6 of 100 cases unscored (timeout 6)."))
		lacks(&s.Conditions[2], 94)
		Expect(sentenceOf(s, finding.KindUnscored)).
			To(Equal("c: 94 of 100 cases unscored; its accuracy covers only 6; also more than 5 % in 1 other condition."))
	})

	It("comes first, and names a variant without any scored trial before a fault without any", func() {
		s := three(versus("b", "a", eval.Better, 0.1, 0.04, 0.16),
			eval.Difference{Variant: "c", ComparedWith: "a", Fault: eval.NoFault, Unpaired: 100})
		lost := condition("a", "router:timeout", 1, 100)
		lacks(&lost, 100)
		lacks(&s.Conditions[2], 100)
		s.Conditions = []eval.ConditionSummary{s.Conditions[0], lost, s.Conditions[1], s.Conditions[2]}
		Expect(finding.Findings(s)[0].String()).
			To(Equal("c: all 100 cases unscored; also more than 5 % in 1 other condition."))
		Expect(sentenceOf(s, finding.KindMostAccurate)).
			To(HavePrefix("b has the highest accuracy: 80.0 % of 100, 10.0 points above a "))
		Expect(sentenceOf(s, finding.KindMostAccurate)).NotTo(ContainSubstring("above c"))
	})

	It("counts trials instead of cases if there are several epochs", func() {
		s := three()
		s.Epochs = 2
		lacks(&s.Conditions[1], 60)
		Expect(sentenceOf(s, finding.KindUnscored)).To(HavePrefix("b: 60 of 100 trials unscored"))
	})

	It("is accompanied by a warning on invalid event streams and components", func() {
		s := three()
		s.Conditions[1].Metrics["events.in_order"] = of(98, 100)
		s.Conditions[2].Metrics["genui.conform"] = of(99, 100)
		Expect(sentenceOf(s, finding.KindContractViolation)).
			To(Equal("Events are out of order in 2 of 100 cases of b; also in 1 other condition."))
	})
})

var _ = Describe("The finding on critics", func() {
	accepts := func(c *eval.ConditionSummary, k, n int64, lo, hi float64) {
		e := of(k, n)
		e.Lo, e.Hi = &lo, &hi
		c.Metrics["critic.false_accept"] = e
	}

	It("compares how many bad images they accept if their intervals do not overlap", func() {
		s := three()
		accepts(&s.Conditions[0], 96, 100, 0.9, 0.98)
		accepts(&s.Conditions[1], 14, 100, 0.08, 0.22)
		accepts(&s.Conditions[2], 98, 100, 0.93, 0.99)
		Expect(sentenceOf(s, finding.KindCritic)).
			To(Equal("Bad images that pass the critic: a and c 96–98 %, b 14.0 % (14 of 100)."))
		accepts(&s.Conditions[1], 50, 100, 0.08, 0.94)
		Expect(sentenceOf(s, finding.KindCritic)).To(BeEmpty())
	})
})

var _ = Describe("15.22: the finding on macro-F1", func() {
	It("states how many labels it covers, and that its interval is corrected for bias", func() {
		s := three()
		for i := range s.Conditions {
			m := s.Conditions[i].Metrics
			m["route.macro_f1"], m["route.recall.chat"], m["route.recall.image"], m["route.recall.time"] = of(8, 10),
				of(5, 6), of(3, 4), eval.Estimate{Missing: 2}
			Expect(sentenceOf(s, finding.KindLabelsWithoutCases)).To(BeEmpty())
		}
		s.Conditions[0].LabelsWithoutCases, s.Conditions[1].LabelsWithoutCases, s.Conditions[2].LabelsWithoutCases = 3,
			3, 3
		Expect(sentenceOf(s, finding.KindLabelsWithoutCases)).
			To(Equal("Macro-F1 is the mean over 2 labels with cases; 3 labels have no case. Its interval is corrected for bias."))
		s.Conditions[2].LabelsWithoutCases = 4
		Expect(sentenceOf(s, finding.KindLabelsWithoutCases)).
			To(Equal("c: Macro-F1 is the mean over 2 labels with cases; 4 labels have no case. Its interval is corrected for bias."))
	})
})

var _ = Describe("15.27: a tag with a significant difference", func() {
	inTag := func(d eval.Difference, tag string, state eval.ComparisonState, v, lo, hi float64) eval.Difference {
		d.SignificantTags = append(d.SignificantTags,
			eval.TagDifference{Tag: tag, State: state, Cases: 50, Accuracy: eval.Contrast{Value: &v, Lo: &lo, Hi: &hi},
				FamilySize: 4})
		return d
	}

	It("is reported if there is no significant difference overall, in whichever order the summary compares the variants",
		func() {
			want := "b compared with a: no significant difference overall; lang:zh is worse by 13.0 points [−22.4, −3.1]."
			s := three(inTag(versus("b", "a", eval.NotSignificant, -0.01, -0.03, 0.02), "lang:zh", eval.Worse, -0.13,
				-0.224, -0.031), versus("c", "a", eval.NotSignificant, 0.01, -0.02, 0.04))
			Expect(sentenceOf(s, finding.KindTagDifference)).To(Equal(want))
			s.Differences[0] = inTag(versus("a", "b", eval.NotSignificant, 0.01, -0.02, 0.03), "lang:zh", eval.Better,
				0.13, 0.031, 0.224)
			Expect(sentenceOf(s, finding.KindTagDifference)).To(Equal(want))
			s.Differences[0] = versus("b", "a", eval.NotSignificant, -0.01, -0.03, 0.02)
			Expect(sentenceOf(s, finding.KindTagDifference)).To(BeEmpty())
		})

	It("is mentioned in the sentence on changes since the baseline run", func() {
		v := compare.PairResult{Candidate: 1,
			Difference: inTag(eval.Difference{State: eval.NotSignificant, Cases: 40, Fixed: 2, Broken: 5,
				Accuracy: eval.Contrast{Value: new(-0.01)}},
				"lang:zh", eval.Worse, -0.13, -0.224, -0.031)}
		s, _ := finding.BaselineChanges("runs/1",
			[]compare.Comparison{{Epochs: 1, Candidates: []compare.Candidate{{Variant: "a"}, {Variant: "a"}},
				Pairs: []compare.PairResult{v}}}, nil)
		Expect(s.String()).To(Equal(
			"Compared with runs/1: a: no significant difference overall; lang:zh is worse by 13.0 points [−22.4, −3.1] (2 fixed, 5 broken)."))
	})
})

var _ = Describe("15.20: the finding on Critic loops", func() {
	delivers := func(c *eval.ConditionSummary, first, delivered int64, gain, lo, hi float64) {
		c.LoopRounds = make([]eval.LoopRoundSummary, 2)
		c.Metrics["critic.first_attempt_good"], c.Metrics["critic.delivered_good"] = of(first, 100), of(delivered, 100)
		c.Metrics["critic.good_gain"] = eval.Estimate{Value: &gain, Lo: &lo, Hi: &hi, N: 100}
	}

	It("states how many good images they deliver, the largest significant gain first", func() {
		s := three()
		delivers(&s.Conditions[0], 43, 61, 0.18, 0.107, 0.247)
		delivers(&s.Conditions[1], 43, 85, 0.42, 0.326, 0.5)
		delivers(&s.Conditions[2], 43, 44, 0.01, -0.02, 0.04)
		Expect(sentenceOf(s, finding.KindDeliveredImages)).
			To(Equal("Good images, first attempt to delivered: b +42.0 points [+32.6, +50.0], from 43.0 % to 85.0 %, a +18.0."))
		delivers(&s.Conditions[0], 61, 43, -0.18, -0.247, -0.107)
		s.Conditions = s.Conditions[:1]
		Expect(sentenceOf(s, finding.KindDeliveredImages)).
			To(ContainSubstring("a −18.0 points [−24.7, −10.7], from 61.0 % to 43.0 %"))
		delivers(&s.Conditions[0], 61, 62, 0.01, -0.02, 0.04)
		Expect(sentenceOf(s, finding.KindDeliveredImages)).
			To(Equal("Good images, first attempt to delivered: no significant change in a."))
	})

	It("is omitted if no attempts are labeled", func() {
		Expect(sentenceOf(three(), finding.KindDeliveredImages)).To(BeEmpty())
	})
})

var _ = Describe("The findings on faults", func() {
	hurt := func(s *eval.SuiteSummary, fault string, wrong, errorReply, unscored int64) *eval.ConditionSummary {
		s.Conditions = append(s.Conditions, condition("a", fault, 70-wrong, 100))
		s.FaultOutcomes = append(s.FaultOutcomes,
			eval.FaultOutcome{Variant: "a", Fault: fault, Trials: 100, NowWrong: wrong, Broken: wrong,
				NowErrorReply: errorReply, NowUnscored: unscored})
		return &s.Conditions[len(s.Conditions)-1]
	}

	It("treat several faults as one if all their displayed values are equal", func() {
		s := three()
		hurt(&s, "router:timeout", 9, 0, 0)
		hurt(&s, "router:reset", 9, 0, 0)
		hurt(&s, "router:auth", 9, 1, 0)
		hurt(&s, "image:reset", 9, 0, 0)
		var rows []string
		for _, h := range finding.FaultEffects(s) {
			rows = append(rows, strings.Join(h.FaultNames(), " "))
		}
		Expect(rows).To(Equal([]string{"router:auth", "router:timeout router:reset", "image:reset"}))
		Expect(sentenceOf(s, finding.KindWorstFault)).To(Equal("router:auth breaks 9 correct decisions of a."))
	})

	It("do not merge a single fault with a combination of faults", func() {
		s := three()
		hurt(&s, "router:timeout+image:reset", 9, 0, 0)
		hurt(&s, "router:timeout", 9, 0, 0)
		Expect(finding.FaultEffects(s)).To(HaveLen(2))
		Expect(finding.FaultEffects(s)[0].FaultKinds()).To(BeEmpty())
	})

	It("state the largest effect of a fault, and that every fallback answered", func() {
		s := three()
		c := hurt(&s, "router:timeout", 1, 30, 0)
		c.Metrics["fallback.recovered"] = of(50, 50)
		c.Metrics["error_reply.rate"] = of(34, 100) // four of them are also error replies without the fault
		Expect(sentenceOf(s, finding.KindWorstFault)).
			To(Equal("router:timeout: 34 of 100 cases of a end in an error reply. Every fallback still answers."))
		s.Conditions[0].Metrics["error_reply.rate"] = of(4, 100)
		Expect(sentenceOf(s, finding.KindWorstFault)).
			To(Equal("router:timeout: 34 of 100 cases of a end in an error reply (4 without the fault). Every fallback still answers."))
		s.Epochs = 2
		Expect(sentenceOf(s, finding.KindWorstFault)).
			To(ContainSubstring("34 of 100 trials of a end in an error reply"))
		hurt(&s, "router:reset", 50, 0, 0)
		s.Epochs = 2
		Expect(sentenceOf(s, finding.KindWorstFault)).
			To(Equal("router:reset breaks 50 correct decisions of a in 100 trials."))
	})

	It("count all broken decisions, including those of trials that end with an error reply", func() {
		s := three()
		hurt(&s, "router:fallback_label", 30, 20, 0).Metrics["error_reply.rate"] = of(20, 100)
		s.FaultOutcomes[0].Broken = 50
		Expect(sentenceOf(s, finding.KindWorstFault)).
			To(Equal("router:fallback_label breaks 50 correct decisions of a."))
	})

	It("leave faults with many unscored trials to the finding on unscored trials", func() {
		s := three()
		hurt(&s, "router:timeout", 0, 0, 90).Metrics["route.accuracy"] = eval.Estimate{Value: new(1.0),
			N: 10, Missing: 90}
		Expect(sentenceOf(s, finding.KindWorstFault)).To(BeEmpty())
		hurt(&s, "router:reset", 3, 0, 0)
		Expect(sentenceOf(s, finding.KindWorstFault)).
			To(Equal("Worst fault with enough scored cases: router:reset breaks 3 correct decisions of a."))
	})

	It("name the slowest fault if it makes the p95 at least 1.5 times as long", func() {
		s := three()
		s.Conditions[0].Metrics["latency.p95"] = eval.Estimate{Value: new(1000.0), N: 100}
		c := hurt(&s, "router:timeout", 0, 0, 0)
		c.Metrics["latency.p95"] = eval.Estimate{Value: new(1499.0), N: 100}
		Expect(sentenceOf(s, finding.KindSlowestFault)).To(BeEmpty())
		c.Metrics["latency.p95"] = eval.Estimate{Value: new(1500.0), N: 100}
		Expect(sentenceOf(s, finding.KindSlowestFault)).
			To(Equal("Slowest fault: router:timeout raises p95 of a from 1.00 s to 1.50 s."))
		c.Metrics["episode.p95"] = eval.Estimate{Value: new(9000.0), N: 40}
		Expect(sentenceOf(s, finding.KindSlowestFault)).
			To(Equal("Slowest fault: router:timeout raises the turn p95 of a from 1.00 s to 1.50 s."),
				"a case takes longer")
		c.Metrics["latency.p95"] = eval.Estimate{Value: new(1500.0), N: 19}
		Expect(sentenceOf(s, finding.KindSlowestFault)).To(BeEmpty(), "of too few")
	})
})

var _ = Describe("The finding on cost", func() {
	costs := func(c *eval.ConditionSummary, usd float64, missing int64) {
		c.Metrics["cost.usd_per_1000"] = eval.Estimate{Value: new(10 * usd), N: 100, Missing: missing}
	}

	It("compares the most expensive variant with the cheapest if it costs at least twice as much", func() {
		s := three()
		costs(&s.Conditions[0], 1, 0)
		costs(&s.Conditions[1], 1.9, 0)
		Expect(sentenceOf(s, finding.KindCost)).To(BeEmpty())
		costs(&s.Conditions[1], 31.3, 0)
		Expect(sentenceOf(s, finding.KindCost)).To(Equal("b costs USD 313.00 per 1,000 cases, 31 times as much as a."))
		costs(&s.Conditions[0], 0, 0)
		Expect(sentenceOf(s, finding.KindCost)).To(Equal("b costs USD 313.00 per 1,000 cases, a costs nothing."))
		costs(&s.Conditions[0], 1, 3)
		Expect(sentenceOf(s, finding.KindCost)).To(BeEmpty(), "what is missing may be dear")
	})
})

var _ = Describe("The finding on overconfidence", func() {
	confidence := func(mean, right, hi float64) *eval.ConfidenceSummary {
		return &eval.ConfidenceSummary{MeanConfidence: mean,
			Accuracy: eval.Estimate{Value: &right, Lo: new(2*right - hi), Hi: &hi, N: 466}}
	}

	It("names the most overconfident model", func() {
		s := three()
		s.Conditions[0].Confidence, s.Conditions[1].Confidence, s.Conditions[2].Confidence = confidence(0.91, 0.8,
			0.84), confidence(0.97, 0.75, 0.8), confidence(0.6, 0.9, 0.93)
		Expect(sentenceOf(s, finding.KindOverconfident)).
			To(Equal("The model of b is over-confident: mean confidence 0.97, accuracy 75.0 % of 466."))
	})

	It("is omitted if the cases were selected because they failed", func() {
		s := three()
		s.Conditions[0].Confidence, s.FailedInRun = confidence(0.91, 0.3, 0.4), "runs/first"
		Expect(sentenceOf(s, finding.KindOverconfident)).To(BeEmpty())
	})

	It("is omitted if the confidence is justified, only slightly too high, or known only under a fault", func() {
		s := three()
		Expect(sentenceOf(s, finding.KindOverconfident)).To(BeEmpty())
		s.Conditions[0].Confidence, s.Conditions[1].Confidence = confidence(0.88, 0.8, 0.84),
			confidence(0.99, 0.7, 0.75)
		s.Conditions[1].Fault = "router:low_confidence"
		Expect(sentenceOf(s, finding.KindOverconfident)).To(BeEmpty())
	})
})

var _ = Describe("The finding on decisions without the model", func() {
	// called returns a variant that used its model's answers in this many of 40 decisions; parts
	// are the counts of its other metrics.
	called := func(name string, used int64, parts map[string]int64) eval.ConditionSummary {
		c := condition(name, eval.NoFault, 22, 40)
		c.Metrics["router.answer_used"] = of(used, 40)
		for metric, n := range parts {
			c.Metrics["router."+metric] = of(n, 40)
		}
		return c
	}
	all := func(conditions ...eval.ConditionSummary) eval.SuiteSummary {
		return eval.SuiteSummary{Cases: 40, Epochs: 1, Conditions: conditions}
	}

	It("15.24: comes first if model answers were invalid, with counts and reasons", func() {
		s := all(called("llm-first", 1,
			map[string]int64{"decided_instead.rules": 39, "answer_unused.malformed_json": 30,
				"answer_unused.wrong_schema": 9}))
		Expect(sentenceOf(s, finding.KindAnswersInvalid)).
			To(Equal("In llm-first, the rules made 39 of 40 decisions: 39 model answers were invalid."))
		Expect(finding.Findings(s)[0].IsWarning()).To(BeTrue())
		Expect(sentenceOf(s, finding.KindAnswersNotUsed)).To(BeEmpty())
	})

	It("15.24: states refusals and failed calls, what decided instead, and other variants", func() {
		s := all(called("a", 36, map[string]int64{"decided_instead.nobody": 4, "answer_unused.unknown_label": 4}),
			called("b", 20, map[string]int64{"decided_instead.rules": 15, "decided_instead.guard": 5,
				"answer_unused.model_refusal": 12, "answer_unused.timeout": 6, "answer_unused.overruled": 2}))
		Expect(sentenceOf(s, finding.KindAnswersInvalid)).
			To(Equal("In b, the rules (15) and a hard constraint (5) made 20 of 40 decisions: " +
				"12 model answers were refusals, 6 were not received, 2 were overruled; also 4 of 40 in a."))
		Expect(sentenceOf(all(s.Conditions[0]), finding.KindAnswersInvalid)).
			To(Equal("In a, no decision was made in 4 of 40 cases: 4 model answers were invalid."))
	})

	It("15.24: is no warning if valid answers were below the confidence threshold", func() {
		s := all(called("a", 30,
			map[string]int64{"decided_instead.rules": 10, "answer_unused.low_confidence": 9,
				"answer_unused.malformed_json": 1}))
		Expect(sentenceOf(s, finding.KindAnswersInvalid)).To(BeEmpty())
		Expect(sentenceOf(s, finding.KindAnswersNotUsed)).
			To(Equal("In a, the rules made 10 of 40 decisions: 9 model answers were below the threshold, 1 was invalid."))
	})

	It("15.24: is omitted for faults, and if at most 5 % of the answers were not used", func() {
		fault := called("a", 0, map[string]int64{"decided_instead.rules": 40, "answer_unused.malformed_json": 40})
		fault.Fault = "router:malformed_json"
		s := all(called("a", 38, map[string]int64{"decided_instead.rules": 2, "answer_unused.malformed_json": 2}),
			fault)
		Expect(sentenceOf(s, finding.KindAnswersInvalid) + sentenceOf(s, finding.KindAnswersNotUsed)).To(BeEmpty())
	})
})
