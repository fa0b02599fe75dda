package metric_test

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
)

// withScore returns a trial with a score of one property of its answer.
func withScore(id, name string, v eval.Verdict) eval.Result {
	r := row(id)
	r.Scores = []eval.Score{{Name: name, Verdict: v, Expected: eval.OneOf{"x"}, IsAttribute: true}}
	return r
}

// errorReplyTrial returns a trial that ends in an error reply.
func errorReplyTrial(id, code string) eval.Result {
	r := row(id)
	r.ErrorReply, r.Turns[0].ErrorReply = code, code
	return r
}

var _ = Describe("a score of one property of an answer", func() {
	It("is reported as the share of trials that pass, under the scorer's name", func() {
		m := of(withScore("a", "slots.subject", eval.Pass), withScore("b", "slots.subject", eval.Fail),
			withScore("c", "slots.subject", eval.Pass),
			withScore("d", "events.in_order", eval.Pass), row("e")).Metrics
		expectShare(m["slots.subject"], 2, 3, 0)
		expectShare(m["events.in_order"], 1, 1, 0)
	})

	It("counts unscored trials as missing and has bounds", func() {
		m := of(withScore("a", "slots.subject", eval.Pass), withScore("b", "slots.subject", eval.Unscored)).Metrics
		expectShare(m["slots.subject"], 1, 1, 1)
		Expect(*m["slots.subject"].WorstCase).To(Equal(0.5))
		Expect(*m["slots.subject"].BestCase).To(Equal(1.0))
	})

	It("is present without a value if no trial is scored", func() {
		e := of(withScore("a", "slots.subject", eval.Unscored)).Metrics["slots.subject"]
		Expect(e.Value).To(BeNil())
		Expect(e.Missing).To(Equal(int64(1)))
	})

	It("is absent if no scorer reports it; route and fallback have their own metrics", func() {
		r := scoredTrial("a", "chat", "chat")
		r.Scores = append(r.Scores, eval.Score{Name: "fallback", Verdict: eval.Pass})
		Expect(of(r).Metrics).NotTo(Or(HaveKey("route"), HaveKey("fallback"), HaveKey("slots.subject")))
	})

	It("has an interval that treats the epochs of a case as a cluster, as in the reference values A2", func() {
		var all []eval.Result
		for i, right := range []int{5, 5, 5, 4, 2, 5} {
			for epoch := range 5 {
				all = append(all, withScore(fmt.Sprint(i), "x", eval.PassIf(epoch < right)))
			}
		}
		e := epochsOf(5, all...).Metrics["x"]
		Expect(e.N).To(Equal(int64(30)))
		Expect(e.Cases).To(Equal(int64(6)))
		Expect(*e.Value).To(Equal(26.0 / 30))
		Expect(*e.Lo).To(BeNumerically("~", 0.541593, 1e-6))
		Expect(*e.Hi).To(BeNumerically("~", 0.972797, 1e-6))
	})

	DescribeTable("counts only cases that expect a value; the other cases are in the rate of false hits",
		Label("definition"),
		func(name, hits, falseHits string) {
			want := func(v eval.Verdict, want ...string) eval.Result {
				r := withScore(fmt.Sprint(v, len(want), want), name, v)
				r.Scores[0].Expected = want
				return r
			}
			// either value is right
			m := of(want(eval.Pass, "ink"), want(eval.Fail, "ink"), want(eval.Fail, "oil", ""),
				want(eval.Pass), want(eval.Fail), want(eval.Unscored), want(eval.Pass, "")).Metrics
			expectShare(m[hits], 1, 3, 0)
			expectShare(m[falseHits], 1, 3, 1)
		},
		Entry("retrieval", "retrieval.hit_rate", "retrieval.hit_rate", "retrieval.false_hits"),
		Entry("a slot", "slots.style", "slots.style", "slots.style.false_hits"),
	)
})

var _ = Describe("the metrics of error replies", func() {
	It("S6: count error replies by code; a trial without an answer is missing", func() {
		m := of(row("a"), row("b"), errorReplyTrial("c", "MASK_REQUIRED"), errorReplyTrial("d", "MASK_REQUIRED"),
			errorReplyTrial("e", "BUSY"),
			lost("f", eval.ProviderError, "chat")).Metrics
		expectShare(m["error_reply.rate"], 3, 5, 1)
		Expect(m["error_reply.MASK_REQUIRED"]).To(Equal(eval.Estimate{Value: new(2.0), N: 5, Missing: 1}))
		Expect(m["error_reply.BUSY"]).To(Equal(eval.Estimate{Value: new(1.0), N: 5, Missing: 1}))
	})

	It("count a conversation with an error reply in any turn, once for each code", func() {
		conversation := row("a")
		conversation.Turns = []eval.TurnSummary{{Answered: true, ErrorReply: "BUSY"}, {Answered: true},
			{Answered: true, ErrorReply: "MASK_REQUIRED"}, {Answered: true, ErrorReply: "BUSY"}, {Answered: true}}
		m := of(conversation, row("b")).Metrics
		expectShare(m["error_reply.rate"], 1, 2, 0)
		Expect(m["error_reply.BUSY"].Value).To(HaveValue(Equal(1.0)))
		Expect(m["error_reply.MASK_REQUIRED"].Value).To(HaveValue(Equal(1.0)))
	})

	It("contain a rate of 0 if there are no error replies", func() {
		expectShare(of(row("a")).Metrics["error_reply.rate"], 0, 1, 0)
	})
})
