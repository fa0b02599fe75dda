package metric_test

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/metric"
)

var _ = Describe("The metrics of a suite with an out-of-scope label", func() {
	n := 0
	decided := func(want, got string) eval.Result {
		n++
		return eval.Result{Suite: "s", Variant: "v", Fault: eval.NoFault, Case: fmt.Sprint(n), AnsweredBy: got,
			Scores: []eval.Score{{Name: "route", Verdict: eval.PassIf(want == got), Expected: eval.OneOf{want},
				Actual: got}}}
	}
	summary := func(results ...eval.Result) map[string]eval.Estimate {
		GinkgoHelper()
		t := metric.NewCollector([]eval.SuiteSummary{{Name: "s", OOSLabel: "other",
			Conditions: []eval.ConditionSummary{{Variant: "v", Fault: eval.NoFault,
				DecisionSources: []string{"llm"}}}}})
		for _, r := range results {
			Expect(t.Add(r)).To(Succeed())
		}
		return t.Summarize().Suites[0].Conditions[0].Metrics
	}

	It("contain recall and false acceptance of out-of-scope turns, and accuracy and false rejection of the others",
		func() {
			none := decided("other", "invalid")
			none.AnsweredBy = ""
			lost := decided("other", "")
			lost.Scores[0].Verdict = eval.Unscored
			m := summary(
				decided("other", "other"), decided("other", "other"), decided("other", "refund"), none, lost,
				decided("refund", "refund"), decided("refund", "other"), decided("card", "refund"),
				decided("card", "card"),
				decided("card", "card"),
			)
			expectShare(m["oos.recall"], 2, 4, 1)
			expectShare(m["oos.false_acceptance"], 1, 4, 1)
			expectShare(m["oos.precision"], 2, 3, 1)
			expectShare(m["oos.in_scope_accuracy"], 3, 5, 0)
			expectShare(m["oos.false_rejection"], 1, 5, 0)
		})

	It("count a turn that accepts the out-of-scope label and another only in precision", func() {
		either := decided("other", "other")
		either.Scores[0].Expected = eval.OneOf{"refund", "other"}
		m := summary(either, decided("card", "card"))
		expectShare(m["oos.precision"], 1, 1, 0)
		expectShare(m["oos.in_scope_accuracy"], 1, 1, 0)
		Expect(m["oos.recall"].N).To(BeZero())
	})

	It("are absent in a suite without an out-of-scope label", func() {
		t := metric.NewCollector([]eval.SuiteSummary{{Name: "s",
			Conditions: []eval.ConditionSummary{{Variant: "v", Fault: eval.NoFault}}}})
		Expect(t.Summarize().Suites[0].Conditions[0].Metrics).NotTo(HaveKey("oos.recall"))
	})

	It("contain the share of every declared decision source, and of others that occur", func() {
		r := decided("refund", "refund")
		r.DecidedBy = "dice"
		m := summary(r)
		expectShare(m["router.by.llm"], 0, 1, 0)
		expectShare(m["router.by.dice"], 1, 1, 0)
	})
})
