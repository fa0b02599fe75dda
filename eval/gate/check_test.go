package gate_test

import (
	"fmt"
	"math"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/gate"
)

var _ = Describe("Check", func() {
	DescribeTable("compares the value of a metric with the limit of a rule",
		func(rule string, value float64, passed bool) {
			v := checkOne(rule, eval.Estimate{Value: &value, N: 10})
			Expect(v.Passed).To(Equal(passed), v.Reason)
		},
		Entry("at least 0.9: a higher value passes", "x.y >= 0.9", 0.91, true),
		Entry("at least 0.9: an equal value passes", "x.y >= 90%", 0.9, true),
		Entry("at least 0.9: a lower value fails", "x.y >= 0.9", 0.89, false),
		Entry("above 0.9: a higher value passes", "x.y > 0.9", 0.91, true),
		Entry("above 0.9: an equal value fails", "x.y > 0.9", 0.9, false),
		Entry("above 0.9: a lower value fails", "x.y > 0.9", 0.89, false),
		Entry("at most 0.9: a higher value fails", "x.y <= 0.9", 0.91, false),
		Entry("at most 0.9: an equal value passes", "x.y <= 0.9", 0.9, true),
		Entry("at most 0.9: a lower value passes", "x.y <= 0.9", 0.89, true),
		Entry("below 0.9: a higher value fails", "x.y < 0.9", 0.91, false),
		Entry("below 0.9: an equal value fails", "x.y < 0.9", 0.9, false),
		Entry("below 0.9: a lower value passes", "x.y < 0.9", 0.89, true),
		Entry("equal to 3: an equal value passes", "x.y == 3", 3.0, true),
		Entry("equal to 3: another value fails", "x.y == 3", 3.1, false),
		Entry("not equal to 3: an equal value fails", "x.y != 3", 3.0, false),
		Entry("not equal to 3: another value passes", "x.y != 3", 3.1, true),
	)

	DescribeTable("fails a rule with any operator if there are no usable data",
		func(e eval.Estimate, reason string) {
			for _, op := range []string{">=", ">", "<=", "<", "==", "!="} {
				v := checkOne("x.y "+op+" 0.5", e)
				Expect(v.Passed).To(BeFalse())
				Expect(v.Reason).To(Equal(reason + " in suite s, variant v, fault none"))
			}
		},
		Entry("a metric without a value", eval.Estimate{N: 5}, "no value (n=5)"),
		Entry("a value that is based on no trials", eval.Estimate{Value: number(0.5), Missing: 7},
			"no value (n=0, 7 missing)"),
		Entry("a negative number of trials", eval.Estimate{Value: number(0.5), N: -1}, "no value (n=-1)"),
		Entry("a value that is not a number", eval.Estimate{Value: number(math.NaN()), N: 5},
			"NaN is not a finite number"),
		Entry("an infinite value", eval.Estimate{Value: number(math.Inf(1)), N: 5}, "+Inf is not a finite number"),
		Entry("a negative infinite value", eval.Estimate{Value: number(math.Inf(-1)), N: 5},
			"-Inf is not a finite number"),
	)

	It("fails an invalid rule, such as one without an operator", func() {
		s := summary(condition("s", "v", "", 0.5))
		for _, r := range []gate.Rule{{}, {Metric: "x.y"}, {Metric: "x.y", Op: "~"},
			{Metric: "x.y", Op: gate.NotEqual, Limit: math.NaN()}} {
			Expect(gate.Check([]gate.Rule{r}, s, nil)[0].Passed).To(BeFalse(), "%#v", r)
		}
	})

	It("fails a rule if the run has no conditions, or if no condition has the metric", func() {
		Expect(check("x.y >= 0", eval.Summary{})).
			To(Equal(eval.GateVerdict{Rule: "x.y >= 0", Verdict: eval.GateFailed, Reason: "nothing ran", NoData: true,
				Conditions: []eval.GateCondition{{Value: "nothing ran"}}}))
		Expect(check("x.z >= 0", summary(condition("s", "v", "", 1))).NoData).To(BeTrue())
		Expect(check("x.y >= 2", summary(condition("s", "v", "", 1))).NoData).
			To(BeFalse(), "it was measured, and is too little")
		Expect(check("x.z >= 0", summary(condition("s", "v", "", 1))).Reason).
			To(Equal("no value of x.z in suite s, variant v, fault none"))
		Expect(check("x.y{fault=llm:timeout} >= 0", summary(condition("s", "v", "", 1))).Reason).
			To(Equal("no condition{fault=llm:timeout} has a case"))
		Expect(check("[tag=zh] x.y >= 0", summary(condition("s", "v", "", 1))).Reason).
			To(Equal("no condition has a case [tag=zh]"))
	})

	It("fails a rule if no trial ran in a selected condition", func() {
		idle := condition("s", "idle", "", 1)
		idle.ConditionSummary = eval.ConditionSummary{Variant: "idle"}
		s := summary(condition("s", "v", "", 1), idle)
		Expect(check("x.y >= 0", s).Reason).
			To(Equal("no trial ran in suite s, variant idle, fault none; the worst of 2 conditions"))
		Expect(check("x.y{variant=v} >= 0", s).Passed).To(BeTrue())
	})

	It("passes a rule only if every selected condition passes, and names the worst one", func() {
		s := summary(
			condition("a", "v1", "", 0.95), condition("a", "v2", "", 0.8), condition("a", "v2", "llm:timeout", 0.7),
			condition("b", "v1", "", 0.99))
		Expect(check("x.y >= 0.6", s)).
			To(Equal(eval.GateVerdict{Rule: "x.y >= 0.6", Verdict: eval.GatePassed, Passed: true,
				Reason:             "0.700 (n=10) in suite a, variant v2, fault llm:timeout; the worst of 4 conditions",
				SelectedConditions: 4, DecidingConditions: 4,
				Conditions: []eval.GateCondition{{Suite: "a", Variant: "v2", Fault: "llm:timeout",
					Value: "0.700 of 10"}}}),
				"one condition suffices")
		Expect(check("x.y >= 0.9", s)).To(Equal(eval.GateVerdict{Rule: "x.y >= 0.9", Verdict: eval.GateFailed,
			Reason:             "0.700 (n=10) in suite a, variant v2, fault llm:timeout; failed in 2 of 4 conditions",
			SelectedConditions: 4, DecidingConditions: 2,
			Conditions: []eval.GateCondition{{Suite: "a", Variant: "v2", Fault: "llm:timeout", Value: "0.700 of 10"},
				{Suite: "a", Variant: "v2", Fault: "none", Value: "0.800 of 10"}}}), "all that decide, the worst first")
		Expect(check("x.y <= 0.97", s).Reason).To(HavePrefix("0.990 (n=10) in suite b, variant v1"))
		Expect(check("x.y == 0.8", s).Reason).To(HavePrefix("0.990 (n=10) in suite b"))
		Expect(check("x.y != 0.79", s).Reason).To(HavePrefix("0.800 (n=10) in suite a, variant v2, fault none"))
	})

	It("names the condition with the fewest cases if several are equally bad", func() {
		of := func(variant string, e eval.Estimate) placed {
			c := condition("s", variant, "", 0)
			c.Metrics["x.y"] = e
			return c
		}
		s := summary(of("large", eval.Estimate{Value: number(1), N: 40}),
			of("few trials", eval.Estimate{Value: number(1), N: 8}),
			of("many epochs", eval.Estimate{Value: number(1), N: 20, Cases: 4}),
			of("middle", eval.Estimate{Value: number(1), N: 12}))
		Expect(check("x.y >= 0.9", s).Reason).To(HavePrefix("1.00 (n=20) in suite s, variant many epochs"))
		var failed []string
		for _, c := range check("x.y <= 0.9", s).Conditions {
			failed = append(failed, c.Variant)
		}
		Expect(failed).To(Equal([]string{"many epochs", "few trials", "middle", "large"}))
	})

	It("states the k of pass^k, because a smaller k is easier to pass", func() {
		s := withMetric("route.pass_k", eval.Estimate{Value: number(0.55), N: 100})
		s.Suites[0].Epochs = 5
		Expect(check("route.pass_k >= 25%", s).Reason).
			To(Equal("55.0 % (n=100) with k = 5 in suite s, variant v, fault none"))
		Expect(check("route.pass_k >= 60%", s).Reason).To(HavePrefix("55.0 % (n=100) with k = 5 in suite s"))
	})

	It("fails a rule if a selected condition lacks the metric", func() {
		s := summary(condition("a", "v1", "", 0.95), other("a", "v2"))
		Expect(check("x.y >= 0.9", s).Reason).
			To(Equal("no value of x.y in suite a, variant v2, fault none; the worst of 2 conditions"))
		Expect(check("x.y{variant=v1} >= 0.9", s).Passed).To(BeTrue())
	})

	It("fails any rule on a condition without an answer in any trial", func() {
		dead := condition("a", "v1", "", 1)
		dead.Metrics["missing.rate"] = eval.Estimate{Value: number(1), N: 10}
		dead.Metrics["errors.harness"] = eval.Estimate{Value: number(0), N: 10}
		for _, rule := range []string{"x.y >= 0", "missing.rate <= 99%", "errors.harness <= 0",
			"drop(route.accuracy) <= 1pp"} {
			Expect(check(rule, summary(dead)).Reason).
				To(Equal("no trial has an answer in suite a, variant v1, fault none"), rule)
		}
	})

	It("fails a rule if an unfinished run lacks trials of a condition, unless the rule allows enough missing data",
		func() {
			s := summary(condition("a", "v1", "", 0.95))
			s.Suites[0].Cases, s.Suites[0].Epochs = 20, 2
			slice := condition("a", "v1", "", 0.95)
			slice.Tag = "zh"
			s.Suites[0].Slices = []eval.ConditionSummary{slice.ConditionSummary}
			Expect(check("x.y >= 0.9", s).Passed).To(BeTrue(), "the run ended")
			s.Partial = true
			Expect(check("x.y >= 0.9", s)).To(Equal(eval.GateVerdict{Rule: "x.y >= 0.9", Verdict: eval.GateFailed,
				Reason:             "0.950 (n=10) in suite a, variant v1, fault none; only 10 of 40 trials ran",
				SelectedConditions: 1, DecidingConditions: 1,
				Conditions: []eval.GateCondition{{Suite: "a", Variant: "v1", Fault: "none", Value: "0.950 of 10",
					Detail: "Only 10 of 40 trials ran."}}}))
			Expect(check("[tag=zh] x.y >= 0.9", s).Passed).To(BeFalse())
			Expect(check("x.y >= 0.9 missing <= 74%", s).Passed).To(BeFalse())
			Expect(check("x.y >= 0.9 missing <= 75%", s).Passed).To(BeTrue())
			s.Suites[0].Cases = 5
			Expect(check("x.y >= 0.9", s).Passed).To(BeTrue(), "all of the cell was played")
		})

	It("checks only the cases with the tag if the rule names a tag", func() {
		s := summary(condition("a", "v1", "", 0.95))
		slice := condition("a", "v1", "", 0.5)
		slice.Tag = "zh"
		s.Suites[0].Slices = []eval.ConditionSummary{slice.ConditionSummary}
		Expect(check("x.y >= 0.9", s).Passed).To(BeTrue())
		Expect(check("[tag=zh] x.y >= 0.9", s).Reason).To(HavePrefix("0.500 (n=10) in suite a"))
		Expect(check("[tag=en] x.y >= 0.1", s).Passed).To(BeFalse())
	})

	DescribeTable("checks only the conditions that the rule selects",
		func(selector string, passed bool) {
			s := summary(condition("a", "v1", "", 0.95), condition("a", "v2", "", 0.8),
				condition("a", "v1", "llm:timeout", 0.7), condition("b", "v1", "", 0.9))
			v := check("x.y"+selector+" >= 0.85", s)
			Expect(v.Passed).To(Equal(passed), v.Reason)
		},
		Entry("one suite, whose conditions pass", "{suite=b}", true),
		Entry("one suite that has a failing condition", "{suite=a}", false),
		Entry("one variant that fails under a fault", "{variant=v1}", false),
		Entry("one variant without faults, which passes", "{variant=v1,fault=none}", true),
		Entry("one fault, which fails", "{fault=llm:timeout}", false),
		Entry("one condition, which passes", "{suite=a,variant=v1,fault=none}", true),
		Entry("a condition that does not exist, which fails", "{suite=b,variant=v2}", false),
	)

	It("names a condition without a value before the condition with the worst value", func() {
		empty := condition("a", "v2", "", 0)
		empty.Metrics["x.y"] = eval.Estimate{}
		v := check("x.y >= 0.9", summary(condition("a", "v1", "", 0.1), empty))
		Expect(v.Reason).To(Equal("no value (n=0) in suite a, variant v2, fault none; failed in 2 of 2 conditions"))
	})

	DescribeTable("prints a value in the unit of its metric",
		func(rule string, e eval.Estimate, reason string) {
			metric, _, _ := strings.Cut(rule, " ")
			e.N = 1200
			Expect(check(rule, withMetric(metric, e)).Reason).To(Equal(reason + " in suite s, variant v, fault none"))
		},
		Entry("a percentage", "route.accuracy >= 95%",
			eval.Estimate{Value: number(0.9549), Lo: number(0.932), Hi: number(0.97)}, "95.5 % [93.2, 97.0] (n=1,200)"),
		Entry("an F1 score", "route.macro_f1 >= 0.9",
			eval.Estimate{Value: number(0.9056), Lo: number(0.88), Hi: number(0.93)}, "0.906 [0.880, 0.930] (n=1,200)"),
		Entry("a calibration error", "confidence.ece <= 0.05",
			eval.Estimate{Value: number(0.0391), Lo: number(0.03), Hi: number(0.048)},
			"0.039 [0.030, 0.048] (n=1,200)"),
		Entry("a time in seconds", "latency.p95 <= 3s",
			eval.Estimate{Value: number(8432), Lo: number(960), Hi: number(11800)},
			"8.43 s [0.960, 11.8] (n=1,200)"),
		Entry("15.12: a time in milliseconds", "ttft.p50 <= 1s",
			eval.Estimate{Value: number(96), Lo: number(90), Hi: number(101)}, "96.0 ms [90.0, 101] (n=1,200)"),
		Entry("a value whose interval has only a lower end", "latency.p99 <= 3s",
			eval.Estimate{Value: number(8432), Lo: number(8000)},
			"8.43 s [≥ 8.00] (n=1,200)"),
		Entry("an amount of money", "cost.usd_per_1000 <= 1", eval.Estimate{Value: number(0.142)},
			"USD 0.14 (n=1,200)"),
		Entry("a mean", "calls.mean <= 3", eval.Estimate{Value: number(2.224)}, "2.22 (n=1,200)"),
		Entry("a count", "tokens.in_mean <= 3000000", eval.Estimate{Value: number(1234567)}, "1,234,567 (n=1,200)"),
	)

	DescribeTable("passes a rule on a share only if it also passes with all missing data counted against it",
		func(rule string, worst, best *float64, passed bool, reason string) {
			e := eval.Estimate{Value: number(0.95), N: 100, Missing: 10, WorstCase: worst, BestCase: best}
			v := check(rule, withMetric("route.accuracy", e))
			Expect(v.Passed).To(Equal(passed), v.Reason)
			Expect(v.Reason).To(ContainSubstring(reason))
		},
		Entry("a minimum that the worst case reaches: passes", "route.accuracy >= 0.8", number(0.86), number(0.96),
			true, "10 missing"),
		Entry("a minimum that the worst case does not reach: fails", "route.accuracy >= 0.9", number(0.86),
			number(0.96), false,
			"with the missing values it could be anything from 86.0 to 96.0 %"),
		Entry("a maximum that the best case exceeds: fails", "route.accuracy <= 0.95", number(0.86),
			number(0.96), false,
			"with the missing values it could be anything from 86.0 to 96.0 %"),
		Entry("missing data, but no known worst and best case: fails", "route.accuracy >= 0.1", nil, nil, false,
			"9.1 % of the values are missing. To allow some, add `missing <= N%` to the rule"),
		Entry("missing data and a known best case, but no known worst case: fails", "route.accuracy <= 0.99",
			nil, number(0.96), false,
			"To allow some, add `missing <= N%`"),
		Entry("fewer missing data than the option missing permits: passes", "route.accuracy >= 0.9 missing <= 10%",
			number(0.86),
			number(0.96), true, "95.0 % (n=100, 10 missing)"),
		Entry("more missing data than the option missing permits: fails", "route.accuracy >= 0.1 missing <= 9%",
			number(0.86),
			number(0.96), false, "9.1 % of the values are missing, more than 9.0 %"),
	)

	DescribeTable("fails a rule on a metric without bounds if any data are missing, unless the rule allows that",
		func(rule string) {
			metric, _, _ := strings.Cut(rule, " ")
			e := eval.Estimate{Value: number(0.5), N: 98, Missing: 2, Lo: number(0.45), Hi: number(0.55),
				WorstCase: number(0.4), BestCase: number(0.6)}
			Expect(check(rule, withMetric(metric, e)).Reason).
				To(ContainSubstring("(n=98, 2 missing) in suite s, variant v, fault none; 2.0 % of the values are missing. To allow some, add `missing <= N%` to the rule"))
			Expect(check(rule+" missing <= 2%", withMetric(metric, e)).Passed).To(BeTrue())
			Expect(check(rule+" missing <= 1.9%", withMetric(metric, e)).Passed).To(BeFalse())
		},
		Entry("a mean latency", "latency.mean <= 1ms"), Entry("a quantile of the latency", "latency.p95 <= 1ms"),
		Entry("the precision of a label", "route.precision.chat >= 0.1"),
		Entry("macro-F1", "route.macro_f1 >= 0.1"), Entry("a calibration error", "confidence.ece <= 0.9"),
		Entry("the mean number of Critic loop rounds", "critic.loops_mean <= 3"),
		Entry("the total cost", "cost.total_usd <= 1"),
	)

	DescribeTable("15.18: compares the interval of a calibration error, not its value, with the limit",
		func(rule string, lo, hi *float64, verdict eval.GateDecision, reason string) {
			v := check(rule, withMetric("confidence.ece", eval.Estimate{Value: number(0.072), Lo: lo, Hi: hi, N: 100}))
			Expect(v.Verdict).To(Equal(verdict), v.Reason)
			Expect(v.TooFewCases).To(Equal(lo == nil && verdict == eval.GateUndecided))
			Expect(v.Reason).To(HaveSuffix(" in suite s, variant v, fault none" + reason))
		},
		Entry("undecided, if the value is above the limit but the interval contains the limit", "confidence.ece <= 5%",
			number(0), number(0.155),
			eval.GateUndecided, "; undecided: the limit lies within the interval, so more answers are needed"),
		Entry("undecided, if the value is below the limit but the interval contains the limit", "confidence.ece <= 10%",
			number(0), number(0.155),
			eval.GateUndecided, "; undecided: the limit lies within the interval, so more answers are needed"),
		Entry("failed, if the whole interval is above a maximum", "confidence.ece <= 5%", number(0.051), number(0.155),
			eval.GateFailed, ""),
		Entry("undecided, if the interval starts at the maximum", "confidence.ece <= 5%", number(0.05), number(0.155),
			eval.GateUndecided,
			"; undecided: the limit lies within the interval, so more answers are needed"),
		Entry("failed, if the interval starts at a strict maximum", "confidence.ece < 5%", number(0.05), number(0.155),
			eval.GateFailed, ""),
		Entry("passed, if the whole interval is below a maximum", "confidence.ece <= 16%", number(0), number(0.155),
			eval.GatePassed, ""),
		Entry("passed, if the whole interval is above a minimum", "confidence.ece >= 5%", number(0.051), number(0.155),
			eval.GatePassed, ""),
		Entry("undecided, if there is no interval", "confidence.ece <= 5%", nil, nil, eval.GateUndecided,
			"; undecided: too few answers for an interval"),
		Entry("failed, if a rule with \"at 95%\" requires the upper end to be below the limit",
			"confidence.ece <= 5% at 95%", number(0), number(0.155), eval.GateFailed, ""),
	)

	DescribeTable("compares the end of the interval, not the value, for a rule with \"at 95%\"",
		func(rule string, e eval.Estimate, passed bool, reason string) {
			metric, _, _ := strings.Cut(rule, " ")
			e.N = 100
			v := check(rule, withMetric(metric, e))
			Expect(v.Passed).To(Equal(passed), v.Reason)
			Expect(v.Reason).To(ContainSubstring(reason))
		},
		Entry("a lower end equal to the minimum: passes", "route.accuracy >= 0.9 at 95%",
			eval.Estimate{Value: number(0.95), Lo: number(0.9), Hi: number(1)}, true, "95.0 % [90.0, 100] (n=100) in"),
		Entry("a lower end below the minimum: fails", "route.accuracy >= 0.91 at 95%",
			eval.Estimate{Value: number(0.95), Lo: number(0.9), Hi: number(1)}, false,
			"the interval crosses the limit"),
		Entry("an upper end below the maximum: passes", "latency.p95 < 3s at 95%",
			eval.Estimate{Value: number(2000), Lo: number(1000), Hi: number(2999)}, true, ""),
		Entry("an upper end equal to a strict maximum: fails", "latency.p95 < 3s at 95%",
			eval.Estimate{Value: number(2000), Lo: number(1000), Hi: number(3000)}, false,
			"the interval crosses the limit"),
		Entry("no upper end for a maximum: fails", "latency.p95 < 3s at 95%",
			eval.Estimate{Value: number(2000), Lo: number(1000)},
			false, "it has no interval"),
		Entry("missing data, so that the lower end of the worst case counts: fails", "route.accuracy >= 0.87 at 95%",
			eval.Estimate{Value: number(0.96), Lo: number(0.92), Hi: number(1), Missing: 3,
				WorstCase: number(0.93), BestCase: number(0.97), WorstCaseLo: number(0.86),
				BestCaseHi: number(1)}, false,
			"the interval crosses the limit"),
		Entry("missing data, so that the upper end of the best case counts: fails", "route.recall.chat <= 0.19 at 95%",
			eval.Estimate{Value: number(0.1), Lo: number(0.06), Hi: number(0.17), Missing: 3,
				WorstCase: number(0.09), BestCase: number(0.12), WorstCaseLo: number(0.05),
				BestCaseHi: number(0.2)}, false,
			"the interval crosses the limit"),
		Entry("missing data without an interval of the worst case: fails", "route.accuracy >= 0.8 at 95%",
			eval.Estimate{Value: number(0.96), Lo: number(0.92), Hi: number(1), Missing: 3,
				WorstCase: number(0.93), BestCase: number(0.97)}, false, "it has no interval"),
		Entry("missing data that the rule allows: passes", "route.accuracy >= 0.92 at 95% missing <= 5%",
			eval.Estimate{Value: number(0.96), Lo: number(0.92), Hi: number(1), N: 97, Missing: 3,
				WorstCase: number(0.93), BestCase: number(0.97), WorstCaseLo: number(0.86),
				BestCaseHi: number(1)}, true, ""),
	)

	It("prints a value with as few digits as needed to distinguish it from the limit", func() {
		s := summary(condition("s", "v", "", 10))
		s.Suites[0].Conditions[0].Metrics["route.accuracy"] = eval.Estimate{Value: number(101.0 / 102), N: 102}
		Expect(check("route.accuracy >= 99%", s).Reason).To(HavePrefix("99.02 % (n=102)"))
	})

	It("never rounds a value to the other side of the limit", func() {
		v := check("route.accuracy >= 0.9",
			withMetric("route.accuracy", eval.Estimate{Value: number(0.89999999), N: 10}))
		Expect(v.Reason).To(HavePrefix("89.999999 % "))
		v = check("latency.p95 < 3s", withMetric("latency.p95", eval.Estimate{Value: number(3000.25), N: 10}))
		Expect(v.Reason).To(HavePrefix("3.0002 s "))
	})

	It("returns one verdict for each rule, in order, and an empty list without rules", func() {
		Expect(gate.Check(nil, eval.Summary{}, nil)).To(And(BeEmpty(), Not(BeNil())))
		rules := []gate.Rule{mustParse("x.y >= 1"), mustParse("x.y >= 0")}
		verdicts := gate.Check(rules, summary(condition("s", "v", "", 0.5)), nil)
		Expect(verdicts).To(HaveLen(2))
		Expect([]string{verdicts[0].Rule, verdicts[1].Rule}).To(Equal([]string{"x.y >= 1", "x.y >= 0"}))
		Expect([]bool{verdicts[0].Passed, verdicts[1].Passed}).To(Equal([]bool{false, true}))
	})
})

