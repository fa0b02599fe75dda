package scorer_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
	"evalctl/eval/scorer"
)

var _ = Describe("Route", func() {
	score := func(c eval.Case, o eval.Outcome) eval.Score {
		GinkgoHelper()
		s, err := scorer.Route{Field: "route"}.Score(context.Background(), c, o)
		Expect(err).NotTo(HaveOccurred())
		return s
	}

	DescribeTable("X10: passes if the decision is accepted, whichever component answered",
		func(want, got string, verdict eval.Verdict, value float64) {
			s := score(expecting(want), predicted(got))
			Expect(s.Name).To(Equal("route"))
			Expect(s.Verdict).To(Equal(verdict))
			Expect(s.Value).To(Equal(value))
			Expect(s.Actual).To(Equal(got))
		},
		Entry("the accepted label", `{"route":"image_gen"}`, "image_gen", eval.Pass, 1.0),
		Entry("another label: fail", `{"route":"image_gen"}`, "chat", eval.Fail, 0.0),
		Entry("no label: fail", `{"route":"image_gen"}`, "", eval.Fail, 0.0),
		Entry("X11: the first of several accepted labels", `{"route":["web_search","chat"]}`,
			"web_search", eval.Pass, 1.0),
		Entry("X11: another of several accepted labels", `{"route":["web_search","chat"]}`, "chat", eval.Pass, 1.0),
		Entry("X11: none of several accepted labels: fail", `{"route":["web_search","chat"]}`,
			"time_query", eval.Fail, 0.0),
	)

	It("X11: returns the first accepted label as the primary one", func() {
		s := score(expecting(`{"route":["web_search","chat"]}`), predicted("chat"))
		Expect(s.Expected.Primary()).To(Equal("web_search"))
	})

	DescribeTable("is unscored for a case without a label",
		func(want string) {
			Expect(score(expecting(want), predicted("chat"))).To(Equal(eval.Score{Name: "route"}))
		},
		Entry("a case without an expect object", ""),
		Entry("a case with another expectation", `{"answered_by":"chat"}`),
	)

	DescribeTable("passes a conversation if all labeled turns pass",
		func(verdict eval.Verdict, got, want string, routes ...string) {
			c := expecting(`{"route":"image_gen"}`, "", `{"route":"chat"}`)
			s := score(c, predicted(routes...))
			Expect(s.Verdict).To(Equal(verdict))
			Expect(s.Actual).To(Equal(got))
			Expect(s.Expected).To(Equal(eval.OneOf{want}))
		},
		Entry("all turns right", eval.Pass, "chat", "chat", "image_gen", "web_search", "chat"),
		Entry("the first labeled turn wrong: fail", eval.Fail, "chat", "image_gen", "chat", "web_search", "chat"),
		Entry("the last labeled turn wrong: fail", eval.Fail, "time_query", "chat", "image_gen",
			"web_search", "time_query"),
		Entry("both wrong: fail, with the details of the first", eval.Fail, "chat", "image_gen", "chat",
			"web_search", "time_query"),
		Entry("the last labeled turn did not run: unscored", eval.Unscored, "", "chat", "image_gen"),
		Entry("the last labeled turn did not run: unscored, even after a wrong one", eval.Unscored,
			"", "chat", "image_gen"),
		Entry("only the first turn ran: unscored", eval.Unscored, "", "image_gen"),
	)

	DescribeTable("returns a separate score for each labeled turn of a conversation", Label("definition"),
		func(got []string, of eval.Verdict, verdicts ...eval.Verdict) {
			s := score(expecting(`{"route":"image_gen"}`, "", `{"route":["chat","web_search"]}`), predicted(got...))
			Expect(s.Verdict).To(Equal(of))
			labels, turns := []eval.OneOf{{"image_gen"}, {"chat", "web_search"}}, []int{1, 3}
			Expect(s.Turns).To(HaveLen(2))
			for i, j := range s.Turns {
				want := eval.TurnScore{Turn: turns[i], Expected: labels[i], Verdict: verdicts[i]}
				if turns[i] <= len(got) {
					want.Actual, want.Answered = got[turns[i]-1], true
				}
				Expect(j).To(Equal(want))
			}
		},
		Entry("all turns right", []string{"image_gen", "chat", "web_search"}, eval.Pass, eval.Pass, eval.Pass),
		Entry("the first turn wrong", []string{"chat", "chat", "chat"}, eval.Fail, eval.Fail, eval.Pass),
		Entry("both labeled turns wrong", []string{"chat", "chat", "image_gen"}, eval.Fail, eval.Fail, eval.Fail),
		Entry("one turn wrong, another did not run: unscored", []string{"chat"}, eval.Unscored,
			eval.Fail, eval.Unscored),
		Entry("one turn right, another did not run: unscored", []string{"image_gen"}, eval.Unscored,
			eval.Pass, eval.Unscored),
	)

	It("returns no scores of single turns if only one turn has a label", func() {
		Expect(score(expecting("", `{"route":"chat"}`), predicted("chat", "chat")).Turns).To(BeNil())
	})

	It("is unscored for a conversation if one turn has no decision, even if another is wrong",
		Label("definition"), func() {
			s := score(expecting(`{"route":"chat"}`, `{"route":"chat"}`),
				outcomeOf(agent.Reply{ErrorReply: sorry}, agent.Reply{Predicted: "time_query"}))
			Expect([]any{s.Verdict, s.Turn, s.Actual}).To(Equal([]any{eval.Unscored, 1, ""}))
		})

	DescribeTable("is unscored for an error reply without a decision",
		func(verdict eval.Verdict, turn int, replies ...agent.Reply) {
			s := score(expecting(`{"route":"chat"}`, `{"route":"chat"}`), outcomeOf(replies...))
			Expect(s.Verdict).To(Equal(verdict))
			Expect(s.Turn).To(Equal(turn))
			Expect(s.Value == 1).To(Equal(verdict == eval.Pass))
			Expect(s.Expected).To(Equal(eval.OneOf{"chat"}), "it is missing from the labelled cases")
		},
		Entry("an error reply in the first turn", eval.Unscored, 1, agent.Reply{ErrorReply: sorry},
			agent.Reply{Predicted: "chat"}),
		Entry("an error reply after a right turn", eval.Unscored, 2, agent.Reply{Predicted: "chat"},
			agent.Reply{ErrorReply: sorry}),
		Entry("an error reply after a wrong turn", eval.Unscored, 2, agent.Reply{Predicted: "time_query"},
			agent.Reply{ErrorReply: sorry}),
		Entry("an error reply with a decision: scored", eval.Pass, 2, agent.Reply{Predicted: "chat"},
			agent.Reply{Predicted: "chat", DecidedBy: "llm", ErrorReply: sorry}),
		Entry("an error reply with a label but without a decision source: unscored", eval.Unscored, 2,
			agent.Reply{Predicted: "chat"},
			agent.Reply{Predicted: "unknown", ErrorReply: sorry}),
		Entry("no label and no error reply: fail", eval.Fail, 1, agent.Reply{}, agent.Reply{Predicted: "chat"}),
	)

	DescribeTable("scores a decision even if a later call of the turn failed", Label("definition"),
		func(verdict eval.Verdict, reply agent.Reply) {
			o := outcomeOf(reply)
			o.Turns[0].HasError = true
			Expect(score(expecting(`{"route":"chat"}`), o).Verdict).To(Equal(verdict))
		},
		Entry("a right decision", eval.Pass, agent.Reply{Predicted: "chat", DecidedBy: "llm"}),
		Entry("a wrong decision", eval.Fail, agent.Reply{Predicted: "time_query", DecidedBy: "rules"}),
		Entry("no decision, because the deciding call failed: unscored", eval.Unscored, agent.Reply{}),
		Entry("a label without a decision source: unscored", eval.Unscored, agent.Reply{Predicted: "chat"}),
	)

	It("reads the label from the field that it is configured with", func() {
		s, err := scorer.Route{Field: "intent"}.Score(context.Background(),
			expecting(`{"intent":"NORMAL_CHAT","route":"chat"}`), predicted("NORMAL_CHAT"))
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Verdict).To(Equal(eval.Pass))
	})

	DescribeTable("returns an error with the position of an invalid label",
		func(want string) {
			s, err := scorer.Route{Field: "route"}.Score(context.Background(), expecting(want), predicted("chat"))
			Expect(err).To(MatchError(HavePrefix("cases.jsonl:7: expect.route: ")))
			Expect(s.Verdict).To(Equal(eval.Unscored))
		},
		Entry("a number as the label", `{"route":3}`), Entry("a list of numbers as the label", `{"route":[1]}`),
		Entry("a list in place of the expect object", `["route"]`),
	)
})
