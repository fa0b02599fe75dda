package reports_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports"
)

// studio returns a report on two variants (profiles) with three kinds of critics; one of them also
// runs under a fault.
func studio() reports.Report {
	s := eval.SuiteSummary{Name: "studio", Target: "studio", Dataset: "studio", Split: "test", Cases: 188,
		Clock: "simulated",
		Models: []eval.ModelInfo{{Component: "router", Kind: "simulated", Note: "labelled, accuracy 0.95"},
			{Component: "critic", Kind: "simulated", Note: "labelled, spread 0.08"}},
		Conditions: []eval.ConditionSummary{
			criticCondition("v2", eval.NoFault, 185, 187, 2), criticCondition("v1", eval.NoFault, 207, 209, 2, 1),
			criticCondition("v2-llm", eval.NoFault, 90, 187, 39, 14, 7),
			criticCondition("v2-llm", "critic:timeout", 0, 187),
			criticCondition("v1-llm", eval.NoFault, 130, 209, 79, 30),
			criticCondition("v2-vision", eval.NoFault, 90, 187, 39, 14, 7),
		}}
	broken := &s.Conditions[3]
	for _, name := range []string{"first_attempt_good", "delivered_good", "good_gain"} {
		delete(broken.Metrics, "critic."+name)
	}
	broken.Metrics["critic.pass_rate"] = unscored(187)
	broken.Metrics["critic.loops_mean"], broken.Metrics["critic.gain_per_loop"] = eval.Estimate{}, eval.Estimate{}
	broken.Metrics["critic.false_accept"], broken.Metrics["critic.false_reject"] = eval.Estimate{}, eval.Estimate{}
	broken.Metrics["events.in_order"] = share(186, 188, 0)
	broken.LoopRounds = broken.LoopRounds[:1]
	broken.LoopRounds[0].Passed, broken.LoopRounds[0].Score = unscored(187), eval.Estimate{}
	return reports.Report{Summary: eval.Summary{Suites: []eval.SuiteSummary{s}}, Dir: "out/2"}
}

func unscored(n int64) eval.Estimate {
	return eval.Estimate{Missing: n, WorstCase: new(0.0), BestCase: new(1.0)}
}

// criticCondition returns a condition with a Critic loop. first is how many images passed in the
// first round; reached is how many attempts each round had.
func criticCondition(name, fault string, first int64, reached ...int64) eval.ConditionSummary {
	c := eval.ConditionSummary{Variant: name, Fault: fault, Trials: 188, Metrics: map[string]eval.Estimate{
		"route.accuracy": share(176, 188, 0), "route.macro_f1": between(0.929, 0.879, 0.969),
		"fallback.rate":    share(0, 188, 0),
		"error_reply.rate": share(36, 188, 0), "error_reply.MASK_REQUIRED": {Value: new(7.0), N: 188},
		"slots.subject": share(116, 129, 0), "slots.style": share(101, 106, 0), "retrieval.hit_rate": share(92, 103, 5),
		"events.in_order": share(188, 188, 0), "genui.conform": share(188, 188, 0),
		"latency.p50": between(3164, 2870, 3706), "latency.p95": between(8677, 7532, 10_301),
		"calls.mean": {Value: new(4.03), N: 188}, "cost.usd_per_1000": {Value: new(0.167), N: 188},
		"missing.rate":              share(0, 188, 0),
		"critic.first_attempt_good": share(62, 144, 0), "critic.delivered_good": share(88, 144, 0),
		"critic.good_gain": between(0.18, 0.107, 0.247),
		"critic.pass_rate": share(reached[0]-2, reached[0], 0), "critic.exhausted_rate": share(2, reached[0], 0),
		"critic.loops_mean": between(1.81, 1.59, 2.03), "critic.gain_per_loop": between(0.24, 0.188, 0.292),
		"critic.false_accept": share(9, 67, 0), "critic.false_reject": share(7, 58, 0), "critic.oscillation_rate": {},
	}}
	if len(reached) > 2 {
		c.Metrics["critic.oscillation_rate"] = share(reached[2]/2, reached[2], 0)
	}
	for i, n := range reached {
		passed := n / 2
		if i == 0 {
			passed = first
		}
		l := eval.LoopRoundSummary{Round: i + 1, ReachedTurns: n, Passed: share(passed, n, 0),
			Score:       between(0.678, 0.633, 0.723),
			AddedMillis: eval.Estimate{Value: new(4155.3), N: n}, AddedCalls: eval.Estimate{Value: new(2.004), N: n},
			AddedTokens: eval.Estimate{Value: new(1026.5), N: n}, AddedCost: eval.Estimate{Value: new(0.0000427), N: n}}
		if i > 0 {
			l.RawGain = between(0.082, -0.034, 0.199)
		}
		c.LoopRounds = append(c.LoopRounds, l)
	}
	return c
}

var _ = Describe("the warnings of a report", func() {
	It("S7: include event streams out of order, even under a fault that the report does not show", func() {
		Expect(written(reports.Table, detailed(studio()))).
			To(ContainSubstring("! v2-llm + critic:timeout: events out of order in 2 of 188 trials."))
	})
})

var _ = Describe("the column \"error replies\" of a report", func() {
	It("is shown for all variants if any has an error reply", func() {
		r := detailed(studio())
		r.Summary.Suites[0].Conditions[1].Metrics["error_reply.rate"] = share(0, 188, 0)
		Expect(written(reports.Table, r)).
			To(And(ContainSubstring("error replies [95 %]"), ContainSubstring("0 % [0, 2.0] n=188")))
		for _, c := range r.Summary.Suites[0].Conditions {
			c.Metrics["error_reply.rate"] = share(0, 188, 0)
		}
		Expect(written(reports.Table, r)).NotTo(ContainSubstring("error replies ["))
	})
})
