package browser_test

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/reports/page"
)

var _ = Describe("the list of cases under a fault", func() {
	// Two cases with three epochs. Without the fault, the first is right in two epochs and the
	// second in all. With the fault, each has only one scored epoch: the first is wrong as before,
	// the second is wrong instead of right.
	parts := data{
		meta: page.Meta{Version: page.Version, Trials: 12,
			Suites: []page.Suite{{Name: "s", Target: "t", BaselineVariant: "v", Epochs: 3,
				Conditions: []page.Condition{{Variant: "v", Fault: "none"}, {Variant: "v", Fault: "f"}},
				Labels:     []string{"a", "b"}, AcceptedLabelSets: [][]int{{0}},
				Cases: []string{"one", "two"}, Blocks: []int{-1, -1}}}},
		trials: []page.Trials{{Tags: [][]int{{}, {}}, Conditions: []page.Columns{
			{Predicted: []int{1, 0, 0, 0, 0, 0}, Expected: make([]int, 6), Verdict: []int{2, 1, 1, 1, 1, 1},
				Duration: make([]int, 6)},
			{Predicted: []int{1, -1, -1, 1, -1, -1}, Expected: make([]int, 6), Verdict: []int{2, 0, 0, 2, 0, 0},
				Duration: make([]int, 6), FaultOutcome: []int{0, 5, 5, 3, 4, 5}},
		}}},
		texts: []page.Texts{{TurnCounts: []int{1, 1}, CaseTexts: []string{"x", "y"}}},
	}.parts()

	DescribeTable("contains the trials that the fault table counts", func(filter, count string) {
		visit(writePage(parts), "#cases?suite=s&fault=f&"+filter)
		waitFor(fmt.Sprintf("document.querySelector('#cases .count')?.textContent.startsWith(%q)", count))
		Expect(text("#cases .count")).To(HavePrefix(count))
	},
		Entry("as broken, without trials that are now unscored", "change=broken", "1 of 2 cases, 3 of 6 trials"),
		Entry("as wrong because of the fault", "result=now_wrong", "1 of 2 cases, 1 of 6 trials"),
		Entry("as new error replies", "result=now_error_reply", "1 of 2 cases, 1 of 6 trials"),
		Entry("as unscored because of the fault", "result=now_unscored", "2 cases, 3 of 6 trials"),
	)
})