// placed is a condition together with the name of its suite.
type placed struct {
	suite string
	eval.ConditionSummary
}

// condition returns a condition with 10 trials and a value of the metric x.y.
func condition(suite, variant, fault string, value float64) placed {
	if fault == "" {
		fault = eval.NoFault
	}
	return placed{suite, eval.ConditionSummary{Variant: variant, Fault: fault, Trials: 10,
		Metrics: map[string]eval.Estimate{"x.y": {Value: &value, N: 10}}}}
}

// other returns a condition without the metric x.y.
func other(suite, variant string) placed {
	c := condition(suite, variant, "", 0)
	delete(c.Metrics, "x.y")
	return c
}

func summary(conditions ...placed) eval.Summary {
	var s eval.Summary
	for _, c := range conditions {
		if n := len(s.Suites); n == 0 || s.Suites[n-1].Name != c.suite {
			s.Suites = append(s.Suites, eval.SuiteSummary{Name: c.suite})
		}
		last := &s.Suites[len(s.Suites)-1]
		last.Conditions = append(last.Conditions, c.ConditionSummary)
	}
	return s
}

func withMetric(name string, e eval.Estimate) eval.Summary {
	c := other("s", "v")
	c.Metrics[name] = e
	return summary(c)
}

func check(rule string, s eval.Summary) eval.GateVerdict {
	return gate.Check([]gate.Rule{mustParse(rule)}, s, nil)[0]
}

