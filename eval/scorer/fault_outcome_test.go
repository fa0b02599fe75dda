package scorer_test

import (
	"context"
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/scorer"
)

var _ = Describe("FaultOutcome", func() {
	hit := trace.Event{Kind: trace.KindFault, Node: "router", Reason: "timeout"}
	byRules := trace.Event{Kind: trace.KindFallback, From: "router", To: "rules", Reason: "timeout"}
	rules := agent.Reply{Predicted: "chat", DecidedBy: "rules", AnsweredBy: "chat"}
	demands := []scorer.ExpectedOutcome{{DecidedBy: []string{"rules"}, AnsweredBy: []string{scorer.MatchPredicted},
		Fallbacks: []string{"router>rules"}}}

	score := func(d []scorer.ExpectedOutcome, want string, failed *eval.Error, reply agent.Reply,
		events ...trace.Event) eval.Score {
		GinkgoHelper()
		c := eval.Case{Turns: []eval.LabeledTurn{{Expected: json.RawMessage(want)}}}
		s, err := scorer.FaultOutcome{Fault: "router:timeout", Field: "route",
			Expected: d}.Score(context.Background(), c,
			eval.Outcome{Turns: []eval.TurnResult{{Reply: reply, Events: events, HasError: failed != nil}},
				Err: failed})
		Expect(err).NotTo(HaveOccurred())
		return s
	}

	It("passes a turn that ends as expected", func() {
		Expect(score(demands, "", nil, rules, hit, byRules)).
			To(And(HaveField("Name", eval.FaultCorrectScore), HaveField("Verdict", eval.Pass), HaveField("Turn", 1)))
	})

	It("returns an empty score if the fault did not affect the trial or no outcome is expected", func() {
		Expect(score(demands, "", nil, rules, byRules).Name).To(BeEmpty())
		Expect(score(nil, "", nil, rules, hit, byRules).Name).To(BeEmpty())
	})

	DescribeTable("X4: fails a turn that does not end as expected, and states the difference",
		func(reply agent.Reply, failed *eval.Error, reason string, events ...trace.Event) {
			s := score(demands, "", failed, reply, append(events, hit)...)
			Expect(s.Verdict).To(Equal(eval.Fail))
			Expect(s.Reason).To(Equal(reason))
		},
		Entry("a fallback that is missing in the trace", rules, nil, "no fallback router>rules"),
		Entry("a decision by another source", agent.Reply{Predicted: "chat", DecidedBy: "llm", AnsweredBy: "chat"}, nil,
			"decided by llm, expected rules", byRules),
		Entry("a turn without a decision", agent.Reply{AnsweredBy: "chat"}, nil, "decided by none, expected rules",
			byRules),
		Entry("an answer by another component",
			agent.Reply{Predicted: "image_gen", DecidedBy: "rules", AnsweredBy: "chat"},
			nil, `answered by "chat", expected predicted`, byRules),
		Entry("an unexpected error reply",
			agent.Reply{Predicted: "chat", DecidedBy: "rules", AnsweredBy: "chat",
				ErrorReply: &agent.ErrorReply{Code: "NO"}}, nil, `error reply "NO", expected none`, byRules),
		Entry("an unexpected error", rules, &eval.Error{Kind: eval.ProviderError}, "error provider, expected none",
			byRules),
	)

	It("fails a turn without the error, error reply, event or review that is expected", func() {
		refused := []scorer.ExpectedOutcome{{Error: []string{"provider"}}}
		Expect(score(refused, "", &eval.Error{Kind: eval.ProviderError}, agent.Reply{}, hit).Verdict).
			To(Equal(eval.Pass))
		Expect(score(refused, "", &eval.Error{Kind: eval.AgentError}, agent.Reply{}, hit).Verdict).To(Equal(eval.Fail))
		Expect(score(refused, "", nil, rules, hit).Reason).To(Equal("no error, expected provider"))

		sorry := []scorer.ExpectedOutcome{{AnsweredBy: []string{"failed"}, ErrorReply: []string{"CHAT_FAILED"}}}
		Expect(score(sorry, "", nil,
			agent.Reply{AnsweredBy: "failed", ErrorReply: &agent.ErrorReply{Code: "CHAT_FAILED"}},
			hit).Verdict).To(Equal(eval.Pass))
		Expect(score(sorry, "", nil, agent.Reply{AnsweredBy: "failed"}, hit).Reason).
			To(Equal(`error reply "", expected CHAT_FAILED`))

		unscored := []scorer.ExpectedOutcome{{Reviewer: []string{trace.NoReviewer}}}
		review := func(by string, passed bool) trace.Event {
			return trace.Event{Kind: trace.KindReview, Review: &trace.Review{Reviewer: by, Passed: passed}}
		}
		Expect(score(unscored, "", nil, rules, hit, review("llm", false), review(trace.NoReviewer, true)).Verdict).
			To(Equal(eval.Pass))
		Expect(score(unscored, "", nil, rules, hit, review("llm", true)).Verdict).To(Equal(eval.Fail))
		Expect(score(unscored, "", nil, rules, hit).Reason).To(Equal("no review"))
		Expect(score([]scorer.ExpectedOutcome{{Events: []string{"cache_error"}}}, "", nil, rules, hit).Reason).
			To(Equal("no event cache_error"))
	})

	It("uses the label that a table contains for the case or the turn", func() {
		byTable := []scorer.ExpectedOutcome{{DecidedBy: []string{"rules"}, Predicted: []string{"by_rules"},
			AnsweredBy: []string{"by_rules"}, Fallbacks: []string{"router>by_rules"}}}
		judge := func(table scorer.LabelTable, route string) eval.Score {
			GinkgoHelper()
			p := eval.TurnResult{Reply: agent.Reply{Predicted: route, DecidedBy: "rules", AnsweredBy: route},
				Events: []trace.Event{hit, {Kind: trace.KindFallback, From: "router", To: route}}}
			s, err := scorer.FaultOutcome{Expected: byTable,
				Tables: scorer.LabelTables{"by_rules": table}}.Score(context.Background(),
				eval.Case{ID: "a", Turns: make([]eval.LabeledTurn, 2)}, eval.Outcome{Turns: []eval.TurnResult{{}, p}})
			Expect(err).NotTo(HaveOccurred())
			return s
		}
		Expect(judge(scorer.LabelTable{"chat": {"b", "a"}}, "chat").Verdict).To(Equal(eval.Pass))
		Expect(judge(scorer.LabelTable{"image_gen": {"a"}}, "chat").Reason).
			To(Equal(`predicted "chat", expected image_gen`))
		Expect(judge(scorer.LabelTable{"chat": {"a#1"}, "image_gen": {"a#2"}}, "image_gen").Verdict).
			To(Equal(eval.Pass))
		Expect(judge(scorer.LabelTable{"chat": {"a#2"}, "image_gen": {"a#1"}}, "image_gen").Verdict).
			To(Equal(eval.Fail))
		none := scorer.LabelTable{"chat": {"a#1", "b"}}
		Expect(judge(none, "chat").Name).To(BeEmpty(), "nothing is laid down of the second turn")
		byTable[0].DecidedBy = []string{"llm"}
		Expect(judge(none, "chat").Name).To(BeEmpty(), "who cannot be right is not called wrong")
		byTable = append(byTable, scorer.ExpectedOutcome{DecidedBy: []string{"rules"}})
		Expect(judge(none, "chat").Name).To(BeEmpty(), "nor the other way round")
	})

	It("accepts the decision of the model's own answer if MatchModelAnswer is expected", func() {
		position := []scorer.ExpectedOutcome{{Predicted: []string{scorer.MatchModelAnswer}}}
		answered := func(raw string) trace.Event {
			return trace.Event{Kind: trace.KindRoute, Node: "router", Data: trace.RawAnswerData(raw)}
		}
		Expect(score(position, "", nil, rules, hit, answered(`{"route":"chat"}`)).Verdict).To(Equal(eval.Pass))
		Expect(score(position, "", nil, rules, hit, answered(`{"route":"image_gen","reason":"chatty"}`)).Reason).
			To(Equal(`predicted "chat", expected model_answer`))
		Expect(score(position, "", nil, rules, hit).Verdict).To(Equal(eval.Fail))
		Expect(score(position, "", nil, agent.Reply{}, hit, answered(`{"route":""}`)).Verdict).To(Equal(eval.Fail))
	})

	It("passes if one of several outcomes matches, and otherwise states the differences from all", func() {
		two := append([]scorer.ExpectedOutcome{{Predicted: []string{"image_gen"}}}, demands...)
		Expect(score(two, "", nil, rules, hit, byRules).Verdict).To(Equal(eval.Pass))
		Expect(score(two, "", nil, rules, hit).Reason).
			To(Equal(`predicted "chat", expected image_gen; or no fallback router>rules`))
	})

	It("prefers the case's own expectation under the fault", func() {
		const own = `{"under_fault":{"router:timeout":"web_search"}}`
		Expect(score(demands, own, nil, rules, hit, byRules).Verdict).To(Equal(eval.Fail))
		Expect(score(demands, own, nil, agent.Reply{AnsweredBy: "web_search"}, hit).Verdict).To(Equal(eval.Pass))
		Expect(score(demands, own, &eval.Error{Kind: eval.TimeoutError}, agent.Reply{AnsweredBy: "web_search"}, hit).
			Verdict).To(Equal(eval.Fail))
	})

	It("uses the expectation of the suite if the decision before the fault was wrong", func() {
		const own = `{"route":"image_gen","under_fault":{"router:timeout":"web_search"}}`
		route := trace.Event{Kind: trace.KindRoute, Node: "router"}
		Expect(score(demands, own, nil, rules, route, hit, byRules).Verdict).To(Equal(eval.Pass))
		Expect(score(nil, own, nil, rules, route, hit, byRules).Name).To(BeEmpty(), "nobody knows")
		Expect(score(demands, own, nil, rules, hit, route, byRules).Reason).
			To(Equal(`answered by "chat", expected web_search`), "the fault may have decided")
		asLabeled := strings.Replace(own, "image_gen", "chat", 1)
		Expect(score(demands, asLabeled, nil, rules, route, hit, byRules).Reason).
			To(Equal(`answered by "chat", expected web_search`))
	})

	It("applies an outcome that names cases only to these, and no other outcome to them", func() {
		const own = `{"under_fault":{"router:timeout":"chat"}}`
		named := append([]scorer.ExpectedOutcome{{CaseIDs: []string{"", "2"}, AnsweredBy: []string{"web_search"},
			Fallbacks: []string{"image_gen>web_search"}}}, demands...)
		down := trace.Event{Kind: trace.KindFallback, From: "image_gen", To: "web_search"}
		Expect(score(named, "", nil, agent.Reply{AnsweredBy: "web_search"}, hit, down).Verdict).To(Equal(eval.Pass))
		Expect(score(named, "", nil, rules, hit, byRules).Reason).To(Equal(`answered by "chat", expected web_search`))
		Expect(score(named, own, nil, rules, hit, byRules).Verdict).To(Equal(eval.Fail))
		named[0].CaseIDs = []string{"2"}
		Expect(score(named, "", nil, rules, hit, byRules).Verdict).To(Equal(eval.Pass))
		Expect(score(named, "", nil, agent.Reply{AnsweredBy: "web_search"}, hit, down).Verdict).To(Equal(eval.Fail))
	})
})
