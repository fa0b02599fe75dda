package page_test

import (
	"fmt"
	"regexp"
	"strconv"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports/page"
)

var _ = Describe("The figure of latency", func() {
	suite := eval.SuiteSummary{Name: "s", Clock: "simulated",
		Conditions: []eval.ConditionSummary{variant("rules", 9, 0, 0, 9), variant("llm", 9, 0, 0, 9)}}
	var results []eval.Result
	for i := range 100 {
		results = append(results, trial("rules", i, 800+float64(i)*4), trial("llm", i, 900+float64(i)*100))
	}

	It("shows a histogram for each variant on one axis, with p50 and p95 as dashed lines and as text", func() {
		got := page.Latency(suite, spreadOf(suite, results...))
		Expect(count(got, "line", "dashed")).To(Equal(4))
		Expect(count(got, "rect", "times")).To(And(BeNumerically(">", 30), BeNumerically("<", 144)))
		Expect(words(got)).To(And(ContainSubstring("p50 0.960 s p95 10.8 s"), ContainSubstring("simulated time"),
			ContainSubstring("1 s 2 s")))
		Expect(links(got)).To(HaveKey("#cases?suite=s&variant=llm&sort=slowest"))
	})

	It("has a separate bar for almost instant turns, which is cut off, and one label for p50 and p95 if they are close",
		func() {
			instant := variant("linear", 9, 0, 0, 9)
			for _, q := range []string{"p50", "p95"} {
				instant.Metrics["latency."+q] = eval.Estimate{Value: new(0.0), Lo: new(0.0), Hi: new(0.0), N: 100}
			}
			s := suite
			s.Conditions = []eval.ConditionSummary{variant("rules", 9, 0, 0, 9), instant}
			var list []eval.Result
			for i := range 100 {
				list = append(list, trial("rules", i, 800+float64(i)*40), trial("linear", i, 0))
			}
			got := page.Latency(s, spreadOf(s, list...))
			Expect(words(got)).To(And(ContainSubstring("p50, p95"), ContainSubstring("contains all turns below"),
				ContainSubstring("truncated"), ContainSubstring("0 s of 100 turns"), MatchRegexp(`linear 0 s [–0]`)))
			Expect(words(got)).NotTo(Or(ContainSubstring("linear 0 s ["), ContainSubstring(" 10 ms"),
				ContainSubstring(" 0.1 s")))
			tall := 0
			for _, h := range regexp.MustCompile(`class="times"[^>]*height="([\d.]+)"`).
				FindAllStringSubmatch(string(got), -1) {
				if v, _ := strconv.ParseFloat(h[1], 64); v > 15 {
					tall++
				}
			}
			Expect(tall).To(BeNumerically(">", 5), "more bars than that of the instant requests")
		})

	It("has a line from p5 to p95 for each expected label", func() {
		got := page.Latency(suite, spreadOf(suite, results...))
		Expect(words(got)).To(MatchRegexp(
			`By expected label .*chat rules .{1,20} s \(.{1,20} s to 1\.\d+ s\) of 100 turns`))
		Expect(links(got)).To(HaveKey("#cases?suite=s&variant=llm&expected=chat&sort=slowest"))
	})

	It("shows only quantiles if the results are not available", func() {
		got := page.Latency(suite, nil)
		Expect(count(got, "rect", "times")).To(BeZero())
		Expect(words(got)).To(And(ContainSubstring("0.960 s [0.864, 1.06]"), ContainSubstring("rules and llm")))
		Expect(page.Latency(eval.SuiteSummary{}, nil)).To(BeEmpty())
	})

	It("15.27: has a row for each node, with failed calls, the latency of visits and their share of the time, as the option --by node reports them", func() {
		c := variant("v", 9, 0, 0, 9)
		for name, ms := range map[string]float64{"router": 100, "image": 300} {
			c.Metrics["node."+name+".calls"] = eval.Estimate{Value: new(11.0), N: 9}
			c.Metrics["node."+name+".mean"] = value(1, 10) // a poll is answered immediately, but its visit is long
			c.Metrics["node."+name+".p50"] = eval.Estimate{Value: new(1.0), N: 10, Missing: 1}
			c.Metrics["step."+name+".mean"] = value(ms, 10)
			c.Metrics["step."+name+".p50"] = eval.Estimate{Value: new(ms), N: 10}
		}
		suite := eval.SuiteSummary{Name: "s", Conditions: []eval.ConditionSummary{c}}
		r := trial("v", 1, 5)
		r.Nodes = []eval.NodeVisit{{Node: "image", Calls: 3, CallDurations: []eval.Millis{1}},
			{Node: "router", Calls: 2, CachedCalls: 1, CallDurations: []eval.Millis{1}, CallError: "unknown_label"}}
		got := words(page.Latency(suite, spreadOf(suite, r)))
		Expect(got).To(MatchRegexp(`failed calls .* v image 11 0\.300 s 2 75\.0 % .*v router 11 0\.100 s 0 25\.0 %`),
			"15.27: no cached call, no wrong label")
	})

	It("has at most 300 rows for nodes", func() {
		c := variant("v", 9, 0, 0, 9)
		for i := range 301 {
			c.Metrics[fmt.Sprintf("node.n%03d.calls", i)] = eval.Estimate{Value: new(1.0)}
		}
		got := page.Latency(eval.SuiteSummary{Name: "s", Conditions: []eval.ConditionSummary{c}}, nil)
		Expect(count(got, "span", "share")).To(Equal(300))
		Expect(words(got)).To(ContainSubstring("300 of 301 parts."))
	})
})
