package reports_test

import (
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/power"
	"evalctl/reports"
)

// paired returns a comparison of two variants with 466 cases. fixed and broken are the numbers of
// cases that changed.
func paired(variant, against string, fixed, broken, family int64) eval.Difference {
	value := float64(fixed-broken) / 466
	return eval.Difference{Variant: variant, ComparedWith: against, Fault: eval.NoFault, State: eval.NotSignificant,
		Cases: 466, Fixed: fixed, Broken: broken,
		BothCorrect: 466 - fixed - broken, FamilySize: family, Accuracy: eval.Contrast{Value: &value, N: 466}}
}

func confusionTable(list ...eval.Difference) eval.SuiteSummary {
	return eval.SuiteSummary{Name: "toolrouter", Epochs: 1, Differences: list}
}

// answerTable returns the power analysis of three comparisons.
func answerTable() reports.PowerReport {
	q := power.Params{Power: 0.8, Alpha: 0.05, Differences: []float64{0.01, 0.02, 0.03, 0.05}}
	return reports.PowerReport{Params: q,
		Suites: []power.SuiteAnalysis{q.ForSuite(confusionTable(paired("llm", "rules", 94, 25, 2),
			paired("llm-first", "rules", 93, 10, 2), paired("llm-first", "llm", 15, 1, 1)))}}
}

// one returns the power analysis of a single comparison, with the margin of a gate.
func one(discordant int64) reports.PowerReport {
	q := power.Params{Power: 0.9, Alpha: 0.01, Differences: []float64{0.005, 0.02}, Margin: 0.01}
	in := confusionTable(paired("b", "a", discordant/2, discordant-discordant/2, 1))
	in.Epochs = 3
	s := q.ForSuite(in)
	s.Partial = true
	return reports.PowerReport{Params: q, Suites: []power.SuiteAnalysis{s}}
}

func assumed() reports.PowerReport {
	q := power.Params{Power: 0.8, Alpha: 0.05, Differences: []float64{0.01, 0.02, 0.03, 0.05}, Margin: 0.01}
	return reports.PowerReport{Params: q,
		Suites: []power.SuiteAnalysis{q.ForDiscordance(466, power.TypicalDiscordances()...)}}
}

func answered(format reports.Format, p reports.PowerReport, width int) string {
	GinkgoHelper()
	p.Width = width
	var out strings.Builder
	Expect(p.Write(&out, format)).To(Succeed())
	return out.String()
}

