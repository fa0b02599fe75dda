package gate_test

import (
	"fmt"
	"math"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/gate"
)

var _ = Describe("Check", func() {
	DescribeTable("compares",
		func(rule string, value float64, passed bool) {
			v := checkOne(rule, eval.Estimate{Value: &value, N: 10})
			Expect(v.Passed).To(Equal(passed), v.Reason)
		},
		Entry(">= above", "x.y >= 0.9", 0.91, true), Entry(">= equal", "x.y >= 90%", 0.9, true), Entry(">= below", "x.y >= 0.9", 0.89, false),
		Entry("> above", "x.y > 0.9", 0.91, true), Entry("> equal", "x.y > 0.9", 0.9, false), Entry("> below", "x.y > 0.9", 0.89, false),
		Entry("<= above", "x.y <= 0.9", 0.91, false), Entry("<= equal", "x.y <= 0.9", 0.9, true), Entry("<= below", "x.y <= 0.9", 0.89, true),
		Entry("< above", "x.y < 0.9", 0.91, false), Entry("< equal", "x.y < 0.9", 0.9, false), Entry("< below", "x.y < 0.9", 0.89, true),
		Entry("== equal", "x.y == 3", 3.0, true), Entry("== not", "x.y == 3", 3.1, false),
		Entry("!= equal", "x.y != 3", 3.0, false), Entry("!= not", "x.y != 3", 3.1, true),
	)

	DescribeTable("is broken, whatever the operator, where nothing usable was measured",
		func(e eval.Estimate, reason string) {
			for _, op := range []string{">=", ">", "<=", "<", "==", "!="} {
				v := checkOne("x.y "+op+" 0.5", e)
				Expect(v.Passed).To(BeFalse())
				Expect(v.Reason).To(Equal(reason + " in suite s, variant v, fault none"))
			}
		},
		Entry("no value", eval.Estimate{N: 5}, "no value (n=5)"),
		Entry("a value of no trials", eval.Estimate{Value: number(0.5), Missing: 7}, "no value (n=0, 7 missing)"),
		Entry("a value of less than none", eval.Estimate{Value: number(0.5), N: -1}, "no value (n=-1)"),
		Entry("NaN", eval.Estimate{Value: number(math.NaN()), N: 5}, "NaN is not a number to judge by"),
		Entry("infinity", eval.Estimate{Value: number(math.Inf(1)), N: 5}, "+Inf is not a number to judge by"),
		Entry("negative infinity", eval.Estimate{Value: number(math.Inf(-1)), N: 5}, "-Inf is not a number to judge by"),
	)

	It("is broken by a rule that nobody could keep", func() {
		s := summary(cell("s", "v", "", 0.5))
		for _, r := range []gate.Rule{{}, {Metric: "x.y"}, {Metric: "x.y", Op: "~"}, {Metric: "x.y", Op: gate.Differs, Limit: math.NaN()}} {
			Expect(gate.Check([]gate.Rule{r}, s)[0].Passed).To(BeFalse(), "%#v", r)
		}
	})

	It("is broken when nothing was run, or no cell has the metric", func() {
		Expect(check("x.y >= 0", eval.Summary{})).To(Equal(eval.GateVerdict{Rule: "x.y >= 0", Verdict: eval.GateFailed, Reason: "nothing was run"}))
		Expect(check("x.z >= 0", summary(cell("s", "v", "", 1))).Reason).To(Equal("no cell has x.z"))
		Expect(check("x.y{fault=llm:timeout} >= 0", summary(cell("s", "v", "", 1))).Reason).
			To(Equal("no cell{fault=llm:timeout} has x.y"))
	})

	It("is broken by a selected cell in which no trial ran, even if it lacks the metric", func() {
		idle := cell("s", "idle", "", 1)
		idle.CellSummary = eval.CellSummary{Name: "idle"}
		s := summary(cell("s", "v", "", 1), idle)
		Expect(check("x.y >= 0", s).Reason).To(Equal("no trial ran in suite s, variant idle, fault none; the worst of 2 cells"))
		Expect(check("x.y{variant=v} >= 0", s).Passed).To(BeTrue())
	})

	It("holds only if it holds in every selected cell, and names the worst", func() {
		s := summary(
			cell("a", "v1", "", 0.95), cell("a", "v2", "", 0.8), cell("a", "v2", "llm:timeout", 0.7),
			cell("b", "v1", "", 0.99), other("c", "v1"))
		Expect(check("x.y >= 0.6", s)).To(Equal(eval.GateVerdict{Rule: "x.y >= 0.6", Verdict: eval.GatePassed, Passed: true,
			Reason: "0.7 (n=10) in suite a, variant v2, fault llm:timeout; the worst of 4 cells"}))
		Expect(check("x.y >= 0.9", s)).To(Equal(eval.GateVerdict{Rule: "x.y >= 0.9", Verdict: eval.GateFailed,
			Reason: "0.7 (n=10) in suite a, variant v2, fault llm:timeout; broken in 2 of 4 cells"}))
		Expect(check("x.y <= 0.97", s).Reason).To(HavePrefix("0.99 (n=10) in suite b, variant v1"))
		Expect(check("x.y == 0.8", s).Reason).To(HavePrefix("0.99 (n=10) in suite b"))
		Expect(check("x.y != 0.79", s).Reason).To(HavePrefix("0.8 (n=10) in suite a, variant v2, fault none"))
	})

	DescribeTable("looks at the selected cells only",
		func(selector string, passed bool) {
			s := summary(cell("a", "v1", "", 0.95), cell("a", "v2", "", 0.8), cell("a", "v1", "llm:timeout", 0.7), cell("b", "v1", "", 0.9))
			v := check("x.y"+selector+" >= 0.85", s)
			Expect(v.Passed).To(Equal(passed), v.Reason)
		},
		Entry("a suite", "{suite=b}", true),
		Entry("a suite with a bad cell", "{suite=a}", false),
		Entry("a variant", "{variant=v1}", false),
		Entry("a variant without faults", "{variant=v1,fault=none}", true),
		Entry("a fault", "{fault=llm:timeout}", false),
		Entry("a cell", "{suite=a,variant=v1,fault=none}", true),
		Entry("what does not exist", "{suite=b,variant=v2}", false),
	)

	It("puts a cell without a value before the worst value", func() {
		empty := cell("a", "v2", "", 0)
		empty.Metrics["x.y"] = eval.Estimate{}
		v := check("x.y >= 0.9", summary(cell("a", "v1", "", 0.1), empty))
		Expect(v.Reason).To(Equal("no value (n=0) in suite a, variant v2, fault none; broken in 2 of 2 cells"))
	})

	It("shows interval, denominator, missing trials and unit", func() {
		v := check("latency.p95 <= 3s", withMetric("latency.p95", eval.Estimate{Value: number(3210.5), Lo: number(2900), Hi: number(3500.25), N: 200, Missing: 3,
			Worst: number(3400), Best: number(3100)}))
		Expect(v).To(Equal(eval.GateVerdict{Rule: "latency.p95 <= 3s", Verdict: eval.GateFailed,
			Reason: "3210.5 [2900, 3500] ms (n=200, 3 missing) in suite s, variant v, fault none"}))
	})

	DescribeTable("holds only if it would with all that is missing against it",
		func(rule string, worst, best *float64, passed bool, reason string) {
			e := eval.Estimate{Value: number(0.95), N: 100, Missing: 10, Worst: worst, Best: best}
			v := checkOne(rule, e)
			Expect(v.Passed).To(Equal(passed), v.Reason)
			Expect(v.Reason).To(ContainSubstring(reason))
		},
		Entry("at least, also at worst", "x.y >= 0.8", number(0.86), number(0.96), true, "10 missing"),
		Entry("at least, not at worst", "x.y >= 0.9", number(0.86), number(0.96), false, "but from 0.86 to 0.96 with what is missing"),
		Entry("at most, not at best", "x.y <= 0.95", number(0.86), number(0.96), false, "but from 0.86 to 0.96 with what is missing"),
		Entry("without bounds", "x.y >= 0.1", nil, nil, false, "no bound for what is missing"),
		Entry("with one bound", "x.y <= 1", nil, number(0.96), false, "no bound for what is missing"),
	)

	It("does not round a value across the limit", func() {
		v := checkOne("x.y >= 0.9", eval.Estimate{Value: number(0.89999999), N: 10})
		Expect(v.Reason).To(HavePrefix("0.89999999 "))
		v = checkOne("x.y > 0.9", eval.Estimate{Value: number(1.0 / 3), N: 10})
		Expect(v.Reason).To(HavePrefix("0.333333 "))
	})

	It("does not lose a label whose trials all failed", func() {
		judged, failed := cell("a", "v1", "", 1), cell("a", "v2", "", 1)
		judged.Metrics["route.f1.chat"] = eval.Estimate{Value: number(1), N: 4}
		failed.Metrics["route.accuracy"] = eval.Estimate{Value: number(1), N: 6, Missing: 4}
		elsewhere := cell("b", "v1", "", 1)
		elsewhere.Metrics["route.accuracy"] = eval.Estimate{Value: number(1), N: 6, Missing: 4}
		s := summary(judged, failed, elsewhere)
		Expect(check("route.f1.chat >= 0.9", s).Reason).
			To(Equal("no trial with the label could be judged in suite a, variant v2, fault none; the worst of 2 cells"))
		Expect(check("route.f1.chat{variant=v1} >= 0.9", s).Passed).To(BeTrue())
	})

	It("passes over a cell that has no such part, even if trials are missing there", func() {
		plain := other("a", "v2")
		plain.Metrics["route.accuracy"] = eval.Estimate{Value: number(1), N: 6, Missing: 4}
		v := check("x.y >= 0.9", summary(cell("a", "v1", "", 1), plain))
		Expect(v).To(Equal(eval.GateVerdict{Rule: "x.y >= 0.9", Verdict: eval.GatePassed, Passed: true, Reason: "1 (n=10) in suite a, variant v1, fault none"}))
	})

	It("gives a verdict a rule, in their order, and an empty list for none", func() {
		Expect(gate.Check(nil, eval.Summary{})).To(And(BeEmpty(), Not(BeNil())))
		rules := []gate.Rule{mustParse("x.y >= 1"), mustParse("x.y >= 0")}
		verdicts := gate.Check(rules, summary(cell("s", "v", "", 0.5)))
		Expect(verdicts).To(HaveLen(2))
		Expect([]string{verdicts[0].Rule, verdicts[1].Rule}).To(Equal([]string{"x.y >= 1", "x.y >= 0"}))
		Expect([]bool{verdicts[0].Passed, verdicts[1].Passed}).To(Equal([]bool{false, true}))
	})
})

