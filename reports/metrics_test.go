package reports_test

import (
	"bytes"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
	"evalctl/reports"
	"evalctl/reports/document"
)

func retrievalSummary() eval.Summary {
	mean := func(v float64, n, missing int64) eval.Estimate {
		return eval.Estimate{Value: new(v), Lo: new(v - 0.05), Hi: new(v + 0.05), N: n, Missing: missing}
	}
	condition := func(name string, found float64) eval.ConditionSummary {
		return eval.ConditionSummary{Variant: name, Fault: eval.NoFault, Trials: 100, Metrics: map[string]eval.Estimate{
			"route.accuracy": share(90, 100, 0), "strategy.accuracy": share(88, 95, 5),
			"targets.accuracy": share(30, 40, 0), "retrieval.hit_rate": share(38, 40, 0),
			"retrieval.recall_at_1": mean(found-0.4, 40, 2), "retrieval.recall_at_5": mean(found-0.1, 40, 2),
			"retrieval.recall_at_10": mean(found, 40, 2), "retrieval.mrr": mean(found-0.2, 40, 2),
			"facts.coverage": mean(0.8, 60, 1), "facts.verbatim": mean(0.7, 60, 1), "facts.graded": mean(0.85, 59, 2),
			"facts.grader_agreement": share(171, 180, 3),
			"facts.grader_kappa":     {Value: new(0.81), Lo: new(0.7), Hi: new(0.9), N: 180, Cases: 60, Missing: 3},
			"facts.grader.calls":     {Value: new(60.0), N: 60}, "cache.hit_rate": share(30, 120, 0),
			"cache.calls_saved": mean(0.3, 100, 0), "cache.errors": {Value: new(0.0), N: 100},
			"compression.ratio": mean(0.4, 12, 0), "compression.facts_kept": mean(0.9, 10, 0),
			"calls.mean": mean(3.2, 100, 0), "calls.peak": {Value: new(10.0), N: 100},
		}}
	}
	return eval.Summary{Suites: []eval.SuiteSummary{{Name: "library", Target: "library", Dataset: "library",
		Cases: 100, Epochs: 1,
		Conditions: []eval.ConditionSummary{condition("hybrid", 0.9), condition("words", 0.8)}}}}
}

var _ = Describe("the report on a system with retrieval", func() {
	page := func(s eval.Summary) string {
		return strings.ReplaceAll(written(reports.Markdown, reports.Report{Summary: s}), `\[`, "[")
	}

	It("L4: shows recall at every depth for all variants in one table", func() {
		_, table, ok := strings.Cut(page(retrievalSummary()), "### Retrieval")
		Expect(ok).To(BeTrue())
		Expect(table).To(ContainSubstring(
			"| variant | hits [95 %\\] | recall@1 [95 %\\] | recall@5 [95 %\\] | recall@10 [95 %\\] | MRR [95 %\\] |"))
		Expect(table).To(MatchRegexp(
			`\| hybrid \| 95.* \| 50\.0 % \[45\.0, 55\.0\\?\] n=40 2 missing \| 80\.0 %.* \| 90\.0 % .* \| 0\.700 \[0\.650, 0\.750\\?\] n=40 2 missing \|`))
		Expect(table).To(MatchRegexp(`\| words \| 95.* \| 40\.0 %`))
	})

	It("L4: shows the share of facts that answers state, verbatim or not, and how often the grader agrees with the word comparison", func() {
		_, table, _ := strings.Cut(page(retrievalSummary()), "### Facts")
		Expect(table).To(ContainSubstring(
			"| variant | facts [95 %\\] | verbatim [95 %\\] | graded [95 %\\] | grader agrees [95 %\\] | κ [95 %\\] |"))
		Expect(table).To(ContainSubstring("hybrid: the grader and the word comparison disagree on 9 of 180 facts."))
		Expect(table).To(ContainSubstring(`0.810 [0.700, 0.900\] 3 missing`))
	})

	It("L6, L7: shows cache hits, and how many facts compressed sessions still contain", func() {
		_, table, _ := strings.Cut(page(retrievalSummary()), "### Cache and sessions")
		Expect(table).To(ContainSubstring(
			"| variant | kept [95 %\\] | history left [95 %\\] | cache hits [95 %\\] | calls saved [95 %\\] |"),
			"no errors: no column of them")
		Expect(table).To(ContainSubstring("25.0 %"))
	})

	It("L3: shows the accuracy of additional labels with the answers, and the peak of concurrent calls next to the number of calls",
		func() {
			text := page(retrievalSummary())
			Expect(text).To(ContainSubstring("| variant | strategy [95 %\\] | targets [95 %\\] |"))
			Expect(text).To(ContainSubstring("| calls [95 %\\] | at once |"))
		})

	It("shows facts and cache hits in the short report if there is room", func() {
		text := written(reports.Table,
			reports.Report{Summary: retrievalSummary(), Options: document.Options{Width: 200}})
		Expect(text).To(MatchRegexp(`variant .* recall@5 .*facts`))
	})
})

