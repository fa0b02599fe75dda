package gate_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/gate"
	"evalctl/eval/metric"
)

var _ = Describe("Parse", func() {
	DescribeTable("parses a rule, and String returns its canonical form",
		func(text string, want gate.Rule, canonical string) {
			got, err := gate.Parse(text)
			Expect(err).NotTo(HaveOccurred())
			Expect(got).To(Equal(want))
			Expect(got.String()).To(Equal(canonical))
			Expect(gate.Parse(canonical)).To(Equal(want))
		},
		Entry("a metric with a decimal limit", "route.accuracy >= 0.9",
			gate.Rule{Metric: "route.accuracy", Op: gate.AtLeast, Limit: 0.9}, "route.accuracy >= 0.9"),
		Entry("a rule without spaces", "errors.agent==0",
			gate.Rule{Metric: "errors.agent", Op: gate.Equal}, "errors.agent == 0"),
		Entry("a rule with additional spaces", "\t cost.total_usd\n <  .5 ",
			gate.Rule{Metric: "cost.total_usd", Op: gate.Below, Limit: 0.5}, "cost.total_usd < 0.5"),
		Entry("a limit in percent", "route.f1.image_gen > 90%",
			gate.Rule{Metric: "route.f1.image_gen", Op: gate.Above, Limit: 0.9}, "route.f1.image_gen > 0.9"),
		Entry("a percentage that must be converted exactly", "route.accuracy>=99.9%",
			gate.Rule{Metric: "route.accuracy", Op: gate.AtLeast, Limit: 0.999}, "route.accuracy >= 0.999"),
		Entry("15.20: a difference of shares in points", "critic.good_gain >= 5pp at 95%",
			gate.Rule{Metric: "critic.good_gain", Op: gate.AtLeast, Limit: 0.05, UseIntervalBound: true},
			"critic.good_gain >= 5pp at 95%"),
		Entry("a negative limit", "critic.gain_per_loop != -0.25",
			gate.Rule{Metric: "critic.gain_per_loop", Op: gate.NotEqual, Limit: -0.25},
			"critic.gain_per_loop != -0.25"),
		Entry("a limit in seconds", "latency.p95 <= 3s",
			gate.Rule{Metric: "latency.p95", Op: gate.AtMost, Limit: 3000}, "latency.p95 <= 3s"),
		Entry("a limit in milliseconds", "ttft.p50 <= 500ms",
			gate.Rule{Metric: "ttft.p50", Op: gate.AtMost, Limit: 500}, "ttft.p50 <= 500ms"),
		Entry("a limit in microseconds", "node.search.mean < 1.5us",
			gate.Rule{Metric: "node.search.mean", Op: gate.Below, Limit: 0.0015}, "node.search.mean < 1.5µs"),
		Entry("a time as a plain number, in milliseconds", "latency.p99 < 1234.5",
			gate.Rule{Metric: "latency.p99", Op: gate.Below, Limit: 1234.5}, "latency.p99 < 1.2345s"),
		Entry("a time shorter than a nanosecond", "latency.p99 < 0.0000001",
			gate.Rule{Metric: "latency.p99", Op: gate.Below, Limit: 1e-7}, "latency.p99 < 0.0000001"),
		Entry("a selector with one key", "latency.p95{fault=none} <= 3s",
			gate.Rule{Metric: "latency.p95", Fault: "none", Op: gate.AtMost, Limit: 3000},
			"latency.p95{fault=none} <= 3s"),
		Entry("a selector with all keys, in any order",
			`route.accuracy { fault = llm:timeout , variant="a b", suite=tool-router/v2 }>=1`,
			gate.Rule{Metric: "route.accuracy", Suite: "tool-router/v2", Variant: "a b", Fault: "llm:timeout",
				Op: gate.AtLeast, Limit: 1},
			`route.accuracy{suite=tool-router/v2,variant="a b",fault=llm:timeout} >= 1`),
		Entry("a name in quotes that are not needed", `route.accuracy{suite="x"} >= 1`,
			gate.Rule{Metric: "route.accuracy", Suite: "x", Op: gate.AtLeast, Limit: 1},
			"route.accuracy{suite=x} >= 1"),
		Entry("a name that needs quotes", `route.accuracy{variant="a,b}=\"c\"\\\n"} >= 1`,
			gate.Rule{Metric: "route.accuracy", Variant: "a,b}=\"c\"\\\n", Op: gate.AtLeast, Limit: 1},
			`route.accuracy{variant="a,b}=\"c\"\\\n"} >= 1`),
		Entry("names in Chinese", "route.f1.闲聊{suite=路由} >= 0.5",
			gate.Rule{Metric: "route.f1.闲聊", Suite: "路由", Op: gate.AtLeast, Limit: 0.5},
			"route.f1.闲聊{suite=路由} >= 0.5"),
		Entry("a label with a space", `"route.f1.book flight" >= 0.5`,
			gate.Rule{Metric: "route.f1.book flight", Op: gate.AtLeast, Limit: 0.5}, `"route.f1.book flight" >= 0.5`),
		Entry("a tag before the metric", `[ tag = zh ] route.macro_f1 >= 0.9`,
			gate.Rule{Tag: "zh", Metric: "route.macro_f1", Op: gate.AtLeast, Limit: 0.9},
			"[tag=zh] route.macro_f1 >= 0.9"),
		Entry("a tag in quotes", `[tag="a ]b"] route.macro_f1 >= 0.9`,
			gate.Rule{Tag: "a ]b", Metric: "route.macro_f1", Op: gate.AtLeast, Limit: 0.9},
			`[tag="a ]b"] route.macro_f1 >= 0.9`),
		Entry("a tag in the selector", `route.macro_f1{variant=v, tag=zh} >= 0.9`,
			gate.Rule{Tag: "zh", Metric: "route.macro_f1", Variant: "v", Op: gate.AtLeast, Limit: 0.9},
			"[tag=zh] route.macro_f1{variant=v} >= 0.9"),
		Entry("the option at 95%", "latency.p95<3s at 95%",
			gate.Rule{Metric: "latency.p95", Op: gate.Below, Limit: 3000, UseIntervalBound: true},
			"latency.p95 < 3s at 95%"),
		Entry("the option missing", "latency.p95 < 3s missing<=2.5%",
			gate.Rule{Metric: "latency.p95", Op: gate.Below, Limit: 3000, MaxMissing: 0.025},
			"latency.p95 < 3s missing <= 2.5%"),
		Entry("two options, in any order", "latency.p95 < 3s missing <= 1% at 95%",
			gate.Rule{Metric: "latency.p95", Op: gate.Below, Limit: 3000, UseIntervalBound: true, MaxMissing: 0.01},
			"latency.p95 < 3s at 95% missing <= 1%"),
		Entry("a drop compared with the baseline run", "drop( route.accuracy{variant=llm} ) <= 1pp",
			gate.Rule{Comparison: gate.Drop, Metric: "route.accuracy", Variant: "llm", Op: gate.AtMost, Limit: 0.01},
			"drop(route.accuracy{variant=llm}) <= 1pp"),
		Entry("a required improvement as a negative drop", "drop(slots.subject) < -12.5pp",
			gate.Rule{Comparison: gate.Drop, Metric: "slots.subject", Op: gate.Below, Limit: -0.125},
			"drop(slots.subject) < -12.5pp"),
		Entry("a ratio compared with the baseline run", "ratio(cost.total_usd) <= 1.1",
			gate.Rule{Comparison: gate.Ratio, Metric: "cost.total_usd", Op: gate.AtMost, Limit: 1.1},
			"ratio(cost.total_usd) <= 1.1"),
		Entry("the option triggered", "fault.correct >= 100% triggered at 95%",
			gate.Rule{Metric: "fault.correct", Op: gate.AtLeast, Limit: 1, UseIntervalBound: true, TriggeredOnly: true},
			"fault.correct >= 1 at 95% triggered"),
		Entry("the option common_cases", "drop(route.accuracy) <= 1pp common_cases missing <= 1%",
			gate.Rule{Comparison: gate.Drop, Metric: "route.accuracy", Op: gate.AtMost, Limit: 0.01, MaxMissing: 0.01,
				CommonCases: true}, "drop(route.accuracy) <= 1pp missing <= 1% common_cases"),
		Entry("a ratio in percent", "ratio(latency.p95) <= 110% missing <= 1%",
			gate.Rule{Comparison: gate.Ratio, Metric: "latency.p95", Op: gate.AtMost, Limit: 1.1, MaxMissing: 0.01},
			"ratio(latency.p95) <= 1.1 missing <= 1%"),
		Entry("a limit for new failures", "[tag=zh] new_failures{fault=none} <= 0",
			gate.Rule{Tag: "zh", Comparison: gate.NewFailures, Fault: "none", Op: gate.AtMost},
			"[tag=zh] new_failures{fault=none} <= 0"),
		Entry("a label named p95, which is not a percentile", "route.f1.p95 >= 90%",
			gate.Rule{Metric: "route.f1.p95", Op: gate.AtLeast, Limit: 0.9}, "route.f1.p95 >= 0.9"),
	)

	DescribeTable("returns an error with the position of the first problem",
		func(text string, at int, problem string) {
			r, err := gate.Parse(text)
			Expect(r).To(Equal(gate.Rule{}))
			var syntax *gate.SyntaxError
			Expect(errors.As(err, &syntax)).To(BeTrue(), "got %v", err)
			Expect(syntax.Offset).To(Equal(at), "%v", err)
			Expect(syntax.Problem).To(ContainSubstring(problem))
			Expect(syntax.Rule).To(Equal(text))
		},
		Entry("an empty text", "", 0, "empty rule"),
		Entry("a text of spaces", "  ", 2, "empty rule"),
		Entry("a rule without a metric", ">= 1", 0, "expected a metric"),
		Entry("a metric without a family", "accuracy >= 1", 0, `"accuracy" is not a metric`),
		Entry("a metric that ends with a dot", "route. >= 1", 0, "is not a metric"),
		Entry("a metric with an empty part", "route..f1 >= 1", 0, "is not a metric"),
		Entry("a number in place of the metric", "0.9 <= route.accuracy", 0, "is not a metric"),
		Entry("an empty metric in quotes", `"" >= 1`, 0, "is not a metric"),
		Entry("a rule without an operator", "route.accuracy 0.9", 15, "expected >=, >"),
		Entry("an equals sign in place of ==", "route.accuracy = 0.9", 15, "expected >=, >"),
		Entry("=< in place of <=", "route.accuracy =< 0.9", 15, "expected >=, >"),
		Entry("=> in place of >=", "route.accuracy => 0.9", 15, "expected >=, >"),
		Entry("a single exclamation mark", "route.accuracy ! 0.9", 15, "expected >=, >"),
		Entry("a metric without operator and limit", "route.accuracy", 14, "expected >=, >"),
		Entry("a mathematical sign as the operator", "route.accuracy ≥ 0.9", 15, "expected >=, >"),
		Entry("a rule without a limit", "route.accuracy >= ", 18, "expected a number"),
		Entry("a doubled > in the operator", "route.accuracy >>= 1", 16, "expected a number"),
		Entry("a word in place of the limit", "route.accuracy >= high", 18, "expected a number"),
		Entry("an infinite limit", "route.accuracy < Inf", 17, "expected a number"),
		Entry("NaN as the limit", "route.accuracy < NaN", 17, "expected a number"),
		Entry("a limit beyond the range of float64", "route.accuracy < 1"+strings.Repeat("0", 400), 17, "too large"),
		Entry("a hexadecimal limit", "route.accuracy < 0x1", 17, "expected a number"),
		Entry("a limit with an exponent", "route.accuracy < 1e3", 17, "expected a number"),
		Entry("a limit with an underscore", "tokens.in_total < 1_000", 18, "expected a number"),
		Entry("a limit with a decimal comma", "route.accuracy >= 0,9", 18, "expected a number"),
		Entry("a limit with two decimal points", "route.accuracy >= 0.9.1", 18, "expected a number"),
		Entry("a limit that is only a decimal point", "route.accuracy >= .", 18, "expected a number"),
		Entry("a limit with two signs", "route.accuracy >= +-1", 18, "expected a number"),
		Entry("a limit that is only a percent sign", "route.accuracy >= %", 18, "expected a number"),
		Entry("a limit in quotes", `route.accuracy >= "0.9"`, 18, "expected a number"),
		Entry("a duration as the limit of a share", "route.accuracy >= 3s", 18, "not a time"),
		Entry("a percentage as the limit of a time", "latency.p95 <= 90%", 15, "no percentage"),
		Entry("a negative duration", "latency.p95 <= -3s", 15, "expected a duration"),
		Entry("a duration in an unknown unit", "latency.p95 <= 3sec", 15, "expected a duration"),
		Entry("additional text after the rule", "route.accuracy >= 0.9 or so", 22, "unexpected text"),
		Entry("two rules in one text", "route.accuracy >= 0.9, latency.p95 < 3s", 18, "expected a number"),
		Entry("a space before the percent sign", "route.accuracy >= 90 %", 18, "did you mean 90%?"),
		Entry("a selector without a key", "route.accuracy{} >= 1", 15, "expected suite, variant, fault or tag"),
		Entry("an unknown selector key", "route.accuracy{suit=x} >= 1", 15, `unknown key "suit"`),
		Entry("a selector key in capitals", "route.accuracy{Suite=x} >= 1", 15, `unknown key "Suite"`),
		Entry("a selector key that is given twice", "route.accuracy{suite=x,suite=y} >= 1", 23, "given twice"),
		Entry("a tag that is given twice", "[tag=a] route.accuracy{tag=b} >= 1", 23, "tag is given twice"),
		Entry("a selector key without a value", "route.accuracy{suite} >= 1", 20, "expected = after suite"),
		Entry("an equals sign without a value", "route.accuracy{suite=} >= 1", 21, "expected the name of a suite"),
		Entry("an empty value in quotes", `route.accuracy{suite=""} >= 1`, 21, "the name is empty"),
		Entry("an operator of PromQL in the selector", `route.accuracy{suite=~"x"} >= 1`, 22, "expected , or }"),
		Entry("a comma at the end of the selector", "route.accuracy{suite=x,} >= 1", 23,
			"expected suite, variant, fault or tag"),
		Entry("two selector keys without a comma", "route.accuracy{suite=x variant=y} >= 1", 23, "expected , or }"),
		Entry("a selector without a closing brace", "route.accuracy{suite=x", 22, "expected , or }"),
		Entry("a value without a closing quote", `route.accuracy{suite="x} >= 1`, 21, "not closed"),
		Entry("a value with an invalid escape", `route.accuracy{suite="\q"} >= 1`, 21, "bad escape"),
		Entry("a selector after the operator", "route.accuracy >= {suite=x} 1", 18, "expected a number"),
		Entry("a tag without a name", "[tag=] x.y > 1", 5, "expected the name of a tag"),
		Entry("another key than tag in brackets", "[label=zh] x.y > 1", 1, "expected tag=NAME"),
		Entry("a tag without a closing bracket", "[tag=zh x.y > 1", 8, "expected ] here"),
		Entry("a share above 1", "route.accuracy >= 90", 18, "this lies between 0 and 1, did you mean 90%?"),
		Entry("a calibration error above 1", "confidence.ece <= 5", 18, "this lies between 0 and 1, did you mean 5%?"),
		Entry("a share far above 1", "route.accuracy >= 900", 18, "this lies between 0 and 1"),
		Entry("a percentage above 100", "route.accuracy >= 900%", 18, "this lies between 0 and 1"),
		Entry("15.20: a difference of shares without a unit", "critic.good_gain >= 5", 20, "want points such as 1pp"),
		Entry("a negative share", "critic.false_accept <= -1%", 23, "this lies between 0 and 1"),
		Entry("a percentage of money", "cost.total_usd <= 5%", 18, "US dollars"),
		Entry("a percentage of a count", "errors.agent <= 5%", 16, "this is a count"),
		Entry("the option \"at\" with another level than 95 %", "route.accuracy >= 0.9 at 99%", 25, "expected 95%"),
		Entry("the option \"at\" without a level", "route.accuracy >= 0.9 at", 24, "expected 95%"),
		Entry("the option at 95% with the operator ==", "x.y == 1 at 95%", 9, "== cannot be tested at 95%"),
		Entry("the option at 95% given twice", "x.y > 1 at 95% at 95%", 15, "unexpected text"),
		Entry("the option missing without a percentage", "x.y > 1 missing <= 2", 19,
			"expected a share after missing <="),
		Entry("a maximum of 1 for a share, which always holds", "missing.rate <= 1", 16, "did you mean 1%?"),
		Entry("a maximum of 100 % for a share, which always holds", "route.f1.a <= 100%", 14,
			"every share keeps 100%: did you mean 1%?"),
		Entry("a minimum of 0 for a share, which always holds", "route.accuracy >= 0", 18, "did you mean 1%?"),
		Entry("the option missing with 100 %", "x.y > 1 missing <= 100%", 19, "expected a share after missing <="),
		Entry("the keyword \"missing\" with the operator >=", "x.y > 1 missing >= 2%", 16, "expected <= after missing"),
		Entry("an unknown comparison", "fall(route.accuracy) <= 1pp", 0, `unknown comparison "fall"`),
		Entry("a drop of a time", "drop(latency.p95) <= 1pp", 5,
			"drop does not apply to latency.p95, expected one of route.accuracy, "),
		Entry("a drop of a metric for which lower is better", "drop(slots.style.false_hits) <= 1pp", 5,
			"drop does not apply to slots.style.false_hits, expected one of route.accuracy, "),
		Entry("a ratio of a share", "ratio(route.accuracy) <= 1.1", 6,
			"ratio does not apply to route.accuracy, expected one of latency.*, "),
		Entry("28.8: a metric by its old name", "apology.rate <= 5%", 0,
			"the metric apology.rate is now called error_reply.rate"),
		Entry("28.8: a metric by its old name in a comparison", "ratio(cost.usd{fault=none}) <= 1.1", 6,
			"the metric cost.usd is now called cost.total_usd"),
		Entry("a ratio of an unknown percentile", "ratio(latency.p94) <= 1.1", 6,
			"ratio does not apply to latency.p94, expected one of latency.*, "),
		Entry("a ratio of an unknown latency metric", "ratio(latency.sum) <= 1.1", 6,
			"ratio does not apply to latency.sum"),
		Entry("a drop with a lower limit", "drop(route.accuracy) >= 1pp", 21, "requires an upper limit"),
		Entry("a drop limited in percent instead of points", "drop(route.accuracy) <= 1%", 24,
			"want points such as 1pp"),
		Entry("a drop of 100 points", "drop(route.accuracy) <= 100pp", 24, "less than 100pp"),
		Entry("points as the limit of a metric that is not compared", "route.accuracy >= 90pp",
			18, "expected a number"),
		Entry("a drop without a closing parenthesis", "drop(route.accuracy <= 1pp", 20, "expected ) here"),
		Entry("the option at 95% for a drop", "drop(route.accuracy) <= 1pp at 95%", 28,
			"a drop is always tested at 95%"),
		Entry("the option at 95% for new failures", "new_failures <= 0 at 95%", 18, "a count has no interval"),
		Entry("a fraction as the limit of new failures", "new_failures <= 0.5", 16, "expected a number of cases"),
		Entry("a percentage as the limit of new failures", "new_failures <= 5%", 16, "expected a number of cases"),
		Entry("a ratio limited to 0", "ratio(cost.total_usd) <= 0", 25, "expected a ratio"),
		Entry("invalid UTF-8", "route.accuracy >= 1\xff", 19, "not UTF-8"),
	)

	It("returns an error with the rule on one line, and counts columns in characters, also after Chinese text", func() {
		_, err := gate.Parse("route.f1.闲聊\t= 1")
		Expect(err).To(MatchError(`"route.f1.闲聊\t= 1", column 13: expected >=, >, <=, <, == or != here`))
	})
})

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"route.accuracy >= 0.9", `route.f1.x{suite="a\tb",variant=v,fault=llm:timeout} != -1.50`,
		"[tag=zh] route.macro_f1 >= 0.9 at 95% missing <= 2%", "drop(route.accuracy{fault=none}) <= 1.5pp",
		"ratio(latency.p95) <= 1.1", "new_failures <= 0",
		"drop(slots.a) < -0.05pp", `[tag="]"] a.b>=.1 missing<=.5%`, "latency.p95<=3s", "node.a.mean < 1.5us",
		"latency.p50 > 0.1", `"a.b c"==99.9%`, "a.b{suite=", "a.b =< 1", "闲.聊 ≥ 1", "\xff",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := gate.Parse(text)
		if err != nil {
			var syntax *gate.SyntaxError
			if !errors.As(err, &syntax) || syntax.Offset < 0 || syntax.Offset > len(text) ||
				strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q: bad error %q", text, err)
			}
			return
		}
		if math.IsNaN(r.Limit) || math.IsInf(r.Limit, 0) {
			t.Fatalf("%q: limit %v", text, r.Limit)
		}
		again, err := gate.Parse(r.String())
		if err != nil || again != r {
			t.Fatalf("%q: %#v became %q, which gives %#v, %v", text, r, r.String(), again, err)
		}
	})
}

