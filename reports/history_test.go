package reports_test

import (
	"fmt"
	"io"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/history"
	"evalctl/eval/journal"
	"evalctl/reports"
	"evalctl/reports/document"
)

var day = time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)

// listed returns the report on three runs: one with two suites, one with a failed gate, and a
// partial one.
func listed(width int) reports.RunListReport {
	suite := func(name string, v float64) history.Suite {
		return history.Suite{Name: name, DatasetHash: "57dc37f5c0acf37d", Cases: 1466,
			Leader: &history.Leader{Variant: "llm-first", Accuracy: between(v, v-0.02, v+0.015)}}
	}
	return reports.RunListReport{Options: document.Options{Width: width}, NotShown: 4, Runs: []history.Run{
		{Name: "20261122-093000.000", Started: day.AddDate(0, 0, 2), Status: history.StatusKilled},
		{Name: "20261121-093000.000", Started: day.AddDate(0, 0, 1), Status: journal.StatusDone,
			Suites: []history.Suite{suite("toolrouter", 0.955)},
			Gates:  []eval.GateVerdict{{Verdict: eval.GateFailed}, {Verdict: eval.GatePassed, Passed: true}}},
		{Name: "20261120-093000.000", Started: day, Status: journal.StatusDone,
			Suites: []history.Suite{suite("toolrouter", 0.947), suite("studio", 0.81)},
			Gates:  []eval.GateVerdict{{Verdict: eval.GatePassed, Passed: true}}},
	}}
}

// trendReport returns the trend of three variants: one is worse, one has no significant difference,
// and one has other cases than before.
func trendReport(width int) reports.TrendReport {
	points := func(values ...float64) (list []history.TrendPoint) {
		for i, v := range values {
			list = append(list, history.TrendPoint{Run: fmt.Sprintf("run-%d", i), Started: day.AddDate(0, 0, i),
				Estimate: between(v, v-0.02, v+0.02)})
		}
		return list
	}
	contrast := func(v, lo, hi float64) eval.Contrast { return eval.Contrast{Value: &v, Lo: &lo, Hi: &hi} }
	other := points(0.7, 0.72, 0.9)
	other[2].CasesChanged = true
	missing := points(0.5, 0.5, 0.5)
	missing[1].Estimate = eval.Estimate{}
	return reports.TrendReport{Options: document.Options{Width: width},
		Trend: history.Trend{Metric: "route.accuracy", Series: []history.TrendSeries{
			{Suite: "toolrouter", Variant: "llm", Fault: eval.NoFault, Points: points(0.9, 0.93, 0.95, 0.94, 0.82),
				Change: &history.TrendChange{ComparedWith: "run-3", Paired: true, Significant: true, State: eval.Worse,
					Contrast: contrast(-0.12, -0.15, -0.09)}},
			{Suite: "toolrouter", Variant: "rules", Fault: eval.NoFault, Points: points(0.73, 0.731),
				Change: &history.TrendChange{ComparedWith: "run-0", Paired: true, State: eval.NotSignificant,
					Contrast: contrast(0.001, -0.01, 0.012)}},
			{Suite: "studio", Variant: "v2", Fault: eval.NoFault, Points: other,
				Change: &history.TrendChange{ComparedWith: "run-1", UnpairedReason: "other cases or other settings",
					Contrast: eval.Contrast{Value: new(0.18)}}},
			{Suite: "studio", Variant: "v1", Fault: eval.NoFault, Points: missing,
				Change: &history.TrendChange{ComparedWith: "run-1", Paired: true, State: eval.Identical,
					Contrast: contrast(0, 0, 0)}},
			{Suite: "studio", Variant: "new", Fault: eval.NoFault, Points: points(0.8)},
		}}}
}

// caseHistoryReport returns the history of a case in three variants: in one it broke again, in one
// it always failed, and in one it always passed.
func caseHistoryReport(width int) reports.CaseHistoryReport {
	point := func(run string, passing bool) history.Observation {
		return history.Observation{Run: run, Passing: passing,
			Reason: map[bool]string{true: "right", false: "wrong"}[passing]}
	}
	turn := func(before, after string, passing bool) history.Transition {
		return history.Transition{Before: point(before, !passing), After: point(after, passing)}
	}
	return reports.CaseHistoryReport{Options: document.Options{Width: width},
		FailureHistory: history.FailureHistory{Subject: "tr-chat-002", Conditions: []history.ConditionHistory{
			{Suite: "toolrouter", Variant: "llm", Fault: eval.NoFault, RunsWithData: 9, Latest: point("run-9", false),
				Changes: []history.Transition{turn("run-1", "run-2", false), turn("run-2", "run-4", true),
					turn("run-7", "run-8", false)}, Differences: []string{"threshold: 0.6 → 0.7"}},
			{Suite: "toolrouter", Variant: "rules", Fault: eval.NoFault, RunsWithData: 9,
				Latest: point("run-9", false)},
			{Suite: "toolrouter", Variant: "fixed", Fault: eval.NoFault, RunsWithData: 4, Passing: true,
				Latest: point("run-9", true), Changes: []history.Transition{turn("run-1", "run-2", true)}},
			{Suite: "toolrouter", Variant: "llm-first", Fault: eval.NoFault, RunsWithData: 9, Passing: true,
				Latest: point("run-9", true)},
		}}}
}

