package page_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/reports/page"
)

var _ = Describe("The figure of a Critic loop", func() {
	good, bad := true, false
	loops := func(name string) eval.ConditionSummary {
		return eval.ConditionSummary{Variant: name,
			Metrics: map[string]eval.Estimate{"critic.pass_rate": share(30, 40), "critic.false_accept": share(2, 30),
				"critic.loops_mean": value(1.5, 40)},
			LoopRounds: []eval.LoopRoundSummary{{Round: 1, ReachedTurns: 3, Passed: share(1, 3)},
				{Round: 2, ReachedTurns: 2, Passed: share(1, 2), RawGain: value(0.1, 2)}}}
	}
	suite := eval.SuiteSummary{Name: "s", Conditions: []eval.ConditionSummary{loops("v"), loops("w"), loops("z")}}
	of := func(name string, turns int) eval.Result {
		r := trial(name, 1, 5)
		r.LoopRounds = []eval.LoopRound{{Turn: 1, Round: 1, Acceptable: &bad},
			{Turn: 1, Round: 2, Passed: true, Acceptable: &good},
			{Turn: 2, Round: 1, Acceptable: &good}, {Turn: 2, Round: 2, Exhausted: true},
			{Turn: 3, Round: 1, Passed: true, Acceptable: &bad}}
		for i := range r.LoopRounds {
			r.LoopRounds[i].Reviewer, r.LoopRounds[i].CriticInput = "llm", trace.CriticInputImage
		}
		r.LoopRounds = r.LoopRounds[:turns]
		return r
	}
	flows := spreadOf(suite, of("v", 5), of("w", 5), of("z", 2))

	It("shows passed and rejected attempts of each round, the next round below, and variants with equal results once",
		func() {
			got := page.Critic(suite, flows)
			Expect(words(got)).To(And(ContainSubstring("v and w loop 1 3 1 passed (1 bad) , 2 rejected (1 good)"),
				ContainSubstring("loop 2 2 1 passed, 1 exhausted")))
			Expect(string(got)).To(ContainSubstring(
				`<rect class="sentbad" x="0%" y="8" width="33.33%" height="22"/><rect class="sentgood" x="33.33%" y="8" width="33.33%" height="22"/><rect class="taken" x="66.67%"`))
			Expect(string(got)).To(ContainSubstring(`<rect class="strip" x="0%" y="0" width="66.67%" height="8"/>`))
			Expect(count(got, "h3", "")).To(Equal(2))
		})

	It("has a minus sign as wide as a plus sign in negative numbers", func() {
		s := suite
		s.Conditions = []eval.ConditionSummary{loops("v")}
		s.Conditions[0].LoopRounds[1].RawGain = eval.Estimate{Value: new(-0.1), Lo: new(-0.2), Hi: new(-0.05), N: 2}
		s.Conditions[0].Metrics["critic.gain_per_loop"] = s.Conditions[0].LoopRounds[1].RawGain
		s.Conditions[0].Metrics["facts.grader_kappa"] = s.Conditions[0].LoopRounds[1].RawGain
		Expect(words(page.Critic(s, flows))).
			To(And(ContainSubstring("−0.100 [−0.200, −0.050]"), Not(ContainSubstring("-0."))))
		Expect(words(page.Variants(s))).
			To(And(ContainSubstring("grader κ −0.100 [−0.200, −0.050]"), Not(ContainSubstring("-0."))))
	})

	It("has a legend with only the outcomes that occur", func() {
		Expect(words(page.Critic(suite, spreadOf(suite, of("v", 1))))).
			To(And(ContainSubstring("rejected, bad v loop 1"), Not(ContainSubstring("exhausted v")),
				Not(ContainSubstring("no label"))))
	})

	It("lists the variants whose critic does not see the labeled images", func() {
		s := suite
		s.Conditions = []eval.ConditionSummary{loops("v"), loops("w"), loops("z")}
		s.Conditions[0].LoopRounds[0].LabeledImageNotShown, s.Conditions[2].LoopRounds[1].LabeledImageNotShown = 147, 1
		Expect(words(page.Critic(s, flows))).
			To(ContainSubstring("Judgments not scored, as the critic does not see the labeled images: v (147 attempts) and z (1 attempt)."))
	})

	It("15.20: starts with the shares of good first attempts and good delivered results, and their difference", func() {
		s := suite
		c := loops("v")
		c.Metrics["critic.first_attempt_good"], c.Metrics["critic.delivered_good"] = share(62, 144), share(88, 144)
		c.Metrics["critic.good_gain"] = eval.Estimate{Value: new(0.18), Lo: new(0.107), Hi: new(0.247), N: 144}
		s.Conditions = []eval.ConditionSummary{c}
		got := words(page.Critic(s, flows))
		Expect(got).To(ContainSubstring("variant first attempt good delivered good difference, points passed"))
		Expect(got).To(And(ContainSubstring("61.1 %"), ContainSubstring("+18.0 [+10.7, +24.7]"),
			ContainSubstring("Use the difference between delivered good and first attempt good")))
	})

	It("shows the metrics of whole loops, omits empty columns, and explains raw changes", func() {
		got := words(page.Critic(suite, flows))
		Expect(got).To(And(ContainSubstring("v, w and z 75.0 % [65.0, 85.0] 1.50 [1.35, 1.65] 6.7 % [0, 16.7] of 30"),
			Not(ContainSubstring("oscillating")), ContainSubstring("include regression to the mean"),
			Not(ContainSubstring("Decide by"))))
		Expect(page.Critic(eval.SuiteSummary{Conditions: []eval.ConditionSummary{variant("v", 1, 1, 1, 1)}}, nil)).
			To(BeEmpty())
	})
})