var _ = Describe("28.0: a gate rule on the score of a custom scorer", func() {
	polite := metric.CustomScoreDef("politeness.polite", "polite",
		"Trials with a polite answer, of trials with an answer.")

	It("can have the limits of a share and be compared if the scorer declares its metric", func() {
		_, err := gate.Parse("politeness.polite >= 90", polite)
		Expect(err).To(MatchError(ContainSubstring("did you mean 90%?")))
		r, err := gate.Parse("drop(politeness.polite) <= 1pp", polite)
		Expect(err).NotTo(HaveOccurred())
		Expect(r.String()).To(Equal("drop(politeness.polite) <= 1pp"))
		_, err = gate.Parse("drop(politeness.polite) <= 1pp")
		Expect(err).To(MatchError(ContainSubstring("drop does not apply to politeness.polite")))
	})

	It("passes only if it would also pass with all missing trials counted as wrong", func() {
		value, worst, best := 0.95, 0.855, 0.955
		s := eval.Summary{Suites: []eval.SuiteSummary{{Name: "s",
			Conditions: []eval.ConditionSummary{{Variant: "v", Fault: "none", Trials: 20,
				Metrics: map[string]eval.Estimate{"politeness.polite": {Value: &value, WorstCase: &worst,
					BestCase: &best,
					N:        18, Missing: 2}}}}}}}
		for limit, passed := range map[string]bool{"85%": true, "90%": false} {
			r, err := gate.Parse("politeness.polite >= "+limit, polite)
			Expect(err).NotTo(HaveOccurred())
			v := gate.Check([]gate.Rule{r}, s, nil)[0]
			Expect(v.Passed).To(Equal(passed), v.Reason)
			Expect(v.Reason).To(ContainSubstring("95.0 %"))
		}
	})
})