var _ = Describe("Validate", func() {
	cells := []gate.Cell{
		{Suite: "toolrouter", Variant: "llm"},
		{Suite: "toolrouter", Variant: "llm", Fault: "llm:timeout"},
		{Suite: "toolrouter", Variant: "rules", Fault: "none"},
		{Suite: "scholar", Variant: "fast"},
	}

	DescribeTable("accepts what the run has",
		func(rule string) { Expect(gate.Validate([]gate.Rule{mustParse(rule)}, cells)).To(Succeed()) },
		Entry("no selector", "x.y > 1"),
		Entry("a suite", "x.y{suite=scholar} > 1"),
		Entry("a variant of any suite", "x.y{variant=fast} > 1"),
		Entry("no fault", "x.y{fault=none} > 1"),
		Entry("all three", "x.y{suite=toolrouter,variant=llm,fault=llm:timeout} > 1"),
	)

	DescribeTable("tells what is known",
		func(rule, problem string) {
			err := gate.Validate([]gate.Rule{mustParse(rule)}, cells)
			Expect(err).To(MatchError(ContainSubstring("gate rule: " + problem + "\n")))
		},
		Entry("of suites", "x.y{suite=toolruter} > 1", `unknown suite "toolruter"; known: scholar, toolrouter`),
		Entry("of variants", "x.y{variant=gpt} > 1", `unknown variant "gpt"; known: fast, llm, rules`),
		Entry("of a suite's variants", "x.y{suite=scholar,variant=llm} > 1", `unknown variant "llm" in {suite=scholar}; known: fast`),
		Entry("of faults", "x.y{fault=llm:reset} > 1", `unknown fault "llm:reset"; known: llm:timeout, none`),
		Entry("of a cell's faults", "x.y{suite=toolrouter,variant=rules,fault=llm:timeout} > 1",
			`unknown fault "llm:timeout" in {suite=toolrouter,variant=rules}; known: none`),
	)

	It("puts the caret under the name", func() {
		err := gate.Validate([]gate.Rule{mustParse("x.y{fault=oops,suite=scholar} > 1")}, cells)
		Expect(err).To(MatchError(HaveSuffix("\n" +
			"    x.y{suite=scholar,fault=oops} > 1\n" +
			"                            ^")))
	})

	It("reports every bad rule, and knows nothing when there are no cells", func() {
		rules := []gate.Rule{mustParse("x.y{suite=one} > 1"), mustParse("x.y > 1"), mustParse("x.y{fault=two} > 1")}
		err := gate.Validate(rules, cells)
		Expect(err).To(MatchError(And(ContainSubstring(`"one"`), ContainSubstring(`"two"`))))
		Expect(gate.Validate(rules[:1], nil)).To(MatchError(ContainSubstring("known: none")))
	})
})