func checkOne(rule string, e eval.Estimate) eval.GateVerdict {
	return check(rule, withMetric("x.y", e))
}

var _ = Describe("A gate rule", func() {
	It("15.22: states how many labels macro-F1 leaves out", func() {
		c := withMetric("route.macro_f1", eval.Estimate{Value: number(0.9), N: 10})
		Expect(check("route.macro_f1 >= 0.8", c).Reason).NotTo(ContainSubstring("without a case"))
		c.Suites[0].Conditions[0].LabelsWithoutCases = 3
		v := check("route.macro_f1 >= 0.8", c)
		Expect(v.Passed).To(BeTrue())
		Expect(v.Reason).To(ContainSubstring("; 3 labels without a case left out"))
	})

	DescribeTable("15.23: warns about a limit on a total and names the metric per trial instead",
		func(total, rate string) {
			v := check(total+" <= 500", withMetric(total, eval.Estimate{Value: number(40), N: 10}))
			Expect(v.Reason).To(ContainSubstring("; warning: " + total +
				" is the total of 10 trials and grows with their number. Use " + rate))
			v = check(rate+" <= 500", withMetric(rate, eval.Estimate{Value: number(40), N: 10}))
			Expect(v.Passed).To(BeTrue())
			Expect(v.Reason).NotTo(ContainSubstring("warning"))
			Expect(check(total+" <= 0", withMetric(total, eval.Estimate{Value: number(0), N: 10})).Reason).
				NotTo(ContainSubstring("warning"), "nothing at all")
		},
		Entry(nil, "cost.total_usd", "cost.usd_per_1000"), Entry(nil, "tokens.in_total", "tokens.in_mean"),
		Entry(nil, "tokens.out_total", "tokens.out_mean"),
	)
})

