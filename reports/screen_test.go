package reports_test

import (
	"fmt"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports"
)

// screens returns a report of each kind, by name.
var screens = map[string]func() reports.Report{
	"tools": tools, "profiles": profiles, "even": func() reports.Report { return equalVariants(3) },
	"many":   func() reports.Report { return equalVariants(12) },
	"lonely": singleVariant, "labels": labels150, "epochs": epochs, "cut": splitAtWidth, "lost": unscoredReport,
	"undecided": reportWithoutDecisions,
}

func suiteLines(text string) []string {
	text = text[:regexp.MustCompile(`\n\n([\d,]+ trials|Gates|all tables)`).FindStringIndex(text)[0]]
	if i := strings.Index(text, "PARTIAL"); i >= 0 {
		_, text, _ = strings.Cut(text, "\n\n")
	}
	return strings.Split(text, "\n")
}

var _ = Describe("the short terminal report", func() {
	It("is no wider than the requested width, and has at most 24 lines for each suite", func() {
		for name, report := range screens {
			for width := 60; width <= 160; width += 20 {
				r := report()
				r.Width = width
				text := written(reports.Table, r)
				expectWithin(width, text)
				Expect(len(suiteLines(text))).To(BeNumerically("<=", 24), "%s on %d:\n%s", name, width, text)
			}
		}
	})

	It("is no wider than the requested width if names are long or hostile, in any script", func() {
		for width := 60; width <= 140; width += 20 {
			for seed := range uint64(4) {
				r := randomReport(seed)
				r.Width, r.ShowAll, r.Dir = width, false, "d"
				s := &r.Summary.Suites[0]
				for i, c := range s.Conditions[1:] {
					s.Differences = append(s.Differences,
						differs(c.Variant, s.Conditions[0].Variant, eval.NotSignificant, 1, 1, 0, -0.1, 0.1, 400))
					s.FaultOutcomes = append(s.FaultOutcomes,
						eval.FaultOutcome{Variant: c.Variant, Fault: c.Fault, Trials: 412, Scored: 412,
							NowWrong: int64(i),
							Broken:   int64(i), Unchanged: 412})
				}
				expectWithin(width, written(reports.Table, r))
			}
		}
	})

	It("30.7: shortens long names before it drops the columns of the out-of-scope label, and names those it drops",
		func() {
			r := labels150()
			r.Width = 68
			Expect(written(reports.Table, r)).To(ContainSubstring("wrongly OOS"))
			s := &r.Summary.Suites[0]
			s.Conditions[0].Variant = "a-variant-with-a-long-name-v1"
			text := written(reports.Table, r)
			Expect(text).To(And(ContainSubstring("wrongly OOS"), ContainSubstring("…")))
			Expect(text).NotTo(ContainSubstring("too narrow for"))
			r.Width = 60
			Expect(written(reports.Table, r)).To(ContainSubstring("too narrow for: wrongly OOS\n"))
		})

	It("has 100 columns if no width is set", func() {
		r := tools()
		text := written(reports.Table, r)
		r.Width = 100
		Expect(written(reports.Table, r)).To(Equal(text))
	})

	It("shows in how many cases all epochs are right if there are several", func() {
		r := epochs()
		for _, c := range r.Summary.Suites[0].Conditions {
			c.Metrics["route.pass_k"] = eval.Estimate{Value: new(0.712), N: 120}
		}
		r.Summary.Suites[0].Conditions[0].Metrics["route.pass_k"] = eval.Estimate{Value: new(0.758),
			N: 396, Missing: 144}
		r.Width = 120
		Expect(written(reports.Table, r)).To(MatchRegexp(`(?s)right in all 3 .*71\.2 %`))
		Expect(written(reports.Table, r)).To(ContainSubstring("75.8 % of 396, 144 incomplete"), "15.17")
		Expect(written(reports.Markdown, r)).To(ContainSubstring("right in all 3 |"))
		r.ShowAll = true
		Expect(written(reports.Markdown, r)).To(ContainSubstring("75.8 % n=396 144 missing"), "15.17")
		Expect(written(reports.Table, tools())).NotTo(ContainSubstring("right in all"))
	})

	It("names the same worst fault in the overview, the key figures and the findings", func() {
		r := full() // router:timeout breaks more decisions, but router:rate_limited also leaves trials unscored
		r.Width = 140
		page, _ := writtenPage(r)
		Expect(strings.ReplaceAll(page, "<wbr>", "")).To(MatchRegexp(`(?s)Worst fault</dt>.*35<small>of 412 cases worse.*` +
			`router:rate_limited, glm-4-flash · 23 broken · 12 failed or unscored`))
		Expect(written(reports.Table, r)).To(ContainSubstring("Worst fault: router:rate_limited makes 35 of 412 cases " +
			"of glm-4-flash worse: 23 broken and 12 failed or unscored."))
		second := r.Summary.Suites[0]
		second.Name = "other"
		r.Summary.Suites = append(r.Summary.Suites, second)
		Expect(written(reports.Table, r)).To(MatchRegexp(`other .* rate_limited 8\.5 `))
	})

	It("states how many turns the latency under a fault covers if others have no answer", func() {
		r := profiles()
		for _, c := range r.Summary.Suites[0].Conditions {
			if e := c.Metrics["latency.p95"]; c.Fault == "router:timeout" {
				e.N, e.Missing = 158, 30
				c.Metrics["latency.p95"] = e
			}
		}
		r.Width = 140
		Expect(written(reports.Table, r)).To(MatchRegexp(`v2 router: timeout, server_error .* 4\.47–30\.0 s of 158–\d+ answered`))
		r.View = reports.ByFault
		text := written(reports.Table, r)
		Expect(text).To(MatchRegexp(`router:timeout .* 30\.0 s of 158 answered\n`))
		Expect(text).To(MatchRegexp(`router:timeout +–\nrouter:server_error +0\.52\n`), "too few turns for a ratio")
	})

	It("counts each trial under a fault once: an error reply does not also count as unscored", func() {
		text := written(reports.Table, profiles())
		Expect(text).To(ContainSubstring("182 of 188"))
		Expect(text).To(MatchRegexp(`router: timeout, server_error.* 152 +30 `))
	})

	It("compares a fault with the runs without it only over trials that are scored in both", func() {
		r := profiles()
		r.Width = 120
		// 7 of 188 decisions are broken, although the two accuracies cover different trials
		text := written(reports.Table, r)
		Expect(text).To(MatchRegexp(`v2 router:empty_content +25\.5 % +−3\.7 `))
	})

	It("shows the known bound of an interval whose other bound is unknown", func() {
		r := detailed(tools())
		r.Summary.Suites[0].Conditions[0].Metrics["latency.p95"] = eval.Estimate{Value: new(2499.0),
			Lo: new(2164.0), N: 20}
		Expect(written(reports.Table, r)).To(ContainSubstring("2.50 s [≥ 2.16]"))
	})

	It("15.12: shows times below a millisecond in a suitable unit, and the CSV format has exact values", func() {
		r := tools()
		r.Summary.Suites[0].Conditions[0].Metrics["latency.p50"] = eval.Estimate{Value: new(0.29), Lo: new(0.0871),
			Hi: new(0.31), N: 466}
		Expect(written(reports.Table, r)).To(ContainSubstring("0.290 ms"))
		Expect(written(reports.Markdown, r)).To(ContainSubstring("| 0.290 ms |"))
		Expect(written(reports.Table, detailed(r))).To(ContainSubstring("0.290 ms [0.0871, 0.310]"))
		Expect(written(reports.LaTeX, r)).To(ContainSubstring(`$0.290\,\mathrm{ms}$`))
		Expect(written(reports.CSV, r)).To(And(ContainSubstring(",0.29,"), Not(ContainSubstring(" ms"))))
		r.ASCII = true
		r.Summary.Suites[0].Conditions[0].Metrics["latency.p50"] = eval.Estimate{Value: new(0.0412), N: 466}
		Expect(written(reports.Table, r)).To(ContainSubstring("41.2 us"))
	})

	It("marks differences that are not significant with ~, and states the detectable difference", func() {
		text := written(reports.Table, equalVariants(3))
		Expect(text).To(ContainSubstring("~ +0.2 [−1.7, +2.3]"))
		Expect(text).To(ContainSubstring("not significantly above prompt=p1.md (+0.2 points"))
		Expect(text).To(ContainSubstring("with 80 % power"))
	})

	It("28.4: explains why a difference is not significant although its unadjusted interval does not contain 0",
		func() {
			const words = "intervals are not adjusted for multiple comparisons"
			r := equalVariants(3)
			Expect(written(reports.Table, r)).NotTo(ContainSubstring(words))
			for i := range r.Summary.Suites[0].Differences {
				d := &r.Summary.Suites[0].Differences[i]
				d.Accuracy.Value, d.Accuracy.Lo, d.Accuracy.Hi = new(0.02), new(0.01), new(0.03)
			}
			Expect(written(reports.Table, r)).To(ContainSubstring("~ no significant difference · " + words))
		})

	It("28.4: shows every warning at 60 columns, even if a suite has many lines", func() {
		for name, report := range screens {
			wide := report()
			wide.Width = 160
			narrow := report()
			narrow.Width = 60
			for _, r := range []*reports.Report{&wide, &narrow} {
				s := &r.Summary.Suites[0]
				s.Models = []eval.ModelInfo{{Component: "router", Kind: "simulated", LabelBased: true}}
				s.Prompts = map[string]string{s.Conditions[len(s.Conditions)-1].Variant: "p",
					s.Conditions[0].Variant: "q"}
				s.LabelsWithoutCases = []string{"none"}
			}
			warnings := func(r reports.Report) int {
				return len(regexp.MustCompile(`(?m)^! `).FindAllString(written(reports.Table, r), -1))
			}
			Expect(warnings(narrow)).To(Equal(warnings(wide)), "%s:\n%s", name, written(reports.Table, narrow))
		}
	})

	It("shows all variants that fit", func() {
		text := written(reports.Table, equalVariants(12))
		for i := range 12 {
			Expect(text).To(ContainSubstring(fmt.Sprintf("\nprompt=p%d.md ", i)))
		}
		Expect(text).NotTo(MatchRegexp(`and \d+ more\n\n`))
	})

	It("shows the first and the best of many variants, and no findings on the others", func() {
		r := equalVariants(40)
		s := &r.Summary.Suites[0]
		for i := range s.Conditions {
			usd := 1.0
			if i == 10 { // one of the least accurate variants
				usd = 100
			}
			s.Conditions[i].Metrics["cost.usd_per_1000"] = eval.Estimate{Value: &usd, N: 466}
		}
		text := written(reports.Table, r)
		Expect(len(suiteLines(text))).To(BeNumerically(">", 20))
		Expect(text).To(MatchRegexp(
			`\nprompt=p0.md (.*\n)+prompt=p4.md (.*\n)+prompt=p9.md (.*\n)+prompt=p39.md (.*\n)+and \d\d more variants \(-v\)\n(.*\n)+\n· prompt=p4.md, prompt=p9.md and 6 more have equal accuracy`))
		Expect(text).NotTo(ContainSubstring("p10.md"), "the worst, although it is the dearest")
	})

	It("shows the variants with a warning if there are many variants", func() {
		r := equalVariants(40)
		r.Summary.Suites[0].Conditions[10].Metrics["route.accuracy"] = unscored(466)
		Expect(written(reports.Table, r)).
			To(And(ContainSubstring("\nprompt=p10.md "),
				ContainSubstring("\n! prompt=p10.md: all 466 cases not scored.\n")))
	})

	It("suggests the command that compares the first variant with the best one that decides differently", func() {
		r := tools()
		Expect(written(reports.Table, r)).
			To(ContainSubstring("\ncase by case  evalctl compare runs/1121-1843 --variant rules --variant llm-first\n"))
		r.Dir = "-d"
		Expect(written(reports.Table, r)).
			To(ContainSubstring("\ncase by case  evalctl compare --variant=rules --variant=llm-first -- -d\n"))
		Expect(written(reports.Table, profiles())).To(ContainSubstring("--variant v2 --variant v1\n"),
			"the others decide identically")
		for _, r := range []reports.Report{singleVariant(), unscoredReport(), reportWithoutDecisions()} {
			Expect(written(reports.Table, r)).NotTo(ContainSubstring("evalctl compare"))
		}
	})

	It("shows the number of cases and of epochs", func() {
		Expect(written(reports.Table, epochs())).
			To(And(ContainSubstring("466 cases × 3 epochs"), ContainSubstring("more/less right")))
	})

	It("shows counts for small samples, and omits columns without values", func() {
		text := written(reports.Table, splitAtWidth())
		Expect(text).To(And(ContainSubstring("11 of 12 [64.6, 98.5]"), Not(ContainSubstring("false accept")),
			Not(ContainSubstring("unscored"))))
	})

	It("starts the findings with a warning on unscored trials, with the reason", func() {
		Expect(written(reports.Table, unscoredReport())).
			To(ContainSubstring("\n! llm: all 466 cases not scored (provider 466); also more than 5 % in 9 other conditions.\n"))
	})

	It("quotes the arguments of a command that shows a case, so that a shell reads them unchanged", func() {
		r := tools()
		r.Dir = "my runs/$(rm -rf ~)"
		r.Summary.Suites[0].Conditions[2].ConfusedPairs[0].Cases = []string{"it's;`x`"}
		Expect(written(reports.Table, r)).
			To(ContainSubstring("\nshow a case   evalctl show 'my runs/$(rm -rf ~)' 'it'\\''s;`x`' --variant llm-first\n"))
		r.Summary.Suites[0].Conditions[2].ConfusedPairs[0].Cases = []string{"-rf"}
		Expect(written(reports.Table, r)).
			To(ContainSubstring("\nshow a case   evalctl show --variant=llm-first -- 'my runs/$(rm -rf ~)' -rf\n"))
		r.Summary.Suites[0].Conditions[2].ConfusedPairs[0].Cases = []string{"a\x1b[2J"}
		Expect(written(reports.Table, r)).NotTo(ContainSubstring("\n> "))
	})

	It("suggests no commands if the directory of the run is unknown", func() {
		r := tools()
		r.Dir = ""
		Expect(written(reports.Table, r)).NotTo(MatchRegexp("evalctl (show|report|compare)"))
	})

	It("uses color only in addition to symbols", func() {
		GinkgoT().Setenv("NO_COLOR", "")
		codes := regexp.MustCompile("\x1b\\[[0-9;]*m")
		for _, report := range screens {
			plain, colored := report(), report()
			colored.Color = true
			Expect(codes.ReplaceAllString(written(reports.Table, colored), "")).To(Equal(written(reports.Table, plain)))
		}
		r := tools()
		r.Color = true
		Expect(written(reports.Table, r)).
			To(And(ContainSubstring("\x1b[32m+22.5\x1b[0m \x1b[2m[+18.3, +26.8]\x1b[0m"),
				ContainSubstring("\x1b[1mllm-first\x1b[0m has the highest accuracy")))
	})
})

var _ = Describe("the Markdown report of a run", func() {

	It("contains complete sentences", func() {
		Expect(written(reports.Markdown, tools())).
			To(ContainSubstring("- llm-first has the highest accuracy: 95.5 % of 466, 22.5 points above rules \\[18.3, 26.8\\] (114 cases fixed, 9 broken), 3.0 above llm \\[1.3, 4.8\\].\n"))
	})
})

var _ = It("15.24: a report counts requests that failed and were retried, except under a fault", func() {
	r := tools()
	for i := range r.Summary.Suites[0].Conditions {
		r.Summary.Suites[0].Conditions[i].Metrics["calls.retried"] = eval.Estimate{N: 351, Value: new(float64(17))}
	}
	Expect(written(reports.Table, r)).To(ContainSubstring("51 failed requests retried, of 1,053\n"))
	Expect(written(reports.Markdown, r)).To(ContainSubstring("17 failed requests retried, of 351."))
	Expect(written(reports.Table, tools())).NotTo(ContainSubstring("retried"))
})
