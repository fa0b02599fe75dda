package scorer_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/scorer"
)

// pathReply returns a reply whose steps have these labels; "" is a repeated call.
func pathReply(labels ...string) (r agent.Reply) {
	for _, l := range labels {
		r.Steps = append(r.Steps, agent.Step{Proposed: l, Executed: l, DecidedBy: "llm"})
	}
	return r
}

var _ = Describe("Path", func() {
	score := func(c eval.Case, o eval.Outcome) eval.Score {
		GinkgoHelper()
		s, err := scorer.DecisionPath{Field: "path"}.Score(context.Background(), c, o)
		Expect(err).NotTo(HaveOccurred())
		return s
	}
	labeled := expecting(`{"path":["brief",["research","layout"],"END"]}`)

	DescribeTable("compares the executed labels of a turn with the expected ones",
		func(verdict eval.Verdict, got string, r agent.Reply) {
			s := score(labeled, outcomeOf(r))
			Expect(s).To(And(HaveField("Name", "path.exact"), HaveField("IsAttribute", true), HaveField("Turn", 1)))
			Expect(s.Verdict).To(Equal(verdict))
			Expect(s.Actual).To(Equal(got))
			Expect(s.Expected).To(Equal(eval.OneOf{"brief → research | layout → END"}))
		},
		Entry("the first of two alternatives: pass", eval.Pass, "brief → research → END",
			pathReply("brief", "research", "END")),
		Entry("the other of two alternatives: pass", eval.Pass, "brief → layout → END",
			pathReply("brief", "layout", "END")),
		Entry("repeated calls, which are ignored: pass", eval.Pass, "brief → research → END",
			pathReply("brief", "", "research", "", "END")),
		Entry("only the beginning of the expected path: fail", eval.Fail, "brief → research",
			pathReply("brief", "research")),
		Entry("an additional label: fail", eval.Fail, "brief → research → layout → END",
			pathReply("brief", "research", "layout", "END")),
		Entry("none of the alternatives: fail", eval.Fail, "brief → brief → END", pathReply("brief", "brief", "END")),
		Entry("no label: fail", eval.Fail, "", pathReply()),
	)

	It("uses the labels of executed steps, not of proposed ones", func() {
		r := pathReply("brief", "research", "END")
		r.Steps[0].Proposed = "writer"
		Expect(score(labeled, outcomeOf(r)).Verdict).To(Equal(eval.Pass))
	})

	It("is unscored if the turn did not run, or has no decision because a call failed", func() {
		sorry := pathReply()
		sorry.ErrorReply = &agent.ErrorReply{Code: "X"}
		Expect(score(labeled, outcomeOf(sorry)).Verdict).To(Equal(eval.Unscored))
		Expect(score(labeled, eval.Outcome{}).Verdict).To(Equal(eval.Unscored))
	})

	It("passes a conversation if all turns with a path pass, and returns an empty score if there are none", func() {
		two := expecting(`{"path":["brief"]}`, "", `{"path":["END"]}`)
		Expect(score(two, outcomeOf(pathReply("brief"), pathReply(), pathReply("END")))).
			To(And(HaveField("Verdict", eval.Pass), HaveField("Turn", 3)))
		Expect(score(two, outcomeOf(pathReply("END"), pathReply(), pathReply("END")))).
			To(And(HaveField("Verdict", eval.Fail), HaveField("Turn", 1)))
		Expect(score(expecting(`{"next":"brief"}`), outcomeOf(pathReply("brief")))).To(Equal(eval.Score{}))
	})

	It("returns an error with the position of an invalid path", func() {
		_, err := scorer.DecisionPath{Field: "path"}.Score(context.Background(), expecting(`{"path":"brief"}`),
			outcomeOf(pathReply()))
		Expect(err).To(MatchError(HavePrefix("cases.jsonl:7: expect.path: ")))
	})
})