// placed is a cell and the suite it belongs to.
type placed struct {
	suite string
	eval.CellSummary
}

// cell has the metric x.y, of 10 trials.
func cell(suite, variant, fault string, value float64) placed {
	if fault == "" {
		fault = eval.NoFault
	}
	return placed{suite, eval.CellSummary{Name: variant, Fault: fault, Trials: 10,
		Metrics: map[string]eval.Estimate{"x.y": {Value: &value, N: 10}}}}
}

// other is a cell to which x.y does not apply.
func other(suite, variant string) placed {
	c := cell(suite, variant, "", 0)
	delete(c.Metrics, "x.y")
	return c
}

func summary(cells ...placed) eval.Summary {
	var s eval.Summary
	for _, c := range cells {
		if n := len(s.Suites); n == 0 || s.Suites[n-1].Name != c.suite {
			s.Suites = append(s.Suites, eval.SuiteSummary{Name: c.suite})
		}
		last := &s.Suites[len(s.Suites)-1]
		last.Variants = append(last.Variants, c.CellSummary)
	}
	return s
}

func withMetric(name string, e eval.Estimate) eval.Summary {
	c := other("s", "v")
	c.Metrics[name] = e
	return summary(c)
}

func check(rule string, s eval.Summary) eval.GateVerdict {
	return gate.Check([]gate.Rule{mustParse(rule)}, s)[0]
}

