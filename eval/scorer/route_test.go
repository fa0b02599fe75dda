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

	DescribeTable("X10: scores the decision, not the component that answered",
		func(want, got string, verdict eval.Verdict, value float64) {
			s := score(expecting(want), predicted(got))
			Expect(s.Name).To(Equal("route"))
			Expect(s.Verdict).To(Equal(verdict))
			Expect(s.Value).To(Equal(value))
			Expect(s.Actual).To(Equal(got))
		},
		Entry("right", `{"route":"image_gen"}`, "image_gen", eval.Pass, 1.0),
		Entry("wrong", `{"route":"image_gen"}`, "chat", eval.Fail, 0.0),
		Entry("none", `{"route":"image_gen"}`, "", eval.Fail, 0.0),
		Entry("X11: the first of several", `{"route":["web_search","chat"]}`, "web_search", eval.Pass, 1.0),
		Entry("X11: another of several", `{"route":["web_search","chat"]}`, "chat", eval.Pass, 1.0),
		Entry("X11: none of several", `{"route":["web_search","chat"]}`, "time_query", eval.Fail, 0.0),
	)

	It("X11: uses the first label as the primary one", func() {
		s := score(expecting(`{"route":["web_search","chat"]}`), predicted("chat"))
		Expect(s.Expected.Primary()).To(Equal("web_search"))
	})

	DescribeTable("leaves a case without a label unscored",
		func(want string) {
			Expect(score(expecting(want), predicted("chat"))).To(Equal(eval.Score{Name: "route"}))
		},
		Entry("no expectation", ""), Entry("another expectation", `{"answered_by":"chat"}`),
	)

	DescribeTable("passes several turns if all scored ones pass",
		func(verdict eval.Verdict, got, want string, routes ...string) {
			c := expecting(`{"route":"image_gen"}`, "", `{"route":"chat"}`)
			s := score(c, predicted(routes...))
			Expect(s.Verdict).To(Equal(verdict))
			Expect(s.Actual).To(Equal(got))
			Expect(s.Expected).To(Equal(eval.OneOf{want}))
		},
		Entry("all", eval.Pass, "chat", "chat", "image_gen", "web_search", "chat"),
		Entry("not the first", eval.Fail, "chat", "image_gen", "chat", "web_search", "chat"),
		Entry("not the last", eval.Fail, "time_query", "chat", "image_gen", "web_search", "time_query"),
		Entry("neither: details of the first", eval.Fail, "chat", "image_gen", "chat", "web_search", "time_query"),
		Entry("a turn that did not run", eval.Unscored, "", "chat", "image_gen"),
		Entry("a turn that did not run, after a wrong one", eval.Unscored, "", "chat", "image_gen"),
		Entry("no turn ran", eval.Unscored, "", "image_gen"),
	)

	DescribeTable("scores each labeled turn by its own label, independent of the others", Label("definition"),
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
		Entry("all right", []string{"image_gen", "chat", "web_search"}, eval.Pass, eval.Pass, eval.Pass),
		Entry("the first wrong", []string{"chat", "chat", "chat"}, eval.Fail, eval.Fail, eval.Pass),
		Entry("both wrong", []string{"chat", "chat", "image_gen"}, eval.Fail, eval.Fail, eval.Fail),
		Entry("one wrong, one lost", []string{"chat"}, eval.Unscored, eval.Fail, eval.Unscored),
		Entry("one right, one lost", []string{"image_gen"}, eval.Unscored, eval.Pass, eval.Unscored),
	)

	It("has no turn details if only one turn has a label", func() {
		Expect(score(expecting("", `{"route":"chat"}`), predicted("chat", "chat")).Turns).To(BeNil())
	})

	It("leaves a conversation unscored if a turn was lost, whether another is right or wrong",
		Label("definition"), func() {
			s := score(expecting(`{"route":"chat"}`, `{"route":"chat"}`),
				outcomeOf(agent.Reply{ErrorReply: sorry}, agent.Reply{Predicted: "time_query"}))
			Expect([]any{s.Verdict, s.Turn, s.Actual}).To(Equal([]any{eval.Unscored, 1, ""}))
		})

	DescribeTable("leaves an error reply without a decision unscored",
		func(verdict eval.Verdict, turn int, replies ...agent.Reply) {
			s := score(expecting(`{"route":"chat"}`, `{"route":"chat"}`), outcomeOf(replies...))
			Expect(s.Verdict).To(Equal(verdict))
			Expect(s.Turn).To(Equal(turn))
			Expect(s.Value == 1).To(Equal(verdict == eval.Pass))
			Expect(s.Expected).To(Equal(eval.OneOf{"chat"}), "it is missing from the labelled cases")
		},
		Entry("in the first turn", eval.Unscored, 1, agent.Reply{ErrorReply: sorry}, agent.Reply{Predicted: "chat"}),
		Entry("after a right turn", eval.Unscored, 2, agent.Reply{Predicted: "chat"}, agent.Reply{ErrorReply: sorry}),
		Entry("after a wrong turn", eval.Unscored, 2, agent.Reply{Predicted: "time_query"},
			agent.Reply{ErrorReply: sorry}),
		Entry("but not if a decision was made", eval.Pass, 2, agent.Reply{Predicted: "chat"},
			agent.Reply{Predicted: "chat", DecidedBy: "llm", ErrorReply: sorry}),
		Entry("also with a label but without a source", eval.Unscored, 2, agent.Reply{Predicted: "chat"},
			agent.Reply{Predicted: "unknown", ErrorReply: sorry}),
		Entry("but not without an error reply", eval.Fail, 1, agent.Reply{}, agent.Reply{Predicted: "chat"}),
	)

	DescribeTable("counts a decision even if a later call failed", Label("definition"),
		func(verdict eval.Verdict, reply agent.Reply) {
			o := outcomeOf(reply)
			o.Turns[0].Error = true
			Expect(score(expecting(`{"route":"chat"}`), o).Verdict).To(Equal(verdict))
		},
		Entry("right", eval.Pass, agent.Reply{Predicted: "chat", DecidedBy: "llm"}),
		Entry("wrong", eval.Fail, agent.Reply{Predicted: "time_query", DecidedBy: "rules"}),
		Entry("but not if the deciding call failed", eval.Unscored, agent.Reply{}),
		Entry("nor without a source", eval.Unscored, agent.Reply{Predicted: "chat"}),
	)

	It("uses the field of another system", func() {
		s, err := scorer.Route{Field: "intent"}.Score(context.Background(),
			expecting(`{"intent":"NORMAL_CHAT","route":"chat"}`), predicted("NORMAL_CHAT"))
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Verdict).To(Equal(eval.Pass))
	})

	DescribeTable("reports the position of an invalid label",
		func(want string) {
			s, err := scorer.Route{Field: "route"}.Score(context.Background(), expecting(want), predicted("chat"))
			Expect(err).To(MatchError(HavePrefix("cases.jsonl:7: expect.route: ")))
			Expect(s.Verdict).To(Equal(eval.Unscored))
		},
		Entry("a number", `{"route":3}`), Entry("a list of numbers", `{"route":[1]}`),
		Entry("not an object", `["route"]`),
	)
})
