package reports_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports"
)

var _ = Describe("S5: the report on a Critic loop", func() {
	// of returns the report on one variant whose Critic loop has two rounds; change modifies the
	// condition before.
	of := func(change func(*eval.ConditionSummary)) string {
		r := studio()
		c := criticCondition("v2-llm", eval.NoFault, 90, 187, 79)
		change(&c)
		r.Summary.Suites[0].Conditions = []eval.ConditionSummary{c}
		r.Width, r.ShowAll = 200, true
		return written(reports.Table, r)
	}

	It("counts the attempts that are not scored because the critic did not see the labeled images", func() {
		text := of(func(c *eval.ConditionSummary) {
			c.Metrics["critic.false_accept"], c.Metrics["critic.false_reject"] = eval.Estimate{Missing: 66}, eval.Estimate{Missing: 121}
			c.LoopRounds[0].LabeledImageNotShown, c.LoopRounds[1].LabeledImageNotShown = 150, 37
		})
		Expect(text).To(ContainSubstring(
			"v2-llm: the critic does not see the labeled images, so its judgments are not scored (187 attempts)."))
		Expect(text).NotTo(ContainSubstring("false accept"))
		Expect(of(func(c *eval.ConditionSummary) { c.Fault, c.LoopRounds[0].LabeledImageNotShown = "critic:timeout", 150 })).
			NotTo(ContainSubstring("labeled images"))
		Expect(of(func(*eval.ConditionSummary) {})).NotTo(ContainSubstring("labeled images"))
	})

	It("15.20: shows the quality of the delivered results before the critic's own score", func() {
		text := of(func(*eval.ConditionSummary) {})
		Expect(text).To(MatchRegexp(`first good \[95 %\] +delivered good \[95 %\]`))
		Expect(text).To(And(ContainSubstring("+18.0 points [+10.7, +24.7]"),
			ContainSubstring("Labels measure this gain")))
		unlabeled := of(func(c *eval.ConditionSummary) {
			for _, name := range []string{"first_attempt_good", "delivered_good", "good_gain"} {
				delete(c.Metrics, "critic."+name)
			}
		})
		Expect(unlabeled).NotTo(Or(ContainSubstring("delivered good"), ContainSubstring("Labels measure")))
	})

	It("calls the change of the score a raw change, and states the bounds of the true one if there is no second judgment", func() {
		raw := func(c *eval.ConditionSummary) {
			c.Metrics["critic.gain_per_loop"], c.Metrics["critic.raw_gain_per_loop"] = eval.Estimate{Missing: 79}, between(0.082, -0.034, 0.199)
			c.LoopRounds[1].GainLowerBound = new(-0.051)
		}
		text := of(raw)
		Expect(text).To(ContainSubstring("include regression to the mean"))
		Expect(text).To(ContainSubstring(
			"v2-llm: without regression to the mean, the score changes by −0.051 to 0.082 from attempt 1 to 2; --second-judgment measures it."))
		Expect(text).NotTo(ContainSubstring("net gain"))
		text = of(func(c *eval.ConditionSummary) {
			raw(c)
			net := between(0.012, -0.004, 0.028)
			c.Metrics["critic.gain_per_loop"], c.LoopRounds[1].Gain = net, &net
		})
		Expect(text).To(ContainSubstring("net gain"))
		Expect(text).To(ContainSubstring("0.012 [−0.004, 0.028]"))
		Expect(text).NotTo(ContainSubstring("without regression"))
	})

	It("does not explain raw changes if the scores have no noise", func() {
		r := studio()
		c := criticCondition("v2-llm", eval.NoFault, 90, 187, 79)
		c.Metrics["critic.raw_gain_per_loop"], c.LoopRounds[1].GainLowerBound = between(0.082, -0.034, 0.199),
			new(-0.051)
		s := &r.Summary.Suites[0]
		s.Conditions, s.Models = []eval.ConditionSummary{c}, []eval.ModelInfo{{Component: "review", Kind: "simulated",
			Noiseless: true}}
		r.Width, r.ShowAll = 200, true
		Expect(written(reports.Table, r)).
			To(And(ContainSubstring("Critic loops"), Not(ContainSubstring("without regression")),
				Not(ContainSubstring("regression to the mean"))))
	})

	It("warns that a baseline model sees only the message, if correct labels also depend on the state of a turn",
		func() {
			r := studio()
			s := &r.Summary.Suites[0]
			r.Width, r.ShowAll, s.Conditions[0].BaselineModel = 200, true, true
			Expect(written(reports.Table, r)).NotTo(ContainSubstring("not the state"))
			s.LabelsDependOnState = true
			Expect(written(reports.Table, r)).
				To(ContainSubstring("a baseline model sees only the message, not the state."))
		})
})