var _ = Describe("ExtraLabel", func() {
	score := func(c eval.Case, o eval.Outcome) eval.Score {
		GinkgoHelper()
		s, err := scorer.ExtraLabel{Field: "backtrack"}.Score(context.Background(), c, o)
		Expect(err).NotTo(HaveOccurred())
		return s
	}

	It("N5: passes if the decision is one of the accepted further labels", func() {
		for got, verdict := range map[string]eval.Verdict{"writer": eval.Pass, "layout": eval.Pass, "END": eval.Fail} {
			s := score(expecting(`{"backtrack":["writer","layout"],"next":"END"}`), predicted(got))
			Expect(s).To(And(HaveField("Name", "backtrack.accuracy"), HaveField("IsAttribute", true),
				HaveField("Actual", got), HaveField("Verdict", verdict)))
		}
	})

	It("is unscored for an error reply, and empty for a case without the label", func() {
		Expect(score(expecting(`{"backtrack":"writer"}`), outcomeOf(agent.Reply{ErrorReply: sorry})).Verdict).
			To(Equal(eval.Unscored))
		Expect(score(expecting(`{"next":"writer"}`), predicted("writer"))).To(Equal(eval.Score{}))
	})
})

var _ = Describe("FormCheck", func() {
	score := func(turns ...[]trace.Event) eval.Score {
		GinkgoHelper()
		var o eval.Outcome
		for _, events := range turns {
			o.Turns = append(o.Turns, eval.TurnResult{Events: events})
		}
		s, err := scorer.FormatCheck{}.Score(context.Background(), expecting(""), o)
		Expect(err).NotTo(HaveOccurred())
		return s
	}
	kept := trace.Event{Kind: trace.KindFormCheck, Node: "chat"}
	broken := trace.Event{Kind: trace.KindFormCheck, Node: "chat", Reason: "malformed_json", Text: "unexpected end"}

	It("passes if all answers with a required format have it", func() {
		Expect(score([]trace.Event{kept, {Kind: trace.KindChunk}, kept}, nil)).To(And(
			HaveField("Name", "form.conformity"), HaveField("Verdict", eval.Pass), HaveField("Turn", 1),
			HaveField("IsAttribute", true)))
	})

	It("C8: names the first answer without the required format, and what is wrong", func() {
		s := score([]trace.Event{kept}, []trace.Event{kept, broken, kept})
		Expect(s).To(And(HaveField("Verdict", eval.Fail), HaveField("Turn", 2),
			HaveField("Reason", "chat: malformed_json: unexpected end")))
	})

	It("C8: scores only the answers of one component if its node is set", func() {
		o := eval.Outcome{Turns: []eval.TurnResult{{Events: []trace.Event{{Kind: trace.KindFormCheck, Node: "intent",
			Reason: "malformed_json"}, kept}}}}
		of := func(node string) eval.Score {
			GinkgoHelper()
			s, err := scorer.FormatCheck{Node: node}.Score(context.Background(), expecting(""), o)
			Expect(err).NotTo(HaveOccurred())
			return s
		}
		Expect(of("chat")).To(And(HaveField("Name", "form.conformity.chat"), HaveField("Verdict", eval.Pass)))
		Expect(of("intent")).To(And(HaveField("Name", "form.conformity.intent"), HaveField("Verdict", eval.Fail)))
		Expect(of("summary")).To(Equal(eval.Score{}))
	})

	It("returns an empty score if no answer has a required format", func() {
		Expect(score([]trace.Event{{Kind: trace.KindChunk}})).To(Equal(eval.Score{}))
	})
})

