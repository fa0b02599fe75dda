package scorer_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
	"evalctl/eval/scorer"
)

var _ = Describe("Fallback", func() {
	const both = `{"route":"image_gen","answered_by":"chat","under_fault":{"image:timeout":["web_search","chat"],"router:timeout":"image_gen"}}`
	score := func(fault string, c eval.Case, o eval.Outcome) eval.Score {
		GinkgoHelper()
		s, err := scorer.Fallback{Fault: fault}.Score(context.Background(), c, o)
		Expect(err).NotTo(HaveOccurred())
		return s
	}
	served := func(route string) eval.Outcome {
		return outcomeOf(agent.Reply{Predicted: "image_gen", AnsweredBy: route})
	}

	DescribeTable("X10: scores who answered: the expected component under the fault, or the one that a closed gate leaves",
		func(fault, route string, verdict eval.Verdict, want ...string) {
			s := score(fault, expecting(both), served(route))
			Expect(s.Name).To(Equal("fallback"))
			Expect(s.Verdict).To(Equal(verdict))
			Expect(s.Actual).To(Equal(route))
			Expect(s.Expected).To(Equal(eval.OneOf(want)))
			Expect(s.Value == 1).To(Equal(verdict == eval.Pass))
		},
		Entry("the first of several", "image:timeout", "web_search", eval.Pass, "web_search", "chat"),
		Entry("another of several", "image:timeout", "chat", eval.Pass, "web_search", "chat"),
		Entry("none of several", "image:timeout", "image_gen", eval.Fail, "web_search", "chat"),
		Entry("no component", "image:timeout", "", eval.Fail, "web_search", "chat"),
		Entry("another fault has another answer", "router:timeout", "image_gen", eval.Pass, "image_gen"),
		Entry("no fault", eval.NoFault, "chat", eval.Pass, "chat"),
		Entry("no fault, wrong", eval.NoFault, "image_gen", eval.Fail, "chat"),
	)

	DescribeTable("has no score if the case has no such expectation",
		func(fault, want string) {
			Expect(score(fault, expecting(want), served("chat"))).To(Equal(eval.Score{}))
		},
		Entry("another fault", "search:timeout", both),
		Entry("no fault, no answered_by expected", eval.NoFault,
			`{"route":"chat","under_fault":{"image:timeout":"chat"}}`),
		Entry("a fault, but no expectation under any", "image:timeout", `{"route":"chat"}`),
		Entry("no expectation", "image:timeout", ""),
		Entry("no expectation, no fault", eval.NoFault, ""),
	)

	It("scores every turn with an expectation, in any position", func() {
		early, chat, image := expecting(both, `{"route":"chat"}`),
			agent.Reply{AnsweredBy: "chat"}, agent.Reply{AnsweredBy: "image_gen"}
		s := score(eval.NoFault, early, outcomeOf(image, chat))
		Expect([]any{s.Verdict, s.Turn, s.Actual}).To(Equal([]any{eval.Fail, 1, "image_gen"}))
		Expect(score(eval.NoFault, early, outcomeOf(chat, image)).Verdict).
			To(Equal(eval.Pass), "nothing is said of the second")
		twice := expecting(both, both)
		s = score(eval.NoFault, twice, outcomeOf(chat, image))
		Expect([]any{s.Verdict, s.Turn, len(s.Turns)}).To(Equal([]any{eval.Fail, 2, 2}))
		Expect(score(eval.NoFault, twice, outcomeOf(chat, chat)).Verdict).To(Equal(eval.Pass))
	})

	It("leaves a turn that did not run unscored", func() {
		s := score(eval.NoFault, expecting(both, both), outcomeOf(agent.Reply{AnsweredBy: "image_gen"}))
		Expect([]any{s.Verdict, s.Turn}).To(Equal([]any{eval.Unscored, 2}))
	})

	It("reports the position of an invalid route", func() {
		_, err := scorer.Fallback{Fault: "image:timeout"}.Score(context.Background(),
			expecting(`{"under_fault":{"image:timeout":1}}`), served("chat"))
		Expect(err).To(MatchError(HavePrefix("cases.jsonl:7: expect: ")))
	})
})
