package page_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports/page"
)

// wrongRow returns a trial of variant v in which label a is predicted as another one.
func wrongRow(id, got, text string) eval.Result {
	r := row(id, 1, "a", false)
	r.Text, r.Scores[0].Actual = text, got
	return r
}

var _ = Describe("The example of a confusion", func() {
	It("is the case whose text fits best into a line, then the one with the first id, regardless of the order of results", func() {
		for range 20 {
			of := counted(spreadSuite(1), wrongRow("1", "b", "no"), wrongRow("4", "b", strings.Repeat("x", 30)),
				wrongRow("3", "b", strings.Repeat("y", 34)), wrongRow("2", "b", strings.Repeat("z", 90)))
			one, ok := of.Example("v", "a", "b")
			Expect(ok).To(BeTrue())
			Expect(one).To(Equal(page.Example{Case: "3", Text: strings.Repeat("y", 34)}))
		}
	})

	It("has no text if the wrong turn is not the one whose message the result contains", func() {
		r := wrongRow("1", "b", "the second message")
		r.Scores[0].Turn = 2
		r.Scores[0].Turns = []eval.TurnScore{{Turn: 1, Expected: eval.OneOf{"a"}, Actual: "c", Verdict: eval.Fail},
			{Turn: 2, Expected: eval.OneOf{"a"}, Actual: "b", Verdict: eval.Fail}}
		of := counted(spreadSuite(1), r)
		first, _ := of.Example("v", "a", "c")
		second, _ := of.Example("v", "a", "b")
		Expect([]page.Example{first, second}).To(Equal([]page.Example{{Case: "1"},
			{Case: "1", Text: "the second message"}}))
	})

	It("is absent for right decisions, under faults and for unknown variants", func() {
		faulty := wrongRow("1", "b", "text")
		faulty.Fault = "router:timeout"
		of := counted(spreadSuite(1), faulty, row("2", 1, "a", true))
		for _, got := range []string{"a", "b"} {
			_, ok := of.Example("v", "a", got)
			Expect(ok).To(BeFalse())
		}
		_, ok := (*page.SuiteDistribution)(nil).Example("v", "a", "b")
		Expect(ok).To(BeFalse())
	})

	It("is stored for 4,000 confusions at most, which are the same ones regardless of the order of results", func() {
		var rows []eval.Result
		for i := range 9000 {
			rows = append(rows, wrongRow(fmt.Sprint(i), fmt.Sprint("l", i), "text"))
		}
		stored := func() (list []int) {
			of := counted(spreadSuite(1), rows...)
			for i := range rows {
				if _, ok := of.Example("v", "a", fmt.Sprint("l", i)); ok {
					list = append(list, i)
				}
			}
			return list
		}
		first := stored()
		Expect(first).To(HaveLen(4000))
		Expect(stored()).To(Equal(first))
	})
})
