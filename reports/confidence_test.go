package reports_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports"
	"evalctl/reports/document"
)

// confidenceTrials returns n trials of a variant. answer returns the confidence of trial i and
// whether it is right.
func confidenceTrials(variant string, n int, answer func(i int) (confidence float64, right bool)) (list []eval.Result) {
	for i := range n {
		confidence, right := answer(i)
		label := map[bool]string{true: "chat", false: "search"}[right]
		list = append(list, eval.Result{Suite: "路由", Variant: variant, Fault: eval.NoFault,
			Case: fmt.Sprint(i), Epoch: 1,
			Turns: []eval.TurnSummary{{Answered: true,
				ModelDecision: &agent.ModelDecision{Label: label, Confidence: &confidence}}},
			Scores: []eval.Score{{Name: eval.RouteScore, Turn: 1, Expected: eval.OneOf{"chat"}, Actual: label,
				Verdict: eval.PassIf(right)}}})
	}
	return list
}

// confidenceReport returns a report with five variants: an over-confident model, an under-confident
// one, one with constant confidence, one without confidence, and rules.
func confidenceReport() reports.Report {
	var results []eval.Result
	rng := rand.New(rand.NewPCG(1, 2))
	results = append(results, confidenceTrials("提示词＝过于自信的模型", 240, func(i int) (float64, bool) {
		confidence := 1 - math.Round(float64(i%60)*60/59)/100
		return confidence, rng.Float64() < 1.2*confidence-0.25
	})...)
	results = append(results,
		confidenceTrials("timid", 240,
			func(i int) (float64, bool) { return 0.5 + float64(i%40)/100, i%40 >= 3 || i%2 == 0 })...)
	results = append(results,
		confidenceTrials("always 0.9", 240, func(i int) (float64, bool) { return 0.9, i%10 > 0 })...)
	results = append(results, confidenceTrials("silent", 240, func(int) (float64, bool) { return 0, true })...)
	results = append(results, confidenceTrials("rules", 240, func(int) (float64, bool) { return 0, true })...)
	s := eval.SuiteSummary{Name: "路由", Target: "toolrouter", Dataset: "路由", Split: "test", Cases: 240, Epochs: 1,
		Clock: "simulated"}
	for _, name := range []string{"提示词＝过于自信的模型", "timid", "always 0.9", "silent", "rules"} {
		s.Conditions = append(s.Conditions, eval.ConditionSummary{Variant: name, Fault: eval.NoFault})
	}
	t := metric.NewCollector([]eval.SuiteSummary{s})
	for i, r := range results {
		switch {
		case r.Variant == "rules":
			r.Turns[0].ModelDecision = nil
		case r.Variant == "silent":
			r.Turns[0].ModelDecision.Confidence = nil
		case i%50 == 3:
			r.Turns[0].ModelDecision = nil
		}
		Expect(t.Add(r)).To(Succeed())
	}
	return reports.Report{Summary: t.Summarize(), View: reports.ByConfidence}
}