var _ = Describe("RecallAtK", func() {
	score := func(c eval.Case, o eval.Outcome) eval.Score {
		GinkgoHelper()
		s, err := scorer.RecallAtK{Field: "days", K: 5}.Score(context.Background(), c, o)
		Expect(err).NotTo(HaveOccurred())
		return s
	}

	DescribeTable("scores the share of expected entries among the first five",
		func(want string, r agent.Reply, value float64, reason string) {
			s := score(expecting(`{"days":`+want+`}`), outcomeOf(r))
			Expect(s.Name).To(Equal("retrieval.recall_at_5"))
			Expect(s.Value).To(BeNumerically("~", value, 1e-12))
			Expect(s.Verdict).To(Equal(eval.PassIf(value == 1)))
			Expect(s.Reason).To(Equal(reason))
			Expect(s.IsAttribute).To(BeTrue())
		},
		Entry("all expected entries: 1", `["a","b"]`, found("b", "x", "a"), 1.0, ""),
		Entry("one of two expected entries: 1/2", `["a","b"]`, found("a", "x"), 0.5, "1 of 2, without b"),
		Entry("one of three expected entries: 1/3", `["a","b","c"]`, found("c"), 1.0/3, "1 of 3, without a, b"),
		Entry("an entry at position five counts", `["a"]`, found("1", "2", "3", "4", "a"), 1.0, ""),
		Entry("an entry at position six does not count", `["a"]`, found("1", "2", "3", "4", "5", "a"), 0.0,
			"0 of 1, without a"),
		Entry("an entry that was retrieved twice counts once", `["a","b"]`, found("a", "a"), 0.5, "1 of 2, without b"),
		Entry("nothing retrieved: 0", `["a"]`, found(), 0.0, "0 of 1, without a"),
	)

	DescribeTable("L4: considers the first K entries, and maps the ID of a passage to that of its document",
		Label("definition"),
		func(first int, value float64) {
			passage := func(id string) string { before, _, _ := strings.Cut(id, "."); return before }
			s, err := scorer.RecallAtK{Field: "days", K: first, CanonicalID: passage}.Score(context.Background(),
				expecting(`{"days":["p#4","p#5","p#6"]}`),
				outcomeOf(found("p#4.2", "x", "p#4", "x", "p#5", "x", "x", "x", "x", "p#6.3", "p#7")))
			Expect(err).NotTo(HaveOccurred())
			Expect(s.Name).To(Equal(fmt.Sprint("retrieval.recall_at_", first)))
			Expect(s.Value).To(BeNumerically("~", value, 1e-12))
		},
		Entry(nil, 1, 1.0/3), Entry(nil, 4, 1.0/3), Entry(nil, 5, 2.0/3), Entry(nil, 9, 2.0/3), Entry(nil, 10, 1.0),
		Entry(nil, 100, 1.0),
	)

	DescribeTable("L4: has a counterpart, MRR, which scores the reciprocal rank of the first expected entry",
		Label("definition"),
		func(got []string, value float64, reason string) {
			s, err := scorer.MRR{Field: "days", CanonicalID: strings.ToLower}.Score(context.Background(),
				expecting(`{"days":["a","b"]}`), outcomeOf(found(got...)))
			Expect(err).NotTo(HaveOccurred())
			Expect([]any{s.Name, s.Value, s.Verdict, s.Reason}).
				To(Equal([]any{"retrieval.mrr", value, eval.PassIf(value == 1), reason}))
		},
		Entry(nil, []string{"b", "a"}, 1.0, "the first is number 1"),
		Entry(nil, []string{"x", "A"}, 0.5, "the first is number 2"),
		Entry(nil, []string{"x", "x", "x", "a"}, 0.25, "the first is number 4"),
		Entry(nil, []string{"x"}, 0.0, "none is found"), Entry(nil, nil, 0.0, "none is found"),
	)

	It("scores the mean over the turns that expect entries, with the details of the first turn that lacks one", func() {
		c := expecting(`{"days":["a","b"]}`, `{"days":[]}`, "", `{"days":["c"]}`)
		s := score(c, outcomeOf(found("a"), found("x"), found(), found("c")))
		Expect(s.Value).To(Equal(0.75))
		Expect(s).To(And(HaveField("Turn", 1), HaveField("Verdict", eval.Fail), HaveField("Actual", "a"),
			HaveField("Expected", eval.OneOf{"a, b"})))
	})

	It("is unscored after an error reply, a failure or a turn that did not run, and empty without an expectation",
		func() {
			c := expecting(`{"days":["a"]}`)
			Expect(score(c, outcomeOf(agent.Reply{ErrorReply: sorry, Retrieved: found("a").Retrieved})).Verdict).
				To(Equal(eval.Unscored))
			Expect(score(c, eval.Outcome{Turns: []eval.TurnResult{{HasError: true, Reply: found("a")}}}).Verdict).
				To(Equal(eval.Unscored))
			Expect(score(c, eval.Outcome{}).Verdict).To(Equal(eval.Unscored))
			for _, want := range []string{"", `{"days":[]}`, `{"next":"x"}`} {
				Expect(score(expecting(want), outcomeOf(found("a")))).To(Equal(eval.Score{}))
			}
		})

	It("returns an error with the position of an invalid list", func() {
		s, err := scorer.RecallAtK{Field: "days", K: 5}.Score(context.Background(), expecting(`{"days":"a"}`),
			outcomeOf(found("a")))
		Expect(err).To(MatchError(HavePrefix("cases.jsonl:7: expect.days: ")))
		Expect(s.Name).To(Equal("retrieval.recall_at_5"))
	})
})

