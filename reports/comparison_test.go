package reports_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp/cmpopts"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/reports"
	"evalctl/reports/document"
)

// runWithCases returns a run of 90 cases with three labels. The variant is correct in the cases for
// which isCorrect returns true.
func runWithCases(name, variant string, cost float64, isCorrect func(i int) bool) compare.RunData {
	labels := []string{"chat", "image_gen", "web_search"}
	var list []eval.Result
	for i := range 90 {
		want, got := labels[i%3], labels[i%3]
		if !isCorrect(i) {
			got = labels[(i+1)%3]
		}
		usd := cost * float64(1+i%4)
		list = append(list, eval.Result{Suite: "toolrouter", Case: fmt.Sprintf("tr-%03d", i), Variant: variant,
			Fault: eval.NoFault, Epoch: 1,
			Tags: []string{[]string{"zh", "en", "mixed"}[i%5%3]}, Cost: &usd,
			Turns: []eval.TurnSummary{{Duration: eval.Millis(float64(1+i) * 1e10 * (cost + 0.01)), Answered: true}},
			Scores: []eval.Score{{Name: "route", Verdict: eval.PassIf(got == want), Actual: got,
				Expected: eval.OneOf{want}}}})
	}
	return compare.RunData{Name: name, Dir: name, Results: func(yield func(eval.Result, error) bool) {
		for _, r := range list {
			if !yield(r, nil) {
				return
			}
		}
	}, Suites: []eval.SuiteSummary{{Name: "toolrouter", Target: "toolrouter", Clock: "simulated",
		Conditions: []eval.ConditionSummary{{Variant: variant, Fault: eval.NoFault}}}}}
}

func before() compare.RunData {
	return runWithCases("runs/before", "rules", 0.001, func(i int) bool { return i%3 != 0 })
}

func after() compare.RunData {
	return runWithCases("runs/after it's done", "llm-first", 0.002, func(i int) bool { return i%10 != 1 })
}

// comparison compares the runs. It fails if they cannot be compared.
func comparison(width int, sources ...compare.RunData) reports.ComparisonReport {
	GinkgoHelper()
	found, err := compare.Runs(sources, compare.Selection{})
	Expect(err).NotTo(HaveOccurred())
	return reports.ComparisonReport{Suites: found, Options: document.Options{Width: width}}
}

func compared(format reports.Format, c reports.ComparisonReport) string {
	GinkgoHelper()
	var out strings.Builder
	Expect(c.Write(&out, format)).To(Succeed())
	return out.String()
}