var _ = Describe("A gate rule on a tag", func() {
	It("warns if fewer than five cases have the tag", func() {
		judged := func(n, cases int64, rule string) string {
			one := condition("s", "v", "", 0.9)
			one.Metrics["x.y"] = eval.Estimate{Value: number(0.9), N: n, Cases: cases}
			s := summary(one)
			slice := s.Suites[0].Conditions[0]
			slice.Tag = "zh"
			s.Suites[0].Slices = []eval.ConditionSummary{slice}
			return gate.Check([]gate.Rule{mustParse(rule)}, s, nil)[0].Reason
		}
		Expect(judged(4, 0, "[tag=zh] x.y > 0")).
			To(HaveSuffix("; only 4 cases with the tag: too few for a reliable value"))
		Expect(judged(12, 4, "[tag=zh] x.y > 0")).
			To(HaveSuffix("; only 4 cases with the tag: too few for a reliable value"))
		Expect(judged(5, 0, "[tag=zh] x.y > 0")).To(HaveSuffix("fault none"))
		Expect(judged(4, 0, "x.y > 0")).To(HaveSuffix("fault none"))
	})
})

func mustParse(text string) gate.Rule {
	r, err := gate.Parse(text)
	Expect(err).NotTo(HaveOccurred())
	return r
}