var _ = DescribeTable("L3: Attribute passes if the reply reports an accepted label",
	func(want string, r agent.Reply, verdict eval.Verdict, got string) {
		s, err := scorer.Attribute{Field: "strategy"}.Score(context.Background(), expecting(want), outcomeOf(r))
		Expect(err).NotTo(HaveOccurred())
		Expect([]any{s.Name, s.Verdict, s.Actual, s.IsAttribute}).
			To(Equal([]any{"strategy.accuracy", verdict, got, true}))
	},
	Entry("the accepted label", `{"strategy":"whole"}`, attributeReply("whole"), eval.Pass, "whole"),
	Entry("one of several accepted labels", `{"strategy":["parts","whole"]}`, attributeReply("whole"),
		eval.Pass, "whole"),
	Entry("another label: fail", `{"strategy":"parts"}`, attributeReply("whole"), eval.Fail, "whole"),
	Entry("no label: fail", `{"strategy":"parts"}`, agent.Reply{}, eval.Fail, ""),
	Entry("an error reply with another label: fail", `{"strategy":"parts"}`,
		agent.Reply{ErrorReply: sorry, Attributes: attributeReply("whole").Attributes}, eval.Fail, "whole"),
	Entry("an error reply without a label: unscored", `{"strategy":"parts"}`, agent.Reply{ErrorReply: sorry},
		eval.Unscored, ""),
)

func attributeReply(strategy string) agent.Reply {
	return agent.Reply{Attributes: map[string]string{"strategy": strategy}}
}

var _ = It("C2: Slot with Exact passes only if the whole value is accepted", func() {
	for got, verdict := range map[string]eval.Verdict{
		"2026-11-12": eval.Pass, "2026-11-13": eval.Pass, "2026-11-12,2026-11-14": eval.Fail,
		"2026-11-12..2026-11-15": eval.Fail, "": eval.Fail,
	} {
		s, err := scorer.Slot{Name: "date", Exact: true}.Score(context.Background(),
			expecting(`{"slots":{"date":["2026-11-12","2026-11-13"]}}`),
			outcomeOf(agent.Reply{Slots: map[string]string{"date": got}}))
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Verdict).To(Equal(verdict), got)
	}
})

var _ = It("C10: EventOrder skips a message that is answered together with a later one", func() {
	gathered := eval.TurnResult{Reply: agent.Reply{IsDeferred: true}}
	whole := eval.TurnResult{Events: []trace.Event{{Kind: trace.KindDone}}}
	order := scorer.EventOrder{Pattern: regexp.MustCompile(".*")}
	s, err := order.Score(context.Background(), expecting("", ""),
		eval.Outcome{Turns: []eval.TurnResult{gathered, whole}})
	Expect(err).NotTo(HaveOccurred())
	Expect(s).To(And(HaveField("Verdict", eval.Pass), HaveField("Turn", 2)))
	s, err = order.Score(context.Background(), expecting("", ""), eval.Outcome{Turns: []eval.TurnResult{{}, whole}})
	Expect(err).NotTo(HaveOccurred())
	Expect(s).To(And(HaveField("Verdict", eval.Fail), HaveField("Reason", "no end")))
})