var _ = Describe("a trial with a right decision and an incomplete answer", func() {
	row := eval.Result{Suite: "library", Case: "q-1", Variant: "hybrid", Epoch: 1, Correct: new(true), Predicted: "ask",
		Expected: eval.OneOf{"ask"}, Scores: []eval.Score{
			{Name: "route", Turn: 1, Actual: "ask", Expected: eval.OneOf{"ask"}, Verdict: eval.Pass, Value: 1},
			{Name: "strategy.accuracy", Turn: 1, Actual: "whole", Expected: eval.OneOf{"parts", "sums"},
				Verdict: eval.Fail},
			{Name: "retrieval.recall_at_1", Turn: 1, Expected: eval.OneOf{"p#3, p#4"}, Verdict: eval.Fail,
				Reason: "0 of 2, without p#3, p#4"},
			{Name: "retrieval.recall_at_5", Turn: 1, Expected: eval.OneOf{"p#3, p#4"}, Verdict: eval.Fail, Value: 0.5,
				Reason: "1 of 2, without p#3"},
			{Name: "retrieval.recall_at_10", Turn: 1, Expected: eval.OneOf{"p#3, p#4"}, Verdict: eval.Fail, Value: 0.5,
				Reason: "1 of 2, without p#3"},
			{Name: "retrieval.mrr", Turn: 1, Expected: eval.OneOf{"p#3, p#4"}, Verdict: eval.Fail, Value: 0.5,
				Reason: "the first is number 2"},
			{Name: "facts.coverage", Turn: 1, Actual: "1 of 2", Expected: eval.OneOf{"12, 91.3%"}, Verdict: eval.Fail,
				Value: 0.5, Reason: "without 91.3%"},
			{Name: "facts.verbatim", Turn: 1, Actual: "0 of 2", Expected: eval.OneOf{"12, 91.3%"}, Verdict: eval.Fail,
				Reason: "without 12, 91.3%"},
		}, Outcome: eval.Outcome{Turns: []eval.TurnResult{{Reply: agent.Reply{Content: "12", Predicted: "ask",
			DecidedBy: "llm"}}}}}

	It("is listed separately from wrong trials, with what is missing", func() {
		var b bytes.Buffer
		Expect(reports.FailedTrials{Dir: "runs/x", PartlyWrong: []eval.Result{row}, PartlyWrongCount: 1,
			Trials: 7, Options: document.Options{Width: 140}}.Write(&b)).To(Succeed())
		Expect(b.String()).To(ContainSubstring("No failing case in 7 trials"))
		Expect(b.String()).To(ContainSubstring("right, but incomplete: 1 of 7 trials"))
		Expect(b.String()).To(ContainSubstring(
			"q-1   strategy whole, not parts or sums; not found: p#3; not stated: 91.3%"))
		Expect(b.String()).To(MatchRegexp(`evalctl show runs/x q-1`))
		Expect(row.IsFailing()).To(BeFalse())
	})

	It("is shown with each failed check once", func() {
		text := renderText(row, 160)
		Expect(text).To(ContainSubstring("✗ strategy.accuracy: expected parts or sums, got whole"))
		Expect(text).To(ContainSubstring(
			"✗ retrieval.recall_at_10: expected p#3, p#4, got nothing: 1 of 2, without p#3"))
		Expect(text).To(ContainSubstring("✗ facts.coverage: expected 12, 91.3%, got 1 of 2: without 91.3%"))
		Expect(text).NotTo(Or(ContainSubstring("recall_at_1:"), ContainSubstring("recall_at_5"),
			ContainSubstring("mrr"), ContainSubstring("verbatim")))
	})
})
