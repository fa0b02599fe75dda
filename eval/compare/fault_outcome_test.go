package compare_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
)

var _ = Describe("the effect of a fault on a trial", func() {
	fate := func(before, now eval.Result) eval.FaultOutcome {
		GinkgoHelper()
		s := compared(suiteOf([2]string{"v", "none"}, [2]string{"v", "f"}), []eval.Result{before, now}, nil)
		Expect(s.FaultOutcomes).To(HaveLen(1))
		return s.FaultOutcomes[0]
	}
	right := func(fault string) eval.Result { return trial("v", fault, "c", 1, "yes") }
	wrong := func(fault string) eval.Result { return trial("v", fault, "c", 1, "no") }
	lost := func(fault string) eval.Result { return unscored("v", fault, "c", 1) }
	open := func(fault string) eval.Result { // an answer with an unscored decision
		r := lost(fault)
		r.Error = nil
		return r
	}
	sorry := func(r eval.Result) eval.Result { r.ErrorReply = "provider"; return r }
	stepped := func(r eval.Result) eval.Result { r.Fallbacks = []eval.Fallback{{From: "a", To: "b"}}; return r }
	other := func(r eval.Result) eval.Result { r.Predicted = "maybe"; return r }

	DescribeTable("is the first that applies", func(before, now eval.Result, want eval.FaultOutcome) {
		want.Variant, want.Fault, want.Trials = "v", "f", 1
		Expect(fate(before, now)).To(Equal(want))
	},
		Entry("no answer", right("none"), sorry(lost("f")), eval.FaultOutcome{NowUnscored: 1}),
		Entry("an error reply, with any decision", right("none"), sorry(wrong("f")),
			eval.FaultOutcome{Scored: 1, NowErrorReply: 1, Broken: 1}),
		Entry("an error reply, as before", sorry(right("none")), sorry(wrong("f")),
			eval.FaultOutcome{Scored: 1, NowWrong: 1, Broken: 1}),
		Entry("unscored, and was scored", right("none"), open("f"), eval.FaultOutcome{NowUnscored: 1}),
		Entry("unscored, as before", open("none"), open("f"), eval.FaultOutcome{Unchanged: 1}),
		Entry("right before, wrong now", right("none"), stepped(wrong("f")),
			eval.FaultOutcome{Scored: 1, NowWrong: 1, Broken: 1}),
		Entry("another wrong label", wrong("none"), other(wrong("f")), eval.FaultOutcome{Scored: 1, LabelChanged: 1}),
		Entry("fixed", wrong("none"), stepped(right("f")), eval.FaultOutcome{Scored: 1, LabelChanged: 1, Fixed: 1}),
		Entry("a fallback", right("none"), stepped(right("f")), eval.FaultOutcome{Scored: 1, MoreFallbacks: 1}),
		Entry("a fallback, as before", stepped(right("none")), stepped(right("f")),
			eval.FaultOutcome{Scored: 1, Unchanged: 1}),
		Entry("unchanged", right("none"), right("f"), eval.FaultOutcome{Scored: 1, Unchanged: 1}),
	)

	It("compares the same epoch", func() {
		s := compared(suiteOf([2]string{"v", "none"}, [2]string{"v", "f"}), []eval.Result{
			trial("v", "none", "c", 1, "yes"), trial("v", "none", "c", 2, "no"), trial("v", "none", "c", 3, "no"),
			trial("v", "f", "c", 2, "no"), trial("v", "f", "c", 1, "yes"), trial("v", "f", "d", 1, "no"),
		}, nil)
		Expect(s.FaultOutcomes).
			To(Equal([]eval.FaultOutcome{{Variant: "v", Fault: "f", Trials: 2, Scored: 2, Unchanged: 2}}))
	})
})