func number(v float64) *float64 { return &v }

func Example() {
	var rules []gate.Rule
	for _, text := range []string{"route.accuracy{suite=toolrouter} >= 90%", "latency.p95 <= 3s",
		"route.accuracy = 1"} {
		r, err := gate.Parse(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		rules = append(rules, r)
	}
	accuracy, lo, hi := 0.93, 0.886, 0.958
	s := eval.Summary{Suites: []eval.SuiteSummary{{Name: "toolrouter", Conditions: []eval.ConditionSummary{{
		Variant: "llm", Fault: eval.NoFault, Trials: 200,
		Metrics: map[string]eval.Estimate{
			"route.accuracy": {Value: &accuracy, Lo: &lo, Hi: &hi, N: 200},
			"latency.p95":    {}, // every call failed
		},
	}}}}}
	for _, v := range gate.Check(rules, s, nil) {
		fmt.Printf("%-5v %s: %s\n", v.Passed, v.Rule, v.Reason)
	}
	// Output:
	// "route.accuracy = 1", column 16: expected >=, >, <=, <, == or != here
	// true  route.accuracy{suite=toolrouter} >= 0.9: 93.0 % [88.6, 95.8] (n=200) in suite toolrouter, variant llm, fault none
	// false latency.p95 <= 3s: no value (n=0) in suite toolrouter, variant llm, fault none
}
