package compare_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
)

var _ = Describe("A trial under a fault", func() {
	fate := func(before, now eval.Result) eval.FaultOutcome {
		GinkgoHelper()
		s := comparableCases(suiteOf([2]string{"v", "none"}, [2]string{"v", "f"}), []eval.Result{before, now}, nil)
		Expect(s.FaultOutcomes).To(HaveLen(1))
		return s.FaultOutcomes[0]
	}
	right := func(fault string) eval.Result { return trial("v", fault, "c", 1, "yes") }
	wrong := func(fault string) eval.Result { return trial("v", fault, "c", 1, "no") }
	lost := func(fault string) eval.Result { return unscored("v", fault, "c", 1) }
	open := func(fault string) eval.Result { // open returns an answer whose decision is unscored
		r := lost(fault)
		r.Error = nil
		return r
	}
	sorry := func(r eval.Result) eval.Result { r.ErrorReply = "provider"; return r }
	sorryBefore := func(r eval.Result) eval.Result {
		r.Turns = []eval.TurnSummary{{Answered: true, ErrorReply: "provider"}, {Answered: true}}
		return r
	}
	stepped := func(r eval.Result) eval.Result { r.Fallbacks = []eval.Fallback{{From: "a", To: "b"}}; return r }
	other := func(r eval.Result) eval.Result { r.Predicted = "maybe"; return r }

	DescribeTable("counts a trial only once, under the most severe effect of the fault",
		func(before, now eval.Result, want eval.FaultOutcome) {
			want.Variant, want.Fault, want.Trials = "v", "f", 1
			Expect(fate(before, now)).To(Equal(want))
		},
		Entry("no answer: unscored", right("none"), sorry(lost("f")), eval.FaultOutcome{NowUnscored: 1}),
		Entry("an error reply with a wrong decision: error reply", right("none"), sorry(wrong("f")),
			eval.FaultOutcome{Scored: 1, NowErrorReply: 1, Broken: 1}),
		Entry("an error reply in an earlier turn: error reply", right("none"), sorryBefore(right("f")),
			eval.FaultOutcome{Scored: 1, NowErrorReply: 1}),
		Entry("an error reply with and without the fault, but wrong only with it: wrong", sorry(right("none")),
			sorry(wrong("f")),
			eval.FaultOutcome{Scored: 1, NowWrong: 1, Broken: 1}),
		Entry("scored only without the fault: unscored", right("none"), open("f"), eval.FaultOutcome{NowUnscored: 1}),
		Entry("unscored also without the fault: unchanged", open("none"), open("f"), eval.FaultOutcome{Unchanged: 1}),
		Entry("correct without the fault, wrong with it: wrong", right("none"), stepped(wrong("f")),
			eval.FaultOutcome{Scored: 1, NowWrong: 1, Broken: 1}),
		Entry("wrong also without the fault, with another label: label changed", wrong("none"), other(wrong("f")),
			eval.FaultOutcome{Scored: 1, LabelChanged: 1}),
		Entry("correct only with the fault: label changed, and fixed", wrong("none"), stepped(right("f")),
			eval.FaultOutcome{Scored: 1, LabelChanged: 1, Fixed: 1}),
		Entry("a fallback only with the fault: more fallbacks", right("none"), stepped(right("f")),
			eval.FaultOutcome{Scored: 1, MoreFallbacks: 1}),
		Entry("a fallback also without the fault: unchanged", stepped(right("none")), stepped(right("f")),
			eval.FaultOutcome{Scored: 1, Unchanged: 1}),
		Entry("the same result: unchanged", right("none"), right("f"), eval.FaultOutcome{Scored: 1, Unchanged: 1}),
	)

	It("is compared with the same epoch without the fault", func() {
		s := comparableCases(suiteOf([2]string{"v", "none"}, [2]string{"v", "f"}), []eval.Result{
			trial("v", "none", "c", 1, "yes"), trial("v", "none", "c", 2, "no"), trial("v", "none", "c", 3, "no"),
			trial("v", "f", "c", 2, "no"), trial("v", "f", "c", 1, "yes"), trial("v", "f", "d", 1, "no"),
		}, nil)
		Expect(s.FaultOutcomes).
			To(Equal([]eval.FaultOutcome{{Variant: "v", Fault: "f", Trials: 2, Scored: 2, Unchanged: 2}}))
	})
})