var _ = Describe("the report of a comparison", func() {
	It("can be decoded from JSON", func() {
		var read struct {
			Comparisons []compare.Comparison `json:"comparisons"`
		}
		want := comparison(0, before(), after())
		Expect(json.Unmarshal([]byte(compared(reports.JSON, want)), &read)).To(Succeed())
		Expect(read.Comparisons).
			To(BeComparableTo(want.Suites,
				cmpopts.IgnoreFields(eval.Difference{}, "IndependentDiscordance", "FixedCases", "BrokenCases"),
				cmpopts.IgnoreUnexported(compare.Comparison{})),
				"which are computed and not stored, or are the fixed and broken cases of the pair")
	})

	It("states identical decisions if a run is compared with itself, and shows no classes or tags", func() {
		text := compared(reports.Table, comparison(100, before(), before()))
		Expect(text).To(ContainSubstring("= Identical decisions in all 90 cases.\n"))
		Expect(text).NotTo(Or(ContainSubstring("recall"), ContainSubstring("Fixed"), ContainSubstring("Broken")))
	})

	It("states which difference the cases can detect if the difference is not significant", func() {
		same := runWithCases("runs/same", "rules", 0.001, func(i int) bool { return i%3 != 0 && i != 1 || i == 0 })
		Expect(compared(reports.Table, comparison(200, before(), same))).To(MatchRegexp(
			`~ No significant difference: 0 points \[−\d\.\d, \+\d\.\d\], p = 0\.750: 1 case fixed, 1 broken\. The \d+ cases that both score can detect \d+\.\d points with 80 % power`))
	})

	It("15.27: names the tags with a significant difference if the total difference is not significant or has the opposite sign",
		func() {
			zh := func(i int) bool { return i%5%3 == 0 }
			a := runWithCases("runs/a", "v1", 0.001, func(i int) bool { return zh(i) || i%4 != 0 })
			b := runWithCases("runs/b", "v2", 0.001, func(i int) bool { return !zh(i) || i%4 != 0 })
			text := compared(reports.Table, comparison(300, a, b))
			Expect(text).To(MatchRegexp(
				`~ No significant difference overall; zh is worse by \d+\.\d points \[−.*, −.*\](, en is better by .*)?\. Overall: \S+ points`))
			ranked := compared(reports.Table, comparison(300, a, b, a))
			Expect(ranked).To(MatchRegexp(`~ B compared with A: no significant difference overall; zh is worse by`))

			c := comparison(300, before(), after())
			c.Suites[0].Pairs[0].SignificantTags = []eval.TagDifference{{Tag: "zh", State: eval.Worse,
				Accuracy: eval.Contrast{Value: new(-0.13)}}}
			Expect(compared(reports.Table, c)).To(MatchRegexp(`· B is better by .*\. But zh is worse by 13\.0 points`))
		})

	It("counts the cases that are right more often and less often if there are several epochs", func() {
		c := comparison(200, before(), after())
		c.Suites[0].Epochs = 3
		text := compared(reports.Table, c)
		Expect(text).To(ContainSubstring("toolrouter · 90 cases in both runs × 3 epochs\n"))
		Expect(text).To(ContainSubstring(", p < 0.001: 27 cases right more often, 6 less often.\n"))
		Expect(text).To(And(ContainSubstring("\nRight more often: 27 cases"),
			ContainSubstring("\nRight less often: 6 cases\n")))
		Expect(text).NotTo(MatchRegexp("(?i)fixed|broken"))
		ranked := comparison(200, before(), after(), after())
		ranked.Suites[0].Epochs = 3
		Expect(compared(reports.Table, ranked)).To(ContainSubstring("more/less right"))
	})

	It("lists the classes without a change on one line, but in rows if ShowAll is set", func() {
		c := comparison(200, before(), after())
		v := &c.Suites[0].Pairs[0]
		v.Classes[2].Fixed, v.Classes[2].Broken, v.Classes[2].F1Candidate = 0, 0, v.Classes[2].F1Reference
		Expect(compared(reports.Table, c)).
			To(And(ContainSubstring("\nNo change in 1 label: "+v.Classes[2].Name+"\n"),
				Not(ContainSubstring("\n"+v.Classes[2].Name))))
		c.ShowAll = true
		Expect(compared(reports.Table, c)).
			To(And(Not(ContainSubstring("No change")), ContainSubstring("\n"+v.Classes[2].Name)))
	})

	It("describes models and datasets of each compared variant if they differ", func() {
		a, b := before(), after()
		a.Suites[0].Dataset, b.Suites[0].Dataset = "d.jsonl", "d.jsonl"
		Expect(compared(reports.Table, comparison(200, a, b))).
			To(HavePrefix("toolrouter · 90 cases in both runs of d.jsonl\nA rules of runs/before\n"))
		b.Suites[0].Dataset = "e.jsonl"
		b.Suites[0].Models = []eval.ModelInfo{{Component: "router", Kind: "real", Note: "http://x"}}
		a.Suites[0].Models = []eval.ModelInfo{{Component: "router", Kind: "simulated"}}
		Expect(compared(reports.Table, comparison(200, a, b))).To(HavePrefix(
			"toolrouter · 90 cases in both runs\nA rules of runs/before · on d.jsonl · router simulated\nB llm-first of runs/after it's done · on e.jsonl · router real (http://x)\n"))
	})

	It("28.4: states that models and time are simulated, also in LaTeX, and then omits the detectable difference",
		func() {
			simulated := func(s compare.RunData) compare.RunData {
				s.Suites[0].Models = []eval.ModelInfo{{Component: "router", Kind: "simulated", LabelBased: true}}
				return s
			}
			same := func() compare.RunData {
				return runWithCases("runs/same", "rules", 0.001,
					func(i int) bool { return i%3 != 0 && i != 1 || i == 0 })
			}
			const words = " · models and time are simulated"
			c := comparison(200, simulated(before()), simulated(same()))
			Expect(compared(reports.Table, c)).
				To(And(HavePrefix("toolrouter · 90 cases in both runs"+words+"\n"),
					ContainSubstring("~ No significant"), Not(ContainSubstring("can detect"))))
			Expect(compared(reports.LaTeX, c)).To(ContainSubstring(`models and time are simulated.}`))
			c = comparison(200, simulated(before()), same())
			Expect(compared(reports.Table, c)).To(ContainSubstring("can detect"), "one of the two has its own errors")
		})

	It("28.4: explains why a difference is not significant although its unadjusted interval does not contain 0",
		func() {
			const words = "intervals are not adjusted for multiple comparisons"
			c := comparison(200, before(), after(), before())
			Expect(compared(reports.Table, c)).NotTo(ContainSubstring(words))
			c.Suites[0].Pairs[0].State = eval.NotSignificant
			Expect(compared(reports.Table, c)).
				To(ContainSubstring("Significance (~) is adjusted for 3 comparisons (Holm); " + words + ".\n"))
		})

	It("states for how many comparisons p-values are corrected, if an interval does not contain 0 but the difference is not significant", func() {
		c := comparison(200, before(), after())
		c.Suites[0].Pairs[0].State, c.Suites[0].Pairs[0].FamilySize = eval.NotSignificant, 12
		Expect(compared(reports.Table, c)).To(ContainSubstring(", corrected for 12 comparisons. The "))
	})

	It("states that a variant is worse, or that there are too few scored cases", func() {
		Expect(compared(reports.Table, comparison(200, after(), before()))).To(ContainSubstring(
			"· B is worse by 23.3 points [−34.5, −11.1], p < 0.001: 6 cases fixed, 27 broken.\n"))
		c := comparison(200, after(), before())
		c.Suites[0].Pairs[0].State, c.Suites[0].Pairs[0].Cases, c.Suites[0].Pairs[0].Unpaired = eval.InsufficientData,
			4, 86
		Expect(compared(reports.Table, c)).
			To(ContainSubstring("! Too few scored cases to compare: 4 cases scored on both sides, 86 on one side only.\n"))
	})

	It("shows all changed cases if ShowAll is set", func() {
		c := comparison(100, before(), after())
		Expect(strings.Count(compared(reports.Table, c), "evalctl show ")).To(Equal(20 + 6))
		c.ShowAll = true
		Expect(strings.Count(compared(reports.Table, c), "evalctl show ")).To(Equal(27 + 6))
	})

	It("shows no command for a changed case if there are no traces; otherwise the command includes the fault", func() {
		a, b := before(), after()
		a.Dir, b.Dir = "", ""
		Expect(compared(reports.Table, comparison(100, a, b))).NotTo(ContainSubstring("evalctl show"))
		faulty := func(s compare.RunData) compare.RunData {
			s.Suites[0].Conditions[0].Fault = "router:timeout"
			results := s.Results
			s.Results = func(yield func(eval.Result, error) bool) {
				for r, err := range results {
					r.Fault = "router:timeout"
					if !yield(r, err) {
						return
					}
				}
			}
			return s
		}
		found, err := compare.Runs([]compare.RunData{faulty(before()), faulty(after())},
			compare.Selection{Faults: []string{"router:timeout"}})
		Expect(err).NotTo(HaveOccurred())
		text := compared(reports.Table, reports.ComparisonReport{Suites: found, Options: document.Options{Width: 140}})
		Expect(text).To(ContainSubstring("toolrouter · 90 cases in both runs · with fault router:timeout\n"))
		Expect(text).To(ContainSubstring(
			`evalctl show --fault=router:timeout 'runs/after it'\''s done' tr-003 --variant llm-first`))
	})

	It("is no wider than the requested width, and escapes control characters in names", func() {
		for width := 40; width <= 200; width += 23 {
			hostile := func(s compare.RunData) compare.RunData {
				s.Name, s.Suites[0].Name = s.Name+" \x1b[31m超时超时超时", "套\x1b[1m件 "+strings.Repeat("x", 50)
				results := s.Results
				s.Results = func(yield func(eval.Result, error) bool) {
					for r, err := range results {
						r.Suite, r.Case = s.Suites[0].Name, "-'\x1b[2J"+r.Case
						if i := slices.Index([]string{"chat", "image_gen"}, r.Scores[0].Expected[0]); i == 0 {
							r.Scores[0].Expected[0], r.Tags = strings.Repeat("联网搜索", 30),
								[]string{"\x1b]8;;", strings.Repeat("t", 90)}
						}
						if !yield(r, err) {
							return
						}
					}
				}
				return s
			}
			text := compared(reports.Table, comparison(width, hostile(before()), hostile(after())))
			expectWithin(width, text)
			Expect(text).NotTo(ContainSubstring("\x1b"))
		}
	})
})
