package reports_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports"
	"evalctl/reports/document"
)

var _ = DescribeTable("the head of a report states which cases ran", func(s eval.SuiteSummary, want string) {
	s.Target, s.Dataset, s.Clock = "toolrouter", "mine.jsonl", "real"
	Expect(written(reports.Table, detailed(reports.Report{Summary: eval.Summary{Suites: []eval.SuiteSummary{s}}}))).
		To(ContainSubstring("toolrouter on mine.jsonl" + want))
},
	Entry("all cases of the dataset", eval.SuiteSummary{Cases: 466}, " · 466 cases · "),
	Entry("the cases of a split", eval.SuiteSummary{Cases: 466, Split: "test"}, " (test) · 466 cases · "),
	Entry("the cases with certain tags",
		eval.SuiteSummary{Cases: 20, Split: "test", Tags: []string{"zh", "rule:image.1"}},
		" (test, tagged zh, rule:image.1) · 20 cases · "),
	Entry("the first cases, up to a limit", eval.SuiteSummary{Cases: 20, Limit: 20, AvailableCases: 1466},
		" · first 20 of 1,466 cases · "),
	Entry("a sample of the cases", eval.SuiteSummary{Cases: 20, Split: "dev", Sample: 20, AvailableCases: 466},
		" (dev) · sample of 20 of 466 cases · "),
	Entry("all cases, because the limit is above their number", eval.SuiteSummary{Cases: 20, Limit: 30},
		" · 20 cases · "),
)

var _ = DescribeTable("the head of a report names the variants in which a model is real",
	func(variants []string, want string) {
		s := eval.SuiteSummary{Name: "s", Models: []eval.ModelInfo{
			{Component: "router", Kind: "real", Note: "m at http://h/v1", Variants: variants},
			{Component: "router", Kind: "simulated", Note: "labelled"},
		}}
		Expect(written(reports.Table, detailed(reports.Report{Summary: eval.Summary{Suites: []eval.SuiteSummary{s}}}))).
			To(ContainSubstring("router: real, m at http://h/v1" + want + " · router: simulated, labelled\n"))
	},
	Entry("all variants, so none is named", nil, ""),
	Entry("two of the variants", []string{"a", "b"}, " (in a, b)"),
	Entry("four variants, all named", []string{"a", "b", "c", "d"}, " (in a, b, c, d)"),
	Entry("five variants, three of them named", []string{"a", "b", "c", "d", "e"}, " (in a, b, c and 2 more)"),
)

var _ = Describe("the heading of a suite", func() {
	parts := func(kinds ...string) (list []eval.ModelInfo) {
		for i, kind := range kinds {
			list = append(list, eval.ModelInfo{Component: string(rune('a' + i)), Kind: kind})
		}
		return list
	}
	titled := func(width int, s eval.SuiteSummary) string {
		first, _, _ := strings.Cut(written(reports.Table,
			reports.Report{Options: document.Options{Width: width},
				Summary: eval.Summary{Suites: []eval.SuiteSummary{s}}}), "\n")
		return first
	}

	It("28.4: calls a custom agent \"your agent\" instead of a real model", func() {
		s := eval.SuiteSummary{Name: "mine", Target: "http", Cases: 4, Clock: "real",
			Models: []eval.ModelInfo{{Component: "agent", Kind: "real"}}}
		Expect(titled(100, s)).To(ContainSubstring("your agent · real time"))
		s.Target = "prompt"
		Expect(titled(100, s)).To(ContainSubstring("real models · real time"))
	})

	DescribeTable("states whether models and time are simulated, and whether a baseline model was trained",
		func(want string, kinds ...string) {
			s := eval.SuiteSummary{Name: "s", Dataset: "s", Cases: 20, Clock: "simulated", Models: parts(kinds...)}
			Expect(titled(100, s)).To(HaveSuffix(" · " + want))
		},
		Entry(nil, "models and time are simulated", "simulated"),
		Entry(nil, "models and time are simulated; the baseline model was trained", "simulated", "trained"),
		Entry(nil, "baseline models only · simulated time", "trained"),
		Entry(nil, "real models; the baseline model was trained · simulated time", "real", "trained"),
		Entry(nil, "real: a; simulated: b; the baseline model was trained · simulated time", "real",
			"simulated", "trained"),
	)

	It("shortens the description of the cases before the statement on what is simulated", func() {
		s := eval.SuiteSummary{Name: "toolrouter", Dataset: "a-long-name-of-a-set.jsonl", Cases: 20, Limit: 20,
			AvailableCases: 188, Tags: []string{"zh", "hard"},
			DecisionOnly: true, Clock: "simulated", Models: parts("simulated", "trained")}
		for width, end := range map[int]string{60: "", 80: "", 100: "; the baseline model was trained"} {
			Expect(titled(width, s)).
				To(And(MatchRegexp("^toolrouter · (first )?20 of 188"),
					HaveSuffix("… · models and time are simulated"+end)), "%d", width)
			expectWithin(width, titled(width, s))
		}
	})
})
