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
	DescribeTable("parses a rule and formats it canonically",
		func(text string, want gate.Rule, canonical string) {
			got, err := gate.Parse(text)
			Expect(err).NotTo(HaveOccurred())
			Expect(got).To(Equal(want))
			Expect(got.String()).To(Equal(canonical))
			Expect(gate.Parse(canonical)).To(Equal(want))
		},
		Entry("plain", "route.accuracy >= 0.9",
			gate.Rule{Metric: "route.accuracy", Op: gate.AtLeast, Limit: 0.9}, "route.accuracy >= 0.9"),
		Entry("without spaces", "errors.agent==0",
			gate.Rule{Metric: "errors.agent", Op: gate.Equal}, "errors.agent == 0"),
		Entry("with extra spaces", "\t cost.total_usd\n <  .5 ",
			gate.Rule{Metric: "cost.total_usd", Op: gate.Below, Limit: 0.5}, "cost.total_usd < 0.5"),
		Entry("percent", "route.f1.image_gen > 90%",
			gate.Rule{Metric: "route.f1.image_gen", Op: gate.Above, Limit: 0.9}, "route.f1.image_gen > 0.9"),
		Entry("a percentage that a division would not represent", "route.accuracy>=99.9%",
			gate.Rule{Metric: "route.accuracy", Op: gate.AtLeast, Limit: 0.999}, "route.accuracy >= 0.999"),
		Entry("15.20: a difference of shares in points", "critic.good_gain >= 5pp at 95%",
			gate.Rule{Metric: "critic.good_gain", Op: gate.AtLeast, Limit: 0.05, UseBound: true},
			"critic.good_gain >= 5pp at 95%"),
		Entry("negative", "critic.gain_per_loop != -0.25",
			gate.Rule{Metric: "critic.gain_per_loop", Op: gate.NotEqual, Limit: -0.25},
			"critic.gain_per_loop != -0.25"),
		Entry("seconds", "latency.p95 <= 3s",
			gate.Rule{Metric: "latency.p95", Op: gate.AtMost, Limit: 3000}, "latency.p95 <= 3s"),
		Entry("milliseconds", "ttft.p50 <= 500ms",
			gate.Rule{Metric: "ttft.p50", Op: gate.AtMost, Limit: 500}, "ttft.p50 <= 500ms"),
		Entry("microseconds, of a mean", "node.search.mean < 1.5us",
			gate.Rule{Metric: "node.search.mean", Op: gate.Below, Limit: 0.0015}, "node.search.mean < 1.5µs"),
		Entry("a time as a bare number", "latency.p99 < 1234.5",
			gate.Rule{Metric: "latency.p99", Op: gate.Below, Limit: 1234.5}, "latency.p99 < 1.2345s"),
		Entry("a time below the nanosecond", "latency.p99 < 0.0000001",
			gate.Rule{Metric: "latency.p99", Op: gate.Below, Limit: 1e-7}, "latency.p99 < 0.0000001"),
		Entry("one key", "latency.p95{fault=none} <= 3s",
			gate.Rule{Metric: "latency.p95", Fault: "none", Op: gate.AtMost, Limit: 3000},
			"latency.p95{fault=none} <= 3s"),
		Entry("all keys, in any order",
			`route.accuracy { fault = llm:timeout , variant="a b", suite=tool-router/v2 }>=1`,
			gate.Rule{Metric: "route.accuracy", Suite: "tool-router/v2", Variant: "a b", Fault: "llm:timeout",
				Op: gate.AtLeast, Limit: 1},
			`route.accuracy{suite=tool-router/v2,variant="a b",fault=llm:timeout} >= 1`),
		Entry("redundant quotes", `route.accuracy{suite="x"} >= 1`,
			gate.Rule{Metric: "route.accuracy", Suite: "x", Op: gate.AtLeast, Limit: 1},
			"route.accuracy{suite=x} >= 1"),
		Entry("a name that needs quotes", `route.accuracy{variant="a,b}=\"c\"\\\n"} >= 1`,
			gate.Rule{Metric: "route.accuracy", Variant: "a,b}=\"c\"\\\n", Op: gate.AtLeast, Limit: 1},
			`route.accuracy{variant="a,b}=\"c\"\\\n"} >= 1`),
		Entry("Chinese names", "route.f1.闲聊{suite=路由} >= 0.5",
			gate.Rule{Metric: "route.f1.闲聊", Suite: "路由", Op: gate.AtLeast, Limit: 0.5},
			"route.f1.闲聊{suite=路由} >= 0.5"),
		Entry("a label with a space", `"route.f1.book flight" >= 0.5`,
			gate.Rule{Metric: "route.f1.book flight", Op: gate.AtLeast, Limit: 0.5}, `"route.f1.book flight" >= 0.5`),
		Entry("a tag", `[ tag = zh ] route.macro_f1 >= 0.9`,
			gate.Rule{Tag: "zh", Metric: "route.macro_f1", Op: gate.AtLeast, Limit: 0.9},
			"[tag=zh] route.macro_f1 >= 0.9"),
		Entry("a tag in quotes", `[tag="a ]b"] route.macro_f1 >= 0.9`,
			gate.Rule{Tag: "a ]b", Metric: "route.macro_f1", Op: gate.AtLeast, Limit: 0.9},
			`[tag="a ]b"] route.macro_f1 >= 0.9`),
		Entry("a tag in braces", `route.macro_f1{variant=v, tag=zh} >= 0.9`,
			gate.Rule{Tag: "zh", Metric: "route.macro_f1", Variant: "v", Op: gate.AtLeast, Limit: 0.9},
			"[tag=zh] route.macro_f1{variant=v} >= 0.9"),
		Entry("a bound", "latency.p95<3s at 95%",
			gate.Rule{Metric: "latency.p95", Op: gate.Below, Limit: 3000, UseBound: true}, "latency.p95 < 3s at 95%"),
		Entry("permitted missing data", "latency.p95 < 3s missing<=2.5%",
			gate.Rule{Metric: "latency.p95", Op: gate.Below, Limit: 3000, Missing: 0.025},
			"latency.p95 < 3s missing <= 2.5%"),
		Entry("both, in any order", "latency.p95 < 3s missing <= 1% at 95%",
			gate.Rule{Metric: "latency.p95", Op: gate.Below, Limit: 3000, UseBound: true, Missing: 0.01},
			"latency.p95 < 3s at 95% missing <= 1%"),
		Entry("a drop", "drop( route.accuracy{variant=llm} ) <= 1pp",
			gate.Rule{Against: gate.Drop, Metric: "route.accuracy", Variant: "llm", Op: gate.AtMost, Limit: 0.01},
			"drop(route.accuracy{variant=llm}) <= 1pp"),
		Entry("a required gain", "drop(slots.subject) < -12.5pp",
			gate.Rule{Against: gate.Drop, Metric: "slots.subject", Op: gate.Below, Limit: -0.125},
			"drop(slots.subject) < -12.5pp"),
		Entry("a ratio", "ratio(cost.total_usd) <= 1.1",
			gate.Rule{Against: gate.Ratio, Metric: "cost.total_usd", Op: gate.AtMost, Limit: 1.1},
			"ratio(cost.total_usd) <= 1.1"),
		Entry("with triggered", "fault.correct >= 100% triggered at 95%",
			gate.Rule{Metric: "fault.correct", Op: gate.AtLeast, Limit: 1, UseBound: true, TriggeredOnly: true},
			"fault.correct >= 1 at 95% triggered"),
		Entry("with common_cases", "drop(route.accuracy) <= 1pp common_cases missing <= 1%",
			gate.Rule{Against: gate.Drop, Metric: "route.accuracy", Op: gate.AtMost, Limit: 0.01, Missing: 0.01,
				CommonCases: true}, "drop(route.accuracy) <= 1pp missing <= 1% common_cases"),
		Entry("a ratio in percent", "ratio(latency.p95) <= 110% missing <= 1%",
			gate.Rule{Against: gate.Ratio, Metric: "latency.p95", Op: gate.AtMost, Limit: 1.1, Missing: 0.01},
			"ratio(latency.p95) <= 1.1 missing <= 1%"),
		Entry("new failures", "[tag=zh] new_failures{fault=none} <= 0",
			gate.Rule{Tag: "zh", Against: gate.NewFailures, Fault: "none", Op: gate.AtMost},
			"[tag=zh] new_failures{fault=none} <= 0"),
		Entry("a label named like a percentile", "route.f1.p95 >= 90%",
			gate.Rule{Metric: "route.f1.p95", Op: gate.AtLeast, Limit: 0.9}, "route.f1.p95 >= 0.9"),
	)

	DescribeTable("rejects invalid rules and reports the position",
		func(text string, at int, problem string) {
			r, err := gate.Parse(text)
			Expect(r).To(Equal(gate.Rule{}))
			var syntax *gate.SyntaxError
			Expect(errors.As(err, &syntax)).To(BeTrue(), "got %v", err)
			Expect(syntax.Offset).To(Equal(at), "%v", err)
			Expect(syntax.Problem).To(ContainSubstring(problem))
			Expect(syntax.Rule).To(Equal(text))
		},
		Entry("empty", "", 0, "empty rule"),
		Entry("only spaces", "  ", 2, "empty rule"),
		Entry("no metric", ">= 1", 0, "expected a metric"),
		Entry("a trailing point", "accuracy >= 1", 0, `"accuracy" is not a metric`),
		Entry("an open end", "route. >= 1", 0, "is not a metric"),
		Entry("an empty part", "route..f1 >= 1", 0, "is not a metric"),
		Entry("a number for a metric", "0.9 <= route.accuracy", 0, "is not a metric"),
		Entry("an empty quoted metric", `"" >= 1`, 0, "is not a metric"),
		Entry("no operator", "route.accuracy 0.9", 15, "want >=, >"),
		Entry("assignment", "route.accuracy = 0.9", 15, "want >=, >"),
		Entry("a reversed operator", "route.accuracy =< 0.9", 15, "want >=, >"),
		Entry("an arrow", "route.accuracy => 0.9", 15, "want >=, >"),
		Entry("not", "route.accuracy ! 0.9", 15, "want >=, >"),
		Entry("only a metric", "route.accuracy", 14, "want >=, >"),
		Entry("a mathematical sign", "route.accuracy ≥ 0.9", 15, "want >=, >"),
		Entry("no number", "route.accuracy >= ", 18, "expected a number"),
		Entry("a doubled operator", "route.accuracy >>= 1", 16, "expected a number"),
		Entry("words", "route.accuracy >= high", 18, "expected a number"),
		Entry("infinity", "route.accuracy < Inf", 17, "expected a number"),
		Entry("not a number", "route.accuracy < NaN", 17, "expected a number"),
		Entry("beyond float64", "route.accuracy < 1"+strings.Repeat("0", 400), 17, "too large"),
		Entry("hexadecimal", "route.accuracy < 0x1", 17, "expected a number"),
		Entry("an exponent", "route.accuracy < 1e3", 17, "expected a number"),
		Entry("underscores", "tokens.in_total < 1_000", 18, "expected a number"),
		Entry("a comma for a point", "route.accuracy >= 0,9", 18, "expected a number"),
		Entry("two points", "route.accuracy >= 0.9.1", 18, "expected a number"),
		Entry("only a point", "route.accuracy >= .", 18, "expected a number"),
		Entry("two signs", "route.accuracy >= +-1", 18, "expected a number"),
		Entry("only a percent sign", "route.accuracy >= %", 18, "expected a number"),
		Entry("a quoted number", `route.accuracy >= "0.9"`, 18, "expected a number"),
		Entry("a duration for a rate", "route.accuracy >= 3s", 18, "not a time"),
		Entry("a percentage for a time", "latency.p95 <= 90%", 15, "no percentage"),
		Entry("a negative duration", "latency.p95 <= -3s", 15, "expected a duration"),
		Entry("an unknown unit", "latency.p95 <= 3sec", 15, "expected a duration"),
		Entry("trailing text", "route.accuracy >= 0.9 or so", 22, "unexpected text"),
		Entry("two rules", "route.accuracy >= 0.9, latency.p95 < 3s", 18, "expected a number"),
		Entry("a space before the percent sign", "route.accuracy >= 90 %", 18, "did you mean 90%?"),
		Entry("an empty selector", "route.accuracy{} >= 1", 15, "expected suite, variant, fault or tag"),
		Entry("an unknown key", "route.accuracy{suit=x} >= 1", 15, `unknown key "suit"`),
		Entry("a key in capitals", "route.accuracy{Suite=x} >= 1", 15, `unknown key "Suite"`),
		Entry("a duplicate key", "route.accuracy{suite=x,suite=y} >= 1", 23, "given twice"),
		Entry("a duplicate tag", "[tag=a] route.accuracy{tag=b} >= 1", 23, "tag is given twice"),
		Entry("a key without a value", "route.accuracy{suite} >= 1", 20, "expected = after suite"),
		Entry("nothing after =", "route.accuracy{suite=} >= 1", 21, "expected the name of a suite"),
		Entry("an empty value", `route.accuracy{suite=""} >= 1`, 21, "selects nothing"),
		Entry("the operator of a query language", `route.accuracy{suite=~"x"} >= 1`, 22, "want , or }"),
		Entry("a comma at the end", "route.accuracy{suite=x,} >= 1", 23, "expected suite, variant, fault or tag"),
		Entry("no comma", "route.accuracy{suite=x variant=y} >= 1", 23, "want , or }"),
		Entry("an unclosed brace", "route.accuracy{suite=x", 22, "want , or }"),
		Entry("an unclosed quote", `route.accuracy{suite="x} >= 1`, 21, "not closed"),
		Entry("a bad escape", `route.accuracy{suite="\q"} >= 1`, 21, "bad escape"),
		Entry("a selector after the operator", "route.accuracy >= {suite=x} 1", 18, "expected a number"),
		Entry("a tag without a name", "[tag=] x.y > 1", 5, "expected the name of a tag"),
		Entry("another key", "[label=zh] x.y > 1", 1, "expected tag=NAME"),
		Entry("an unclosed bracket", "[tag=zh x.y > 1", 8, "expected ] here"),
		Entry("a share above 1", "route.accuracy >= 90", 18, "this lies between 0 and 1, did you mean 90%?"),
		Entry("a calibration error above 1", "confidence.ece <= 5", 18, "this lies between 0 and 1, did you mean 5%?"),
		Entry("a share far above 1", "route.accuracy >= 900", 18, "this lies between 0 and 1"),
		Entry("a percentage above 100", "route.accuracy >= 900%", 18, "this lies between 0 and 1"),
		Entry("15.20: a difference of shares without a unit", "critic.good_gain >= 5", 20, "want points such as 1pp"),
		Entry("a negative share", "critic.false_accept <= -1%", 23, "this lies between 0 and 1"),
		Entry("a percentage of money", "cost.total_usd <= 5%", 18, "US dollars"),
		Entry("a percentage of a count", "errors.agent <= 5%", 16, "this is a count"),
		Entry("another level", "route.accuracy >= 0.9 at 99%", 25, "want 95%"),
		Entry("no level", "route.accuracy >= 0.9 at", 24, "want 95%"),
		Entry("a bound for ==", "x.y == 1 at 95%", 9, "== has no bound to keep"),
		Entry("a duplicate bound", "x.y > 1 at 95% at 95%", 15, "unexpected text"),
		Entry("missing without a share", "x.y > 1 missing <= 2", 19, "want the share that may be missing"),
		Entry("a limit that no share exceeds", "missing.rate <= 1", 16, "did you mean 1%?"),
		Entry("a limit of 100 %", "route.f1.a <= 100%", 14, "every share keeps 100%: did you mean 1%?"),
		Entry("a limit of 0", "route.accuracy >= 0", 18, "did you mean 1%?"),
		Entry("all data missing", "x.y > 1 missing <= 100%", 19, "want the share that may be missing"),
		Entry("missing with >=", "x.y > 1 missing >= 2%", 16, "want <= behind missing"),
		Entry("another comparison", "fall(route.accuracy) <= 1pp", 0, `unknown comparison "fall"`),
		Entry("a drop of a time", "drop(latency.p95) <= 1pp", 5,
			"no drop of latency.p95 is measured, expected one of route.accuracy, "),
		Entry("a drop of a metric for which lower is better", "drop(slots.style.false_hits) <= 1pp", 5,
			"no drop of slots.style.false_hits is measured, expected one of route.accuracy, "),
		Entry("a ratio of a share", "ratio(route.accuracy) <= 1.1", 6,
			"no ratio of route.accuracy is measured, expected one of latency.*, "),
		Entry("28.8: an old name", "apology.rate <= 5%", 0, "the metric apology.rate is now called error_reply.rate"),
		Entry("28.8: an old name in a comparison", "ratio(cost.usd{fault=none}) <= 1.1", 6,
			"the metric cost.usd is now called cost.total_usd"),
		Entry("a ratio of an unknown percentile", "ratio(latency.p94) <= 1.1", 6,
			"no ratio of latency.p94 is measured, expected one of latency.*, "),
		Entry("a ratio of a family", "ratio(latency.sum) <= 1.1", 6, "no ratio of latency.sum"),
		Entry("a drop with a lower limit", "drop(route.accuracy) >= 1pp", 21, "limit from above"),
		Entry("a drop in percent", "drop(route.accuracy) <= 1%", 24, "want points such as 1pp"),
		Entry("a drop of 100 points", "drop(route.accuracy) <= 100pp", 24, "less than 100pp"),
		Entry("points without a drop", "route.accuracy >= 90pp", 18, "expected a number"),
		Entry("no closing bracket", "drop(route.accuracy <= 1pp", 20, "expected ) here"),
		Entry("a bound for a drop", "drop(route.accuracy) <= 1pp at 95%", 28, "a drop is tested at 95% as it is"),
		Entry("a bound for a number of cases", "new_failures <= 0 at 95%", 18, "a count has no interval"),
		Entry("half a failure", "new_failures <= 0.5", 16, "expected a number of cases"),
		Entry("a share of failures", "new_failures <= 5%", 16, "expected a number of cases"),
		Entry("a ratio of 0", "ratio(cost.total_usd) <= 0", 25, "expected a ratio"),
		Entry("invalid UTF-8", "route.accuracy >= 1\xff", 19, "not UTF-8"),
	)

	It("shows the rule on one line, with the column after Chinese text", func() {
		_, err := gate.Parse("route.f1.闲聊\t= 1")
		Expect(err).To(MatchError(`"route.f1.闲聊\t= 1", column 13: want >=, >, <=, <, == or != here`))
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

var _ = Describe("28.0: the score of a custom scorer", func() {
	polite := metric.CustomScore("politeness.polite", "polite",
		"Trials with a polite answer, of trials with an answer.")

	It("has the limits of a share and can be compared if it is declared", func() {
		_, err := gate.Parse("politeness.polite >= 90", polite)
		Expect(err).To(MatchError(ContainSubstring("did you mean 90%?")))
		r, err := gate.Parse("drop(politeness.polite) <= 1pp", polite)
		Expect(err).NotTo(HaveOccurred())
		Expect(r.String()).To(Equal("drop(politeness.polite) <= 1pp"))
		_, err = gate.Parse("drop(politeness.polite) <= 1pp")
		Expect(err).To(MatchError(ContainSubstring("no drop of politeness.polite is measured")))
	})

	It("uses the bounds for missing trials", func() {
		value, worst, best := 0.95, 0.855, 0.955
		s := eval.Summary{Suites: []eval.SuiteSummary{{Name: "s",
			Conditions: []eval.ConditionSummary{{Name: "v", Fault: "none", Trials: 20,
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