var _ = Describe("the report of a power analysis", func() {
	It("has at most 24 lines at 100 columns, and 32 at 60", func() {
		for _, p := range []reports.PowerReport{answerTable(), one(20), assumed()} {
			Expect(strings.Count(answered(reports.Table, p, 100), "\n")).To(BeNumerically("<=", 24))
			Expect(strings.Count(answered(reports.Table, p, 60), "\n")).To(BeNumerically("<=", 32))
		}
	})

	It("can be decoded from JSON", func() {
		want := one(20)
		var read reports.PowerReport
		Expect(json.Unmarshal([]byte(answered(reports.JSON, want, 0)), &read)).To(Succeed())
		Expect(read).To(Equal(want))
	})

	It("15.19: shows the detectable difference if cases change in all epochs, and states that simulated models are treated as independent", func() {
		p := one(20)
		text := answered(reports.Table, p, 100)
		Expect(text).To(And(ContainSubstring("if all epochs"), Not(ContainSubstring("Simulated models"))))
		Expect(answered(reports.CSV, p, 0)).
			To(ContainSubstring("min_detectable_difference_all_epochs,required_cases_all_epochs,discordant_cases_seen"))
		p.Suites[0].Simulated, p.Suites[0].Comparisons[0].ObservedDiscordantCases = true, new(int64(3))
		Expect(answered(reports.Table, p, 0)).
			To(MatchRegexp(`! Simulated variants .* assumes independent errors \(3 discordant in the run\)\.`))
	})

	It("shows \"–\" instead of 0 if no number of cases is enough", func() {
		p := assumed()
		never := func(a *power.Analysis) {
			a.RequiredCases[0].Cases, a.RequiredCases[0].CasesLo, a.RequiredCases[0].CasesHi = 0, 0, 0
		}
		never(&p.Suites[0].Comparisons[0])
		p.Suites[0].Comparisons[1].RequiredCases[0].CasesHi = 0
		text := strings.Join(strings.Fields(answered(reports.Table, p, 140)), " ")
		Expect(text).To(And(MatchRegexp(`\n?2 % \S+ – `), MatchRegexp(`5 % \S+ [\d,]+ \[[\d,]+, –\] `)))
		for i := range p.Suites[0].Comparisons {
			p.Suites[0].Comparisons[i].RequiredCases = p.Suites[0].Comparisons[i].RequiredCases[:1]
		}
		p.Differences = p.Differences[:1]
		Expect(answered(reports.Table, p, 140)).
			To(MatchRegexp(`For 1 point, [\d,]+ \(if 5 % are discordant\) to [\d,]+ \(if 30 % are discordant\) cases are needed\. For the other comparisons no number is\s+enough\.`))
		Expect(answered(reports.CSV, p, 0)).To(MatchRegexp(`difference,0\.01,,,,,,\r?\n`))
		var read reports.PowerReport
		Expect(json.Unmarshal([]byte(answered(reports.JSON, p, 0)), &read)).To(Succeed())
		Expect(read.Suites[0].Comparisons[0].RequiredCases[0]).To(Equal(p.Suites[0].Comparisons[0].RequiredCases[0]))
		for i := range p.Suites[0].Comparisons {
			never(&p.Suites[0].Comparisons[i])
		}
		Expect(answered(reports.Table, p, 140)).To(ContainSubstring("No number of cases detects 1 point."))
	})

	It("fits 80 columns and 24 lines with five variants, because it shows only comparisons with the first and the leading variant", func() {
		var list []eval.Difference
		names := []string{"rules", "llm", "llm-history", "llm-first", "linear"}
		for i, against := range names {
			for j, variant := range names[i+1:] {
				list = append(list, paired(variant, against, int64(40+3*j), int64(20+i), 4))
			}
		}
		s := confusionTable(list...)
		for i, name := range names {
			accuracy := []float64{0.8, 0.9, 0.91, 0.93, 0.7}[i]
			s.Conditions = append(s.Conditions,
				eval.ConditionSummary{Variant: name, Fault: eval.NoFault,
					Metrics: map[string]eval.Estimate{"route.accuracy": {Value: &accuracy, N: 466}}})
		}
		p := answerTable()
		p.Suites = []power.SuiteAnalysis{p.ForSuite(s)}
		Expect(p.Suites[0].Leader).To(Equal("llm-first"))
		text := answered(reports.Table, p, 80)
		Expect(strings.Count(text, "\n")).To(BeNumerically("<=", 24), text)
		for _, shown := range []string{"linear vs rules", "llm-first vs rules", "llm-first vs llm-history",
			"linear vs llm-first", "7 of 10 comparisons shown"} {
			Expect(text).To(ContainSubstring(shown))
		}
		Expect(text).NotTo(ContainSubstring("linear vs llm "))
		p.ShowAll = true
		Expect(answered(reports.Table, p, 80)).
			To(And(ContainSubstring("linear vs llm "), ContainSubstring("for 1 pp"),
				Not(ContainSubstring("are shown"))))
	})

	It("explains the range of the discordance if no case is discordant", func() {
		Expect(answered(reports.Table, one(0), 0)).
			To(And(ContainSubstring("rule of three"), ContainSubstring("0 of 466 cases are discordant, 0 % [0, 0.6]")))
	})

	It("is no wider than the requested width, and escapes control characters in names", func() {
		bad := "\x1b[31m名\n|=HYPERLINK(\"x\")" + strings.Repeat("长", 60)
		var list []eval.Difference
		for range 22 {
			list = append(list, paired(bad, "=a", 5, 3, 30))
		}
		q := answerTable().Params
		s := q.ForSuite(confusionTable(list...))
		s.Name = bad
		p := reports.PowerReport{Params: q, Suites: []power.SuiteAnalysis{s}}
		for width := 40; width <= 140; width += 50 {
			text := answered(reports.Table, p, width)
			expectWithin(width, text)
			Expect(text).NotTo(ContainSubstring("\x1b"))
		}
		p.ShowAll = true
		Expect(strings.Join(strings.Fields(answered(reports.Table, p, 80)), " ")).
			To(ContainSubstring("20 of 22 comparisons shown"))
		Expect(strings.Count(answered(reports.CSV, p, 0), "\n")).To(Equal(1 + 22*4))
		Expect(answered(reports.CSV, p, 0)).To(ContainSubstring(",'=a,"))
	})
})