var _ = Describe("a report on the history of runs", func() {
	type answer interface {
		Write(w io.Writer, format reports.Format) error
	}
	text := func(format reports.Format, a answer) string {
		GinkgoHelper()
		var out strings.Builder
		Expect(a.Write(&out, format)).To(Succeed())
		return out.String()
	}
	It("escapes names for terminals and spreadsheets", func() {
		h := listed(100)
		h.Runs[1].Name = "=cmd()\x1b[31m\u202e"
		Expect(text(reports.Table, h)).NotTo(ContainSubstring("\x1b"))
		Expect(text(reports.CSV, h)).To(ContainSubstring("'=cmd()"))
	})

	It("32.5: shows the accuracy of all runs on one axis of a web page, with links and radio buttons", func() {
		h := listed(0)
		h.Runs[1].Suites[0].SettingsHashes = map[string]string{"llm-first": "b"}
		h.Runs[2].Suites[0].SettingsHashes = map[string]string{"llm-first": "a"}
		got := string(document.HTML([]document.Block{h.HTML(reports.RunListControls{Form: "compare",
			Later:  h.Runs[1].Name,
			RunURL: func(run string) string { return "/run/" + run }})}))
		Expect(strings.Count(got, `class="p ax"`)).To(Equal(1))
		Expect(strings.Count(got, "<circle")).To(Equal(3), "a suite of a run")
		Expect(strings.Count(got, `type="radio"`)).To(Equal(6))
		Expect(strings.Count(got, " checked")).To(Equal(1))
		Expect(got).To(And(ContainSubstring(`<a href="/run/20261121-093000.000">`), ContainSubstring("✗ 1 of 2"),
			ContainSubstring("95.5\u00a0%"), ContainSubstring("4 older runs not listed.")))
		Expect(strings.Count(got, "other settings than the run before")).To(Equal(1))
	})

	It("states next to the accuracy how many trials failed or are unscored", func() {
		h := listed(140)
		h.Runs[1].Suites[0].Leader.Accuracy.Missing = 82
		Expect(text(reports.Table, h)).To(ContainSubstring("95.5 % [93.5, 97.0], 82 not scored"))
		Expect(string(document.HTML([]document.Block{h.HTML(reports.RunListControls{
			RunURL: func(run string) string { return run }})}))).To(ContainSubstring("82 not scored"))
		t := trendReport(160)
		t.Series[0].Points[4].Estimate.Missing = 9
		Expect(text(reports.Table, t)).To(ContainSubstring("82.0 % [80.0, 84.0], 9 not scored"))
		var page strings.Builder
		Expect(t.WriteHTML(&page, "runs")).To(Succeed())
		Expect(strings.Count(page.String(), "9 not scored")).To(Equal(2), "the newest value, and that of the run")
	})

	It("32.5: shows a trend on a web page, newest run first, with hollow dots for runs that are not comparable",
		func() {
			t := trendReport(0)
			page := func(t reports.TrendReport) string {
				var out strings.Builder
				Expect(t.WriteHTML(&out, "runs")).To(Succeed())
				return out.String()
			}
			got := page(t)
			llm := block(got, "toolrouter: llm")
			Expect(llm).To(ContainSubstring("−12.0 points compared with run-3; significant."))
			Expect(strings.Index(llm, "run-4")).To(BeNumerically("<", strings.Index(llm, "run-0 ")))
			Expect(block(got, "studio: v2")).To(And(ContainSubstring("unpaired, so significance is not tested"),
				MatchRegexp(`run-2 .* cases run-1`)))
			Expect(block(got, "studio: v1")).To(MatchRegexp(`Identical decisions to run-1\. .* – `),
				"a run without a value")
			Expect(got).NotTo(ContainSubstring("studio: new"), "the summary contains the only run")
			Expect(strings.Count(got, `<circle class="o"`)).To(Equal(3), "in the legend, the summary and the table")
			Expect(got).To(And(ContainSubstring("script-src &#39;none&#39;"),
				ContainSubstring("makes no network requests")))

			hostile := trendReport(0)
			for i := range hostile.Series {
				hostile.Series[i].Variant = withMarkup(hostile.Series[i].Variant)
				hostile.Series[i].Points[0].Run = withMarkup("run-0")
			}
			Expect(len(htmlElements(page(hostile)))).To(BeNumerically("~", len(htmlElements(got)), 20),
				"only line breaks")
			Expect(page(hostile)).NotTo(Or(ContainSubstring("<img"), ContainSubstring("\u202e"),
				ContainSubstring("<script")))

			for i := range t.Series {
				for j := range t.Series[i].Points {
					t.Series[i].Points[j].Estimate = eval.Estimate{}
				}
			}
			Expect(page(t)).NotTo(Or(ContainSubstring("NaN"), ContainSubstring("<circle class=\"dot\" cx=\"Inf")))
		})

	It("states that there are no runs, and how to start one", func() {
		Expect(text(reports.Table, reports.RunListReport{})).
			To(ContainSubstring("No runs in this folder. Start with evalctl run."))
	})
})
