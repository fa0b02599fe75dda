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

// screens are runs of all kinds.
var screens = map[string]func() reports.Report{
	"tools": tools, "profiles": profiles, "even": func() reports.Report { return even(3) }, "many": func() reports.Report { return even(12) },
	"lonely": lonely, "labels": labels150, "epochs": epochs, "cut": cut, "lost": lost, "undecided": undecided,
}

// suiteLines are the lines of a report's only suite.
func suiteLines(text string) []string {
	text, _, _ = strings.Cut(text, "\n\nall tables")
	text, _, _ = strings.Cut(text, "\n\nGates")
	if i := strings.Index(text, "PARTIAL"); i >= 0 {
		_, text, _ = strings.Cut(text, "\n\n")
	}
	return strings.Split(text, "\n")
}

var _ = Describe("the first screen", func() {
	for name, report := range screens {
		for _, width := range []int{60, 100} {
			It(fmt.Sprintf("shows %s on %d columns", name, width), func() {
				r := report()
				r.Width = width
				expectGolden(fmt.Sprintf("screen-%s-%d.txt", name, width), written(reports.Table, r))
			})
		}
	}

	It("shows what there is room for on 140 columns, an interval plot, too", func() {
		r := tools()
		r.Width = 140
		expectGolden("screen-tools-140.txt", written(reports.Table, r))
	})

	It("has no line too wide and no suite of more than 24 lines", func() {
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

	It("keeps within both also where names are long, in any script and hostile", func() {
		for width := 60; width <= 140; width += 20 {
			for seed := range uint64(4) {
				r := noise(seed)
				r.Width, r.Detail, r.Dir = width, false, "d"
				s := &r.Summary.Suites[0]
				for i, c := range s.Conditions[1:] {
					s.Differences = append(s.Differences, differs(c.Name, s.Conditions[0].Name, eval.NotSignificant, 1, 1, 0, -0.1, 0.1, 400))
					s.FaultOutcomes = append(s.FaultOutcomes, eval.FaultOutcome{Variant: c.Name, Fault: c.Fault, Trials: 412, Scored: 412, NowWrong: int64(i), Broken: int64(i), Unchanged: 412})
				}
				expectWithin(width, written(reports.Table, r))
			}
		}
	})

	It("is 100 columns wide where nothing limits it", func() {
		r := tools()
		text := written(reports.Table, r)
		r.Width = 100
		Expect(written(reports.Table, r)).To(Equal(text))
	})

	It("says in how many cases all epochs are right, where there are several", func() {
		r := epochs()
		for _, c := range r.Summary.Suites[0].Conditions {
			c.Metrics["route.pass_k"] = eval.Estimate{Value: new(0.712), N: 120}
		}
		r.Summary.Suites[0].Conditions[0].Metrics["route.pass_k"] = eval.Estimate{Value: new(0.758), N: 396, Missing: 144}
		r.Width = 120
		Expect(written(reports.Table, r)).To(MatchRegexp(`(?s)right in all 3 .*71\.2 %`))
		Expect(written(reports.Table, r)).To(ContainSubstring("75.8 % of 396, 144 incomplete"), "15.17")
		Expect(written(reports.Markdown, r)).To(ContainSubstring("right in all 3 |"))
		r.Detail = true
		Expect(written(reports.Markdown, r)).To(ContainSubstring("75.8 % n=396, 144 incomplete"), "15.17")
		Expect(written(reports.Table, tools())).NotTo(ContainSubstring("right in all"))
	})

	It("merges faults that come to the same, and shows those first that hurt most", func() {
		text := written(reports.Table, tools())
		Expect(text).To(MatchRegexp(`router: timeout, malformed_json \+2 +73.0 % +−22.5 +99.8 % +114 +9 +11.6–21.1 s\nsearch: timeout, empty_content +95.5 % += `))
	})

	It("counts what became of a trial under a fault once: a lost verdict of an apology is none of those without a verdict", func() {
		text := written(reports.Table, profiles())
		Expect(text).To(ContainSubstring("182 of 188"))
		Expect(text).To(MatchRegexp(`router: timeout, server_error.* 152 +30 `))
	})

	It("holds a fault against none over the trials that are judged in both", func() {
		r := profiles()
		r.Width = 120
		text := written(reports.Table, r) // 7 of 188 lost, though the accuracies are of unlike sets
		Expect(text).To(MatchRegexp(`v2 router:empty_content +25\.5 % +−3\.7 `))
	})

	It("heads the cases that are gained and lost, where all other counts are of trials", func() {
		Expect(written(reports.Table, epochs())).To(ContainSubstring("more/less right"))
		Expect(written(reports.Table, tools())).NotTo(ContainSubstring("more/less right"))
	})

	It("shows the known side of an interval that has but one", func() {
		r := detailed(tools())
		r.Summary.Suites[0].Conditions[0].Metrics["latency.p95"] = eval.Estimate{Value: new(2499.0), Lo: new(2164.0), N: 20}
		Expect(written(reports.Table, r)).To(ContainSubstring("2.50 s [≥ 2.16]"))
	})

	It("15.12: shows the times of a local agent in their unit, and the exact ones to machines", func() {
		r := tools()
		r.Summary.Suites[0].Conditions[0].Metrics["latency.p50"] = eval.Estimate{Value: new(0.29), Lo: new(0.0871), Hi: new(0.31), N: 466}
		Expect(written(reports.Table, r)).To(ContainSubstring("0.290 ms"))
		Expect(written(reports.Markdown, r)).To(ContainSubstring("| 0.290 ms |"))
		Expect(written(reports.Table, detailed(r))).To(ContainSubstring("0.290 ms [0.0871, 0.310]"))
		Expect(written(reports.LaTeX, r)).To(ContainSubstring(`$0.290\,\mathrm{ms}$`))
		Expect(written(reports.CSV, r)).To(And(ContainSubstring(",0.29,"), Not(ContainSubstring(" ms"))))
		r.ASCII = true
		r.Summary.Suites[0].Conditions[0].Metrics["latency.p50"] = eval.Estimate{Value: new(0.0412), N: 466}
		Expect(written(reports.Table, r)).To(ContainSubstring("41.2 us"))
	})

	It("says ~ where no difference is proven, and what the set could have shown", func() {
		text := written(reports.Table, even(3))
		Expect(text).To(ContainSubstring("~ +0.2 [−1.7, +2.3]"))
		Expect(text).To(ContainSubstring("not significantly above prompt=p1.md (+0.2 points"))
		Expect(text).To(ContainSubstring("with 80 % power"))
	})

	It("28.4: says that an interval without 0 is not adjusted, where the difference is not significant", func() {
		const words = "intervals are not adjusted for multiple comparisons"
		r := even(3)
		Expect(written(reports.Table, r)).NotTo(ContainSubstring(words))
		for i := range r.Summary.Suites[0].Differences {
			d := &r.Summary.Suites[0].Differences[i]
			d.Accuracy.Value, d.Accuracy.Lo, d.Accuracy.Hi = new(0.02), new(0.01), new(0.03)
		}
		Expect(written(reports.Table, r)).To(ContainSubstring("~ no significant difference · " + words))
	})

	It("28.4: keeps every warning on 60 columns, also where a suite has many lines", func() {
		for name, report := range screens {
			wide := report()
			wide.Width = 160
			narrow := report()
			narrow.Width = 60
			for _, r := range []*reports.Report{&wide, &narrow} {
				s := &r.Summary.Suites[0]
				s.Models = []eval.ModelNote{{Component: "router", Kind: "simulated", LabelBased: true}}
				s.Prompts = map[string]string{s.Conditions[len(s.Conditions)-1].Name: "p", s.Conditions[0].Name: "q"}
				s.LabelsWithoutCases = []string{"none"}
			}
			warnings := func(r reports.Report) int {
				return len(regexp.MustCompile(`(?m)^! `).FindAllString(written(reports.Table, r), -1))
			}
			Expect(warnings(narrow)).To(Equal(warnings(wide)), "%s:\n%s", name, written(reports.Table, narrow))
		}
	})

	It("shows all variants that there is room for", func() {
		text := written(reports.Table, even(12))
		for i := range 12 {
			Expect(text).To(ContainSubstring(fmt.Sprintf("\nprompt=p%d.md ", i)))
		}
		Expect(text).NotTo(MatchRegexp(`and \d+ more\n\n`))
	})

	It("shows of more the first, the runner-up and the best ones, and speaks of no other", func() {
		r := even(40)
		s := &r.Summary.Suites[0]
		for i := range s.Conditions {
			usd := 1.0
			if i == 10 { // one of the worst
				usd = 100
			}
			s.Conditions[i].Metrics["cost.total_usd"] = eval.Estimate{Value: &usd, N: 466}
		}
		text := written(reports.Table, r)
		Expect(len(suiteLines(text))).To(BeNumerically(">", 20))
		Expect(text).To(MatchRegexp(`\nprompt=p0.md (.*\n)+prompt=p4.md (.*\n)+prompt=p9.md (.*\n)+prompt=p39.md (.*\n)+and \d\d more variants \(-v\)\n(.*\n)+\n· prompt=p4.md, prompt=p9.md and 6 more have equal accuracy`))
		Expect(text).NotTo(ContainSubstring("p10.md"), "the worst, although it is the dearest")
	})

	It("shows of many variants also that which a warning is of", func() {
		r := even(40)
		r.Summary.Suites[0].Conditions[10].Metrics["route.accuracy"] = unscored(466)
		Expect(written(reports.Table, r)).To(And(ContainSubstring("\nprompt=p10.md "), ContainSubstring("\n! prompt=p10.md: all 466 cases unscored.\n")))
	})

	It("leads to the cases behind gained and lost, of the best that differs from the first", func() {
		r := tools()
		Expect(written(reports.Table, r)).To(ContainSubstring("\ncase by case  evalctl compare runs/1121-1843 --variant rules --variant llm-first\n"))
		r.Dir = "-d"
		Expect(written(reports.Table, r)).To(ContainSubstring("\ncase by case  evalctl compare --variant=rules --variant=llm-first -- -d\n"))
		Expect(written(reports.Table, profiles())).To(ContainSubstring("--variant v2 --variant v1\n"), "the others decide alike")
		for _, r := range []reports.Report{lonely(), lost(), undecided()} {
			Expect(written(reports.Table, r)).NotTo(ContainSubstring("evalctl compare"))
		}
	})

	It("says how many cases stand behind the trials of several epochs", func() {
		Expect(written(reports.Table, epochs())).To(And(ContainSubstring("466 cases × 3 epochs"), ContainSubstring("more/less right")))
	})

	It("tells few by counts, and what no variant has not at all", func() {
		text := written(reports.Table, cut())
		Expect(text).To(And(ContainSubstring("11 of 12 [64.6, 98.5]"), Not(ContainSubstring("false accept")), Not(ContainSubstring("unscored"))))
	})

	It("says first where verdicts are lacking, and why", func() {
		Expect(written(reports.Table, lost())).To(ContainSubstring("\n! llm: all 466 cases unscored (provider 466); also more than 5 % in 9 other conditions.\n"))
	})

	It("has the gates at the end, each with its verdict's sign", func() {
		Expect(written(reports.Table, lost())).To(MatchRegexp(`\nGates: 1 failed, 1 undecided, 1 passed\n\n✗ .*\n\? .*\n✓ .*\n\nall tables`))
	})

	It("names a case's command so that a shell takes it as it is", func() {
		r := tools()
		r.Dir = "my runs/$(rm -rf ~)"
		r.Summary.Suites[0].Conditions[2].ConfusedPairs[0].Cases = []string{"it's;`x`"}
		Expect(written(reports.Table, r)).To(ContainSubstring("\nshow a case   evalctl show 'my runs/$(rm -rf ~)' 'it'\\''s;`x`' --variant llm-first\n"))
		r.Summary.Suites[0].Conditions[2].ConfusedPairs[0].Cases = []string{"-rf"}
		Expect(written(reports.Table, r)).To(ContainSubstring("\nshow a case   evalctl show --variant=llm-first -- 'my runs/$(rm -rf ~)' -rf\n"))
		r.Summary.Suites[0].Conditions[2].ConfusedPairs[0].Cases = []string{"a\x1b[2J"}
		Expect(written(reports.Table, r)).NotTo(ContainSubstring("\n> "))
	})

	It("has no commands where nothing was kept", func() {
		r := tools()
		r.Dir = ""
		Expect(written(reports.Table, r)).NotTo(MatchRegexp("evalctl (show|report|compare)"))
	})

	It("has no sign outside ASCII of its own where the locale is none of UTF-8", func() {
		for _, report := range screens {
			r := report()
			r.ASCII = true
			Expect(written(reports.Table, r)).NotTo(MatchRegexp(`[^\x00-\x7f]`))
		}
	})

	It("uses colour only where a sign says the same", func() {
		GinkgoT().Setenv("NO_COLOR", "")
		codes := regexp.MustCompile("\x1b\\[[0-9;]*m")
		for _, report := range screens {
			plain, colored := report(), report()
			colored.Color = true
			Expect(codes.ReplaceAllString(written(reports.Table, colored), "")).To(Equal(written(reports.Table, plain)))
		}
		r := tools()
		r.Color = true
		Expect(written(reports.Table, r)).To(And(ContainSubstring("\x1b[32m+22.5\x1b[0m \x1b[2m[+18.3, +26.8]\x1b[0m"), ContainSubstring("\x1b[1mllm-first\x1b[0m has the highest accuracy")))
	})
})

var _ = Describe("the Markdown of a run", func() {
	It("has gates first, the failed ones before the others, and folds all tables away", func() {
		text := written(reports.Markdown, lost())
		Expect(text).To(MatchRegexp(`(?s)^# evalctl run\n+## Gates: 1 failed, 1 undecided, 1 passed\n\n- \*\*✗ .*?\n- \? .*?\n- ✓ .*?\n\n## toolrouter\n.*\n- ! llm: all .*\| variant \|.*\| with a fault \|.*<details>\n<summary>All tables of toolrouter</summary>\n.*</details>`))
	})

	It("has the sentences whole", func() {
		Expect(written(reports.Markdown, tools())).To(ContainSubstring("- llm-first has the highest accuracy: 95.5 % of 466, 22.5 points above rules \\[18.3, 26.8\\] (114 cases fixed, 9 broken), 3.0 above llm \\[1.3, 4.8\\].\n"))
	})
})

var _ = It("15.24: a run says how many requests failed and were retried, where no fault was injected", func() {
	r := tools()
	for i := range r.Summary.Suites[0].Conditions {
		r.Summary.Suites[0].Conditions[i].Metrics["calls.retried"] = eval.Estimate{N: 351, Value: new(float64(17))}
	}
	Expect(written(reports.Table, r)).To(ContainSubstring("51 failed requests retried, of 1,053\n"))
	Expect(written(reports.Markdown, r)).To(ContainSubstring("17 failed requests retried, of 351."))
	Expect(written(reports.Table, tools())).NotTo(ContainSubstring("retried"))
})