var _ = Describe("the confidence view of a report", func() {
	It("shows thresholds without rounding, so that they match the other numbers in their row", func() {
		s := eval.SuiteSummary{Name: "s", Cases: 240, Epochs: 1,
			Conditions: []eval.ConditionSummary{{Variant: "v", Fault: eval.NoFault}}}
		t := metric.NewCollector([]eval.SuiteSummary{s})
		for _, r := range confidenceTrials("v", 240,
			func(i int) (float64, bool) { return []float64{0.9249, 0.9151, 0.965, 0.9}[i%4], i%3 > 0 }) {
			r.Suite = "s"
			Expect(t.Add(r)).To(Succeed())
		}
		text := written(reports.Table,
			reports.Report{Summary: t.Summarize(), View: reports.ByConfidence, Options: document.Options{Width: 100}})
		Expect(text).To(And(MatchRegexp(`75\.0 %\s+0\.9151 `), MatchRegexp(`50\.0 %\s+0\.9249 `),
			MatchRegexp(`25\.0 %\s+0\.965 `), MatchRegexp(`100 %\s+0\.90 `)))
	})

	It("states which models are over-confident, under-confident or without confidence", func() {
		text := written(reports.Table, confidenceReport())
		Expect(text).To(And(MatchRegexp(`提示词＝过于自信的模型\n! Over-confident: mean confidence 0\.70, accuracy \d`),
			MatchRegexp(`timid\nUnder-confident: `),
			MatchRegexp(`always 0\.9\nNo significant difference on average: mean confidence 0\.90`),
			ContainSubstring("All answers have the same confidence, so no threshold separates them."),
			ContainSubstring("silent\n! No confidence for 240 labeled turns.\n"), Not(ContainSubstring("rules"))))
	})

	It("does not call a model calibrated if some confidence bins are off or if there are few answers", func() {
		r := confidenceReport()
		c := r.Summary.Suites[0].Conditions[2].Confidence
		c.Accuracy = eval.Estimate{Value: new(0.5), Lo: new(0.1), Hi: new(0.99), N: 2}
		Expect(written(reports.Table, r)).
			To(MatchRegexp(`always 0\.9\nToo few answers to show a difference: mean confidence 0\.90`))
		c.Accuracy.N = 235
		ece := r.Summary.Suites[0].Conditions[2].Metrics
		was := ece["confidence.ece"]
		ece["confidence.ece"] = eval.Estimate{Value: new(0.1), Lo: new(0.02), Hi: new(0.2), N: 235}
		Expect(written(reports.Table, r)).
			To(MatchRegexp(`always 0\.9\n! In single bins, confidence and accuracy differ by more than chance;`))
		ece["confidence.ece"], c.Bins[0].Accuracy.Hi = was, new(0.8)
		Expect(written(reports.Table, r)).
			To(MatchRegexp(`always 0\.9\n! Off in 1 of 1 bin \(by chance 1 in 20\), but no significant difference on average: mean confidence 0\.90`))
	})

	It("makes no statement on calibration if the cases were selected because they failed", func() {
		r := confidenceReport()
		r.Summary.Suites[0].FailedInRun = "runs/first"
		text := written(reports.Table, r)
		Expect(text).To(And(ContainSubstring("only the 240 cases that failed in runs/first"),
			ContainSubstring("! Only cases that failed before: mean confidence 0.70"),
			Not(ContainSubstring("ver-confident")), Not(ContainSubstring("nder-confident"))))
	})

	It("has one block for several variants with identical confidence results", func() {
		r := confidenceReport()
		s := &r.Summary.Suites[0]
		twin := s.Conditions[1]
		twin.Variant = "timid-first"
		s.Conditions = append(s.Conditions, twin)
		text := written(reports.Table, r)
		Expect(text).To(ContainSubstring("timid and timid-first\nUnder-confident: "))
		Expect(strings.Count(text, "Under-confident: ")).To(Equal(1))
		rows, err := csv.NewReader(strings.NewReader(written(reports.CSV, r))).ReadAll()
		Expect(err).NotTo(HaveOccurred())
		Expect(rows).To(ContainElement(ContainElement("timid-first")), "data have them apart")
	})

	It("states in one line that no model reports a confidence", func() {
		r := tools()
		r.View = reports.ByConfidence
		Expect(strings.Count(written(reports.Table, r), "No confidence values: "+eval.NoModelDecisionText+".")).
			To(Equal(1))
		Expect(written(reports.CSV, r)).
			To(Equal("suite,variant,fault,series,from,to,mean_confidence,value,lo,hi,n,total\r\n"))
	})

	It("has one row for each bin and threshold in CSV, and a table for each variant in JSON", func() {
		r := confidenceReport()
		rows, err := csv.NewReader(strings.NewReader(written(reports.CSV, r))).ReadAll()
		Expect(err).NotTo(HaveOccurred())
		bins, points := 0, 0
		for _, c := range r.Summary.Suites[0].Conditions {
			if c.Confidence != nil {
				bins, points = bins+len(c.Confidence.Bins), points+len(c.Confidence.RiskCoverage)
			}
		}
		Expect(rows).To(HaveLen(1 + bins + points))
		Expect(rows[1][:5]).To(Equal([]string{"路由", "提示词＝过于自信的模型", "none", "reliability", "0.4"}))
		var view struct {
			Tables []struct {
				Suite, Variant string
				Rows           []struct {
					Figure string `json:"series"`
					From   float64
					Value  eval.Estimate
				}
			}
		}
		Expect(json.Unmarshal([]byte(written(reports.JSON, r)), &view)).To(Succeed())
		Expect(view.Tables).To(HaveLen(4))
		count := 0
		for i, table := range view.Tables {
			c := r.Summary.Suites[0].Conditions[i]
			Expect([]string{table.Suite, table.Variant}).To(Equal([]string{"路由", c.Variant}))
			Expect(table.Rows[0].Figure).To(Equal("ece"))
			Expect(table.Rows[0].Value).To(Equal(c.Metrics["confidence.ece"]))
			count += len(table.Rows) - 3
		}
		Expect(count).To(Equal(bins + points))
		Expect(view.Tables[0].Rows[3].From).To(Equal(0.4))
	})

	It("marks the results of a partial run", func() {
		r := confidenceReport()
		r.Summary.Partial = true
		Expect(written(reports.Table, r)).To(HavePrefix("✗ PARTIAL: "))
		Expect(written(reports.CSV, r)).To(ContainSubstring("\r\n,,,PARTIAL,,,,,,,,\r\n"))
	})

	It("escapes control characters in names", func() {
		for _, name := range []string{"a|b", "\x1b[31m", "=1+1", "two\nlines", strings.Repeat("很长的标签", 50),
			"\u202eevil"} {
			r := confidenceReport()
			s := &r.Summary.Suites[0]
			s.Name, s.Dataset, s.Conditions[0].Variant, s.Conditions[1].Variant = name, name, name, name
			for _, width := range []int{40, 80, 0} {
				r.Width = width
				text := written(reports.Table, r)
				Expect(unsafeText(reports.Table, text)).To(BeEmpty())
				if width > 0 {
					expectWithin(width, text)
				}
			}
			Expect(unsafeText(reports.CSV, written(reports.CSV, r))).To(BeEmpty())
			Expect(unsafeText(reports.JSON, written(reports.JSON, r))).To(BeEmpty())
			page := written(reports.Markdown, r)
			Expect(unsafeText(reports.Markdown, strings.ReplaceAll(page, "```", ""))).To(BeEmpty())
		}
	})

	It("is rejected with a list of the valid views if its name is misspelled", func() {
		_, err := reports.ParseView("weather")
		Expect(err).To(MatchError(`unknown view "weather" (known: class, tag, node, fault, loop, case, confidence)`))
		for _, name := range []string{"tag:", "class:x"} {
			_, err = reports.ParseView(name)
			Expect(err).To(MatchError(ContainSubstring("only tag has a part")), name)
		}
		_, err = reports.ParseView("confidenc")
		Expect(err).To(MatchError(`unknown view "confidenc", did you mean "confidence"?`))
		r := confidenceReport()
		r.View = "weather"
		Expect(reports.Write(&strings.Builder{}, reports.Table, r)).To(MatchError(ContainSubstring("unknown view")))
	})
})
