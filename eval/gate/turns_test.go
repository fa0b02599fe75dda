package gate_test

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
)

// talk returns the result of a conversation of two turns that expect the labels a and b.
func talk(id string, verdicts ...eval.Verdict) eval.Result {
	s := eval.Score{Name: eval.RouteScore, Verdict: eval.Pass}
	for i, v := range verdicts {
		j := eval.TurnScore{Turn: i + 1, Expected: eval.OneOf{[]string{"a", "b"}[i]}, Verdict: v}
		j.Actual = map[eval.Verdict]string{eval.Pass: j.Expected[0], eval.Fail: "c"}[v]
		s.Turns = append(s.Turns, j)
		if s.Verdict == eval.Pass {
			s.Turn, s.Expected, s.Actual, s.Verdict = j.Turn, j.Expected, j.Actual, j.Verdict
		}
	}
	return eval.Result{Suite: "s", Variant: "v", Fault: eval.NoFault, Case: id, Epoch: 1, Scores: []eval.Score{s}}
}

var _ = Describe("A gate rule that compares conversations with a baseline run", Label("definition"), func() {
	// the first twenty of 200 conversations, all correct in the baseline run, are now wrong in
	// their first turn
	r := comparison{}
	for i := range 200 {
		id := fmt.Sprintf("t%03d", i)
		r.before = append(r.before, talk(id, eval.Pass, eval.Pass))
		r.now = append(r.now, talk(id, eval.PassIf(i >= 20), eval.Pass))
	}

	DescribeTable("counts conversations for accuracy, and single turns for metrics of labels",
		func(rule, reason string) {
			Expect(r.check(rule).Reason).To(HavePrefix(reason))
		},
		Entry("the drop of accuracy counts conversations", "drop(route.accuracy) <= 1pp", "drop +10.0 pp ["),
		Entry("the recall of the label in the changed turn drops", "drop(route.recall.a) <= 1pp", "drop +10.0 pp ["),
		Entry("the recall of the label in the other turn does not drop", "drop(route.recall.b) <= 1pp", "drop 0 pp"),
		Entry("macro-F1 counts turns", "drop(route.macro_f1) <= 1pp", "drop +2.6 pp"),
		Entry("new failures count conversations", "new_failures <= 3", "20 new failures of 200 cases: t000, t001"),
	)

	It("lacks the recall of a label only if a turn with this label is unscored", func() {
		lost := comparison{before: r.before,
			now: append([]eval.Result{talk("t000", eval.Fail, eval.Unscored)}, r.now[1:]...)}
		Expect(lost.check("drop(route.recall.b) <= 1pp").Reason).To(ContainSubstring("1 without the metric"))
		Expect(lost.check("drop(route.recall.a) <= 1pp").Reason).To(HavePrefix("drop +10.0 pp"))
	})
})