func checkOne(rule string, e eval.Estimate) eval.GateVerdict {
	return check(rule, withMetric("x.y", e))
}

func mustParse(text string) gate.Rule {
	r, err := gate.Parse(text)
	Expect(err).NotTo(HaveOccurred())
	return r
}

func number(v float64) *float64 { return &v }

func Example() {
	var rules []gate.Rule
	for _, text := range []string{"route.accuracy{suite=toolrouter} >= 90%", "latency.p95 <= 3s", "route.accuracy = 1"} {
		r, err := gate.Parse(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		rules = append(rules, r)
	}
	accuracy, lo, hi := 0.93, 0.886, 0.958
	s := eval.Summary{Suites: []eval.SuiteSummary{{Name: "toolrouter", Variants: []eval.CellSummary{{
		Name: "llm", Fault: eval.NoFault, Trials: 200,
		Metrics: map[string]eval.Estimate{
			"route.accuracy": {Value: &accuracy, Lo: &lo, Hi: &hi, N: 200},
			"latency.p95":    {}, // every call failed
		},
	}}}}}
	for _, v := range gate.Check(rules, s) {
		fmt.Printf("%-5v %s: %s\n", v.Passed, v.Rule, v.Reason)
	}
	// Output:
	// gate rule: want >=, >, <=, <, == or != here
	//     route.accuracy = 1
	//                    ^
	// true  route.accuracy{suite=toolrouter} >= 0.9: 0.93 [0.886, 0.958] (n=200) in suite toolrouter, variant llm, fault none
	// false latency.p95 <= 3s: no value (n=0) in suite toolrouter, variant llm, fault none
}
