package finding_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports/finding"
)

var _ = Describe("The sentences of a report", func() {
	It("start with warnings, as do the most important kinds", func() {
		s := three(cAboveA)
		called(&s, 1, 36, counts{"decided_instead.rules": 4, "answer_unused.unknown_label": 4})
		found := finding.Findings(s)
		Expect(found[0].Kind).To(Equal(finding.KindAnswersInvalid))
		Expect(found[0].IsWarning()).To(BeTrue())
		Expect(found[1].Kind).To(Equal(finding.KindMostAccurate))
		Expect(found[1].IsWarning()).To(BeFalse())
		Expect(finding.CompareKinds(finding.KindPromptsNotRead, finding.KindBaselineModel)).To(BeNumerically("<", 0))
		Expect(finding.CompareKinds(finding.KindMostAccurate, finding.KindBaselineModel)).To(BeNumerically(">", 0))
	})

	It("show a highest accuracy of a baseline model as a warning, in the place of the most accurate variant", func() {
		s := three()
		baselineModel(&s, 90, versus("linear", "a", eval.Better, 0.2, 0.1, 0.3),
			versus("linear", "b", eval.Better, 0.1, 0.02, 0.2))
		found := finding.Findings(s)
		Expect(found).To(HaveLen(2))
		Expect(found[0].String()).To(HavePrefix("linear, a baseline model, has the highest accuracy"))
		Expect(found[0].IsWarning()).To(BeTrue())
		Expect(found[1].String()).To(HavePrefix("b is significantly worse than the baseline model linear"))
	})

	It("begin with the gain of delivered images if it is significant", func() {
		s := three(versus("c", "b", eval.NotSignificant, 0.01, -0.02, 0.04))
		deliver(&s, 1, 43, 85, 0.42, 0.326, 0.5)
		Expect(finding.Findings(s)[0].Kind).To(Equal(finding.KindDeliveredImages))
		deliver(&s, 1, 43, 44, 0.01, -0.02, 0.04)
		Expect(finding.Findings(s)[0].Kind).To(Equal(finding.KindMostAccurate))
	})

	It("28.4: contain no minimum detectable difference if both compared variants are simulated from labels", func() {
		s := three(versus("c", "b", eval.NotSignificant, 0.01, -0.02, 0.04))
		s.Models = []eval.ModelInfo{{Component: "router", Kind: "simulated", LabelBased: true, Variants: []string{"b"}}}
		Expect(sentenceOf(s, finding.KindMostAccurate)).To(ContainSubstring("can detect 8.2"),
			"one of the two has its own errors")
		s.Models[0].Variants = nil
		Expect(sentenceOf(s, finding.KindMostAccurate)).
			To(And(ContainSubstring("not significantly above b"), Not(ContainSubstring("can detect"))))
		Expect(s.Differences[0].MinDetectableDifference).NotTo(BeNil(), "the summary is not changed")
	})

	It("contain names with any characters as they are", func() {
		s := three(versus("{c}", "a[1]", eval.Better, 0.11, 0.05, 0.17))
		s.Conditions[0].Variant, s.Conditions[2].Variant = "a[1]", "{c}"
		found := finding.Findings(s)
		Expect(found[0].String()).
			To(HavePrefix("{c} has the highest accuracy: 81.0 % of 100, 11.0 points above a[1] [5.0, 17.0]"))
		Expect(found[0].Parts[0]).To(Equal(finding.SentencePart{Text: "{c}", Role: finding.VariantName}))
	})

	It("omit numbers of a table next to them", func() {
		s := three(cAboveA)
		for _, f := range []string{"router:timeout", "router:reset"} {
			fault(&s, f, eval.FaultOutcome{NowWrong: 9, Broken: 9}, nil)
		}
		var texts []string
		for _, f := range finding.Findings(s) {
			text := ""
			for _, p := range f.ShownParts(true) {
				text += p.Text
			}
			texts = append(texts, text)
		}
		Expect(texts).To(Equal([]string{"c has the highest accuracy: 11.0 points above a.",
			"Worst faults: router:timeout and 1 more each make 9 of 100 cases of a worse: all broken."}))
	})

	It("15.27: describe tags in a comparison of two variants", func() {
		tagged := inTag(cAboveA, "lang:zh", eval.Worse, -0.13, -0.224, -0.031)
		Expect(finding.NoDifferenceSentence(tagged).String()).
			To(Equal("no significant difference overall; lang:zh is worse by 13.0 points [−22.4, −3.1]"))
		Expect(finding.NoDifferenceSentence(cAboveA).String()).To(Equal("no significant difference"))
		opposite, ok := finding.OppositeTagsSentence(tagged)
		Expect(ok).To(BeTrue())
		Expect(opposite.String()).To(Equal("lang:zh is worse by 13.0 points [−22.4, −3.1]"))
		_, ok = finding.OppositeTagsSentence(inTag(cAboveA, "lang:zh", eval.Better, 0.13, 0.031, 0.224))
		Expect(ok).To(BeFalse())
	})

	It("name up to three suites", func() {
		s := three()
		s.Conditions = s.Conditions[:1]
		Expect(finding.Findings(s)[0].WithSuites([]string{"s1", "s2", "s3", "s4", "s5"}).String()).
			To(Equal("s1, s2, s3 and 2 more: a is wrong in 30 of 100 cases."))
	})

	It("treat several faults as one if all their displayed values are equal", func() {
		s := three()
		for _, f := range []string{"router:timeout", "router:reset", "router:auth", "image:reset", "router:a+image:b"} {
			fault(&s, f, eval.FaultOutcome{NowWrong: 9, Broken: 9}, nil)
		}
		s.FaultOutcomes[2].NowErrorReply = 1
		var rows [][]string
		for _, h := range finding.FaultEffects(s) {
			rows = append(rows, h.FaultNames())
		}
		Expect(rows).To(Equal([][]string{{"router:auth"}, {"router:timeout", "router:reset"}, {"image:reset"},
			{"router:a+image:b"}}))
		Expect(finding.FaultEffects(s)[3].FaultKinds()).To(BeEmpty())
	})

	It("are accompanied by an example case: of the top confusion, not of an invalid label", func() {
		s := three()
		invalid(&s)
		s.Conditions[2].ConfusedPairs[0].Cases = []string{"case-1"}
		s.Conditions[2].ConfusedPairs[1].Cases = []string{"case-2"}
		id, variant := finding.ExampleCase(s)
		Expect([]string{id, variant}).To(Equal([]string{"case-2", "c"}))
	})
})
