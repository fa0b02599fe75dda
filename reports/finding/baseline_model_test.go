package finding_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports/finding"
)

// withBaselineModel returns the suite of three and a baseline model with this many of 100 decisions
// right.
func withBaselineModel(right int64, differences ...eval.Difference) eval.SuiteSummary {
	s := three(differences...)
	f := condition("linear", eval.NoFault, right, 100)
	f.BaselineModel = true
	s.Conditions = append(s.Conditions, f)
	return s
}

var _ = Describe("A variant that is not better than the baseline model", Label("definition"), func() {
	It("is reported as not significantly different, unless the difference is significant", func() {
		s := withBaselineModel(75, versus("linear", "a", eval.NotSignificant, 0.05, -0.01, 0.1),
			versus("b", "linear", eval.Better, 0.05, 0.01, 0.1), versus("c", "linear", eval.Better, 0.06, 0.01, 0.1))
		Expect(sentenceOf(s, finding.KindBaselineModel)).
			To(Equal("a is 5.0 points below the baseline model linear (75.0 % of 100) [−10.0, +1.0], which is not significant. These 100 cases can detect a difference of 8.2 points with 80 % power."))
	})

	It("28.4: is reported without a minimum detectable difference if both compared variants are simulated from labels",
		func() {
			even := versus("a", "b", eval.NotSignificant, 0.05, -0.01, 0.1)
			s := three(even, versus("c", "b", eval.NotSignificant, 0.01, -0.02, 0.04))
			Expect(sentenceOf(s, finding.KindMostAccurate)).To(ContainSubstring("can detect a difference"))
			s.Models = []eval.ModelInfo{{Component: "router", Kind: "simulated", LabelBased: true,
				Variants: []string{"b"}}}
			Expect(sentenceOf(s, finding.KindMostAccurate)).To(ContainSubstring("can detect a difference"),
				"one of the two has its own errors")
			s.Models[0].Variants = nil
			Expect(sentenceOf(s, finding.KindMostAccurate)).
				To(And(ContainSubstring("not significantly above b"), Not(ContainSubstring("can detect"))))
			Expect(s.Differences[1].MinDetectableDifference).NotTo(BeNil(), "the summary is not changed")
		})

	It("is reported as worse only if that is significant", func() {
		s := withBaselineModel(75, versus("linear", "a", eval.Better, 0.05, 0.01, 0.1))
		Expect(sentenceOf(s, finding.KindBaselineModel)).
			To(Equal("a is significantly worse than the baseline model linear (75.0 % of 100): −5.0 points [−10.0, −1.0]."))
	})

	It("is reported without its interval if the interval contradicts the statement", func() {
		even := versus("a", "linear", eval.NotSignificant, 0.05, 0.01, 0.1)
		even.FamilySize = 4
		Expect(sentenceOf(withBaselineModel(75, even), finding.KindBaselineModel)).
			To(Equal("a is 5.0 points above the baseline model linear (75.0 % of 100), which is not significant, corrected for 4 comparisons. These 100 cases can detect a difference of 8.2 points with 80 % power."))
		Expect(sentenceOf(withBaselineModel(75, versus("a", "linear", eval.Worse, -0.05, -0.1, 0)),
			finding.KindBaselineModel)).To(HaveSuffix("): −5.0 points."))
	})

	It("is reported with only the number of cases if there are few cases", func() {
		few := versus("a", "linear", eval.NotSignificant, 0.6, -0.04, 0.9)
		few.Cases, few.MinDetectableDifference = 5, nil
		s := withBaselineModel(75, few)
		Expect(sentenceOf(s, finding.KindBaselineModel)).
			To(Equal("5 cases are too few to compare a with the baseline model linear (75.0 % of 100)."))
		s.Differences[0].MinDetectableDifference = new(0.95)
		Expect(sentenceOf(s, finding.KindBaselineModel)).
			To(HaveSuffix("). These 5 cases can detect a difference of 95.0 points with 80 % power."))
	})

	It("is reported in one sentence with other such variants, with the difference of the best of them", func() {
		s := withBaselineModel(80, versus("a", "linear", eval.Worse, -0.1, -0.2, -0.05),
			versus("b", "linear", eval.Identical, 0, 0, 0),
			versus("c", "linear", eval.NotSignificant, 0.01, -0.05, 0.06))
		Expect(sentenceOf(s, finding.KindBaselineModel)).
			To(Equal("c and b are not significantly better than the baseline model linear (80.0 % of 100); the best of them, c: +1.0 points [−5.0, +6.0]. " +
				"These 100 cases can detect a difference of 8.2 points with 80 % power. a is significantly worse than that baseline model: −10.0 points [−20.0, −5.0]."))
		for _, name := range []string{"d", "e", "f"} {
			s.Conditions = append(s.Conditions, condition(name, eval.NoFault, 60, 100))
			s.Differences = append(s.Differences, versus(name, "linear", eval.Worse, -0.2, -0.3, -0.1))
		}
		Expect(sentenceOf(s, finding.KindBaselineModel)).
			To(HaveSuffix(". a and 3 more are significantly worse than that baseline model; the best of them, a: −10.0 points [−20.0, −5.0]."))
	})

	It("is not reported if all variants are significantly better, if nothing can be compared, or if the cases were selected because they failed", func() {
		s := withBaselineModel(60, versus("a", "linear", eval.Better, 0.1, 0.02, 0.2),
			versus("b", "linear", eval.InsufficientData, 0, 0, 0))
		Expect(sentenceOf(s, finding.KindBaselineModel)).To(BeEmpty())
		s.Differences[0].State = eval.NotSignificant
		Expect(sentenceOf(s, finding.KindBaselineModel)).NotTo(BeEmpty())
		s.FailedInRun = "runs/first"
		Expect(sentenceOf(s, finding.KindBaselineModel)).To(BeEmpty())
		Expect(sentenceOf(three(versus("c", "a", eval.NotSignificant, 0.11, -0.05, 0.17)), finding.KindBaselineModel)).
			To(BeEmpty())
	})

	It("is reported as a warning if the baseline model has the highest accuracy", func() {
		s := withBaselineModel(90, versus("linear", "a", eval.Better, 0.2, 0.1, 0.3),
			versus("linear", "b", eval.Better, 0.1, 0.02, 0.2),
			versus("linear", "c", eval.NotSignificant, 0.09, -0.01, 0.2))
		found := finding.Findings(s)
		Expect(found[0].String()).To(HavePrefix("linear, a baseline model, has the highest accuracy: 90.0 % of 100"))
		Expect(found[0].IsWarning()).To(BeTrue())
		Expect(found[1].String()).
			To(And(HavePrefix("c is 9.0 points below the baseline model linear (90.0 % of 100) [−20.0, +1.0], which is not significant"), HaveSuffix(". b and a are significantly worse than that baseline model; the best of them, b: −10.0 points [−20.0, −2.0].")))
		Expect(found[1].IsWarning()).To(BeTrue())
		Expect(sentenceOf(s, finding.KindMostAccurate)).To(BeEmpty())
	})
})
