package reports_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"strings"

	"evalctl/eval"
	"evalctl/reports"
	"evalctl/reports/document"
)

var _ = DescribeTable("a report on cases that were selected because they failed states this before any number",
	func(format reports.Format, detail bool) {
		s := eval.Summary{Suites: []eval.SuiteSummary{{Name: "desk", Target: "desk", Dataset: "d.jsonl", Cases: 21,
			FailedInRun: "runs/\x1bfirst",
			Conditions: []eval.ConditionSummary{{Variant: "a", Fault: eval.NoFault, Trials: 21,
				Metrics: map[string]eval.Estimate{"route.accuracy": {Value: new(0.1), N: 21}}}}}}}
		var out strings.Builder
		Expect(reports.Write(&out, format,
			reports.Report{Summary: s, Options: document.Options{Width: 100}, ShowAll: detail})).To(Succeed())
		text := strings.Index(out.String(), "desk: only the 21 cases that failed in runs/␛first; these metrics")
		Expect(text).To(BeNumerically(">=", 0), out.String())
		Expect(text).To(BeNumerically("<", strings.Index(out.String(), "10")), out.String())
		Expect(out.String()).To(ContainSubstring("only 21 cases that failed"))
	},
	Entry("in the terminal report", reports.Table, false),
	Entry("in the terminal report with all tables", reports.Table, true),
	Entry("in the Markdown report", reports.Markdown, false),
)
