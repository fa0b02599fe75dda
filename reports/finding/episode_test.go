package finding_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports/finding"
)

var _ = Describe("The finding on turns with several decisions", func() {
	It("states how often the path is exact, the number of steps, and the duration", func() {
		s := three()
		c := &s.Conditions[2]
		c.Metrics["path.exact"] = of(55, 64)
		Expect(sentenceOf(s, finding.KindEpisode)).To(BeEmpty(), "no episode ended")
		c.Metrics["supervisor.steps_mean"] = eval.Estimate{Value: new(7.2576), N: 66}
		Expect(sentenceOf(s, finding.KindEpisode)).
			To(Equal("c follows the labeled path exactly in 85.9 % of 64; 7.26 steps per episode (mean of 66)."))
		c.Metrics["episode.p95"] = eval.Estimate{Value: new(55871.0), N: 305}
		Expect(sentenceOf(s, finding.KindEpisode)).To(HaveSuffix(" of 66); p95 55.9 s per case."))
		c.Metrics["path.exact"] = of(5, 6)
		Expect(sentenceOf(s, finding.KindEpisode)).To(HavePrefix("c follows the labeled path exactly in 5 of 6; "))
	})

	It("states how many decisions were corrected if at least three were, and the most frequent correction if there is one", func() {
		s := three()
		c := &s.Conditions[2]
		c.Metrics["supervisor.correction_rate"] = of(2, 654)
		Expect(sentenceOf(s, finding.KindCorrection)).To(BeEmpty())
		c.Metrics["supervisor.correction_rate"] = of(3, 654)
		c.Corrections = []eval.Correction{{Proposed: "x", Executed: "y", N: 2}, {Proposed: "x", Executed: "z", N: 1}}
		Expect(sentenceOf(s, finding.KindCorrection)).
			To(Equal("3 of 654 decisions of c that name an agent are corrected, 2 of them x → y."))
		c.Corrections[0].N = 1
		Expect(sentenceOf(s, finding.KindCorrection)).
			To(Equal("3 of 654 decisions of c that name an agent are corrected."))
	})
})

var _ = Describe("The finding on batches of messages", func() {
	It("states the time to a reply, if there are enough batches", func() {
		s := three()
		m := s.Conditions[2].Metrics
		m["batch.messages_mean"] = eval.Estimate{Value: new(2.9), N: 31}
		m["latency.batch.p50"], m["latency.single.p50"] = eval.Estimate{Value: new(6920.0),
			N: 31}, eval.Estimate{Value: new(2150.0), N: 500}
		Expect(sentenceOf(s, finding.KindBatch)).
			To(Equal("c answers 31 batches with 2.90 messages on average; reply p50 6.92 s after the last message of a batch, 2.15 s after a single message."))
		m["latency.batch.p50"] = eval.Estimate{Value: new(6920.0), N: 19}
		Expect(sentenceOf(s, finding.KindBatch)).To(BeEmpty())
	})
})

var _ = Describe("The finding on retrieval", func() {
	finds := func(c *eval.ConditionSummary, recall, rank float64) {
		c.Metrics[eval.RecallScore], c.Metrics[eval.MRRScore] = eval.Estimate{Value: &recall,
			N: 55}, eval.Estimate{Value: &rank, N: 55}
	}
	apart := func(d eval.Difference, recall, rank [3]float64) eval.Difference {
		by := func(v [3]float64) eval.Contrast { return eval.Contrast{Value: &v[0], Lo: &v[1], Hi: &v[2], N: 55} }
		d.Metrics = map[string]eval.Contrast{eval.RecallScore: by(recall), eval.MRRScore: by(rank)}
		return d
	}
	var s eval.SuiteSummary
	BeforeEach(func() {
		s = three(apart(versus("a", "c", eval.Identical, 0, 0, 0), [3]float64{-0.1, -0.19, -0.01},
			[3]float64{-0.1, -0.2, 0.01}),
			apart(versus("c", "b", eval.Identical, 0, 0, 0), [3]float64{0.02, -0.03, 0.06}, [3]float64{0.1, 0.05, 0.2}))
		finds(&s.Conditions[0], 0.65, 0.5)
		finds(&s.Conditions[1], 0.73, 0.5)
		finds(&s.Conditions[2], 0.75, 0.7)
	})

	It("states significant and other differences in recall and rank, in whichever order the summary compares two variants", func() {
		Expect(sentenceOf(s, finding.KindRetrieval)).
			To(Equal("c has the highest recall@5: 75.0 % of 55, 10.0 points above a [1.0, 19.0], not significantly above b [−3.0, +6.0]; MRR 0.700, significantly higher than b."))
	})

	It("names a baseline model whose recall is at least as high as that of the best variant", func() {
		s.Differences = s.Differences[:1]
		s.Conditions[1].BaselineModel = true
		Expect(sentenceOf(s, finding.KindRetrieval)).To(HavePrefix("c has the highest recall@5: 75.0 % of 55"))
		finds(&s.Conditions[1], 0.755, 0.5)
		Expect(sentenceOf(s, finding.KindRetrieval)).
			To(HavePrefix("c has the highest recall@5: 75.0 % of 55 (baseline model b: 75.5 %), 10.0 points above a"))
	})

	It("is omitted without differences, with a single variant, with few cases, or if only a baseline model could be compared",
		func() {
			s.Differences = s.Differences[1:]
			s.Differences[0] = apart(s.Differences[0], [3]float64{}, [3]float64{0.1, 0.05, 0.2})
			Expect(sentenceOf(s, finding.KindRetrieval)).To(BeEmpty())
			s.Differences[0] = apart(s.Differences[0], [3]float64{0.02, -0.03, 0.06}, [3]float64{0.1, -0.1, 0.2})
			Expect(sentenceOf(s, finding.KindRetrieval)).
				To(HaveSuffix("; MRR 0.700, not significantly higher than any other."))
			s.Conditions[1].BaselineModel = true
			Expect(sentenceOf(s, finding.KindRetrieval)).To(BeEmpty())
			s.Conditions[1].BaselineModel = false
			s.Conditions[1].Metrics[eval.RecallScore] = eval.Estimate{Value: new(0.73), N: 19}
			Expect(sentenceOf(s, finding.KindRetrieval)).To(BeEmpty())
		})
})
