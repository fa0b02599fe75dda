package gate_test

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
)

// talk is a conversation of two turns that expect a, then b.
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

var _ = Describe("A rule against the baseline over conversations", Label("definition"), func() {
	// All right before. Now the first twenty of 200 are wrong in their first turn.
	r := comparison{}
	for i := range 200 {
		id := fmt.Sprintf("t%03d", i)
		r.before = append(r.before, talk(id, eval.Pass, eval.Pass))
		r.now = append(r.now, talk(id, eval.PassIf(i >= 20), eval.Pass))
	}

	DescribeTable("counts each turn for its own label; a changed prediction is not a changed case",
		func(rule, reason string) {
			Expect(r.check(rule).Reason).To(HavePrefix(reason))
		},
		Entry("accuracy: by conversation", "drop(route.accuracy) <= 1pp", "drop +10.0 pp ["),
		Entry("recall of the changed turn", "drop(route.recall.a) <= 1pp", "drop +10.0 pp ["),
		Entry("recall of the other turn", "drop(route.recall.b) <= 1pp", "drop 0 pp"),
		Entry("macro-F1", "drop(route.macro_f1) <= 1pp", "drop +2.6 pp"),
		Entry("new failures: by conversation", "new_failures <= 3", "20 new failures of 200 cases: t000, t001"),
	)

	It("has a missing value for a recall only if a turn of its label was lost", func() {
		lost := comparison{before: r.before,
			now: append([]eval.Result{talk("t000", eval.Fail, eval.Unscored)}, r.now[1:]...)}
		Expect(lost.check("drop(route.recall.b) <= 1pp").Reason).To(ContainSubstring("1 without the metric"))
		Expect(lost.check("drop(route.recall.a) <= 1pp").Reason).To(HavePrefix("drop +10.0 pp"))
	})
})
