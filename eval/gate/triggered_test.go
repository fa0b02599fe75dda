package gate_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/gate"
)

var _ = Describe("A gate rule on faults", func() {
	under := func(fault string, affected float64, correct ...float64) placed {
		c := condition("s", "v", fault, 0)
		c.Metrics["fault.affected"] = eval.Estimate{Value: &affected, N: 10}
		for _, v := range correct {
			c.Metrics["fault.correct"] = eval.Estimate{Value: &v, N: 10}
		}
		return c
	}
	partly := func(fault string) placed { // 6 of its 10 trials have no expected outcome
		c := under(fault, 1)
		right, worst, best, unscored := 1.0, 0.4, 1.0, 0.6
		c.Metrics["fault.correct"] = eval.Estimate{Value: &right, N: 4, Missing: 6, WorstCase: &worst, BestCase: &best}
		c.Metrics["fault.unspecified"] = eval.Estimate{Value: &unscored, N: 10}
		return c
	}
	sound := condition("s", "v", "", 0)
	router := func(matrix bool) gate.SuiteScope {
		return gate.SuiteScope{System: system.System{Name: "router"}, IsFaultMatrix: matrix,
			Conditions: []gate.Condition{{Suite: "s", Variant: "v"}, {Suite: "s", Variant: "v", Fault: "a:x"}}}
	}

	DescribeTable("covers only conditions with a fault, and fails if a fault was never triggered",
		func(rule string, verdict eval.GateDecision, reason string, conditions ...placed) {
			got := check(rule, summary(append([]placed{sound}, conditions...)...))
			Expect(got.Verdict).To(Equal(verdict), got.Reason)
			Expect(got.Reason).To(Equal(reason))
		},
		Entry("ignores a condition without a fault", "fault.correct >= 100%", eval.GatePassed,
			"100 % (n=10) in suite s, variant v, fault a:x", under("a:x", 1, 1)),
		Entry("fails for faults that were not triggered", "fault.correct >= 100%", eval.GateFailed,
			"not triggered in 2 conditions: b:x, b:y; failed in 2 of 3 conditions", under("a:x", 1, 1), under("b:y", 0),
			under("b:x", 0)),
		Entry("names five of seven faults that were not triggered", "fault.correct >= 100%", eval.GateFailed,
			"not triggered in 7 conditions: a, b, c, d, e and 2 more", under("a", 0), under("b", 0), under("c", 0),
			under("d", 0), under("e", 0), under("f", 0), under("g", 0)),
		Entry("checks the share of affected trials even if it is 0", "fault.affected >= 50%", eval.GateFailed,
			"0 % (n=10) in suite s, variant v, fault a:x", under("a:x", 0)),
		Entry("fails if the fault has no expected outcome", "fault.correct >= 100%", eval.GateFailed,
			"no value of fault.correct in suite s, variant v, fault a:x", under("a:x", 1)),
		Entry("fails if there is no condition with a fault", "fault.correct >= 100%", eval.GateFailed,
			"no condition with a fault has a case"),
		Entry("with triggered, fails for a wrong outcome of a triggered fault", "fault.correct >= 100% triggered",
			eval.GateFailed,
			"50.0 % (n=10) in suite s, variant v, fault a:x; left out: not triggered in 1 condition: b:x",
			under("a:x", 1, 0.5), under("b:x", 0)),
		Entry("the keyword triggered passes and lists faults that were not triggered",
			"fault.correct >= 100% triggered",
			eval.GatePassed,
			"100 % (n=10) in suite s, variant v, fault a:x; left out: not triggered in 1 condition: b:x",
			under("a:x", 1, 1), under("b:x", 0), under("c:x", 1)),
		Entry("fails if some affected trials have no expected outcome", "fault.correct >= 100%", eval.GateFailed,
			"100 % (n=4, 6 missing) in suite s, variant v, fault a:x; with the missing values it could be anything from 40.0 to 100 %", partly("a:x")),
		Entry("the keyword triggered passes and lists trials without an expected outcome",
			"fault.correct >= 100% triggered",
			eval.GatePassed,
			"100 % (n=4) in suite s, variant v, fault a:x; the worst of 2 conditions; left out: no expected outcome for 12 affected trials in 2 conditions", partly("a:x"), partly("b:x")),
		Entry("with triggered, is undecided if no fault was triggered", "fault.correct >= 100% triggered",
			eval.GateUndecided,
			"not triggered in 1 condition: b:x", under("b:x", 0)),
		Entry("with triggered, is undecided if there is no condition with a fault", "fault.correct >= 100% triggered",
			eval.GateUndecided,
			"no condition with a fault has an expected outcome"),
	)

	It("fails, even with triggered, if some trials under the fault did not run", func() {
		lost := under("a:x", 0)
		lost.Metrics["fault.affected"] = eval.Estimate{Value: number(0), N: 5, Missing: 5}
		Expect(check("fault.correct >= 100% triggered", summary(lost)).Verdict).To(Equal(eval.GateFailed))
	})

	DescribeTable("is invalid if it cannot apply to the run",
		func(rule string, matrix bool, problem string) {
			suites := []gate.SuiteScope{router(matrix)}
			Expect(gate.Validate([]gate.Rule{mustParse(rule)}, suites)).To(MatchError(ContainSubstring(problem)))
		},
		Entry("a suite that is not a fault matrix", "fault.correct >= 100%", false,
			"fault.correct: only in a fault matrix: evalctl run faults, or --fault all"),
		Entry("a selected fault in a suite that is not a fault matrix", "fault.recovered{fault=a:x} >= 90%", false,
			"only in a fault matrix"),
		Entry("a selector for conditions without a fault", "fault.correct{fault=none} >= 100%", true,
			"fault.correct needs a condition with a fault, and none is selected"),
	)

	It("may have the option triggered only if its metric measures the effects of faults", func() {
		for _, rule := range []string{"route.accuracy >= 90% triggered", "fault.affected >= 90% triggered"} {
			_, err := gate.Parse(rule)
			Expect(err).To(MatchError(ContainSubstring("triggered applies only to metrics of faults")), rule)
		}
		Expect(gate.Validate([]gate.Rule{mustParse("fault.correct >= 100%")}, []gate.SuiteScope{router(true)})).
			To(Succeed())
	})
})
