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

	DescribeTable("X10: passes if the expected component answered, under the fault or without one",
		func(fault, route string, verdict eval.Verdict, want ...string) {
			s := score(fault, expecting(both), served(route))
			Expect(s.Name).To(Equal("fallback"))
			Expect(s.Verdict).To(Equal(verdict))
			Expect(s.Actual).To(Equal(route))
			Expect(s.Expected).To(Equal(eval.OneOf(want)))
			Expect(s.Value == 1).To(Equal(verdict == eval.Pass))
		},
		Entry("the first of several accepted components", "image:timeout", "web_search", eval.Pass,
			"web_search", "chat"),
		Entry("another of several accepted components", "image:timeout", "chat", eval.Pass, "web_search", "chat"),
		Entry("none of several accepted components: fail", "image:timeout", "image_gen", eval.Fail,
			"web_search", "chat"),
		Entry("no component answered: fail", "image:timeout", "", eval.Fail, "web_search", "chat"),
		Entry("another fault, under which another component is expected", "router:timeout", "image_gen",
			eval.Pass, "image_gen"),
		Entry("no fault and the expected component", eval.NoFault, "chat", eval.Pass, "chat"),
		Entry("no fault and another component: fail", eval.NoFault, "image_gen", eval.Fail, "chat"),
	)

	DescribeTable("returns an empty score for a case without an expectation for the fault",
		func(fault, want string) {
			Expect(score(fault, expecting(want), served("chat"))).To(Equal(eval.Score{}))
		},
		Entry("an expectation under another fault", "search:timeout", both),
		Entry("no fault, and an expectation only under a fault", eval.NoFault,
			`{"route":"chat","under_fault":{"image:timeout":"chat"}}`),
		Entry("a fault, and an expectation without answering component", "image:timeout", `{"route":"chat"}`),
		Entry("a fault, and no expectation at all", "image:timeout", ""),
		Entry("no fault, and no expectation at all", eval.NoFault, ""),
	)

	It("scores every turn that has an expectation, and ignores the others", func() {
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

	It("is unscored if a turn with an expectation did not run", func() {
		s := score(eval.NoFault, expecting(both, both), outcomeOf(agent.Reply{AnsweredBy: "image_gen"}))
		Expect([]any{s.Verdict, s.Turn}).To(Equal([]any{eval.Unscored, 2}))
	})

	It("returns an error with the position of an invalid expectation", func() {
		_, err := scorer.Fallback{Fault: "image:timeout"}.Score(context.Background(),
			expecting(`{"under_fault":{"image:timeout":1}}`), served("chat"))
		Expect(err).To(MatchError(HavePrefix("cases.jsonl:7: expect: ")))
	})
})
