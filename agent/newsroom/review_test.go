package newsroom_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/newsroom"
	"evalctl/agent/trace"
)

// rejected returns a review that rejects the post with these scores.
func rejected(scores string) string {
	return `{"reviewFeedback":{"approved":false,"comments":["太空"]},"qualityScores":{` + scores + `}}`
}

const (
	high     = `"infoDensity":0.9,"textImageAlignment":0.9,"styleConsistency":0.9,"readability":0.9,"platformFit":0.9`
	approved = `{"reviewFeedback":{"approved":true,"comments":[]},"qualityScores":{` + high + `}}`
)

var _ = Describe("a review of a post", func() {
	It("N4: without scores does not approve the post with the scores of an earlier review", func() {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.replies["review"] = questionAnswers(rejected(high), `{"reviewFeedback":{"approved":true}}`)
		s.values["max-iterations"] = "6"
		r := s.runText(sampleRequest)
		Expect(r.AnsweredBy).To(Equal("exhausted"))
		shown := s.requests["router"][len(s.requests["router"])-1].Text
		Expect(shown).To(And(ContainSubstring("- may_end: no"), Not(ContainSubstring("- scores"))))
	})

	It("X3: may contain the scores inside the field reviewFeedback", func() {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.replies["review"] = questionAnswers(`{"reviewFeedback":{"approved":true,"comments":[],"qualityScores":{` +
			high + `}}}`)
		Expect(path(s.runText(sampleRequest))).To(Equal([]string{"brief_compiler", "writer", "review", "END"}))
	})

	DescribeTable("N4: no longer counts after an agent has changed the post", func(agent string) {
		s := newStage(script(agent, "END"))
		s.values["max-iterations"] = "3"
		r := s.runTurns(turnWithState("改短", `{`+text+`,`+good+`,"imagePlans":[{"id":"p1","prompt":"猫"}]}`))[0]
		Expect(stepsOf(r)[1]).To(Equal("END→ by precondition (end_rejected)"))
		Expect(s.requests["router"][1].Text).
			To(And(ContainSubstring("- review: missing"), Not(ContainSubstring("- scores"))))
	}, Entry(nil, "writer_agent"), Entry(nil, "image_planner_agent"), Entry(nil, "image_agent"))

	It("with a rejection is part of the prompts of agents that revise the post, but its scores are dropped after a change", func() {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "writer_agent",
			"image_planner_agent", "review_agent", "END"))
		s.replies["review"] = questionAnswers(rejected(`"platformFit":0.2`), approved)
		Expect(s.runText(sampleRequest).AnsweredBy).To(Equal("END"))
		Expect(s.requests["router"][3].Text).To(ContainSubstring("- backtrack: writer_agent"))
		Expect(s.requests["router"][4].Text).
			To(And(ContainSubstring("- review: rejected：太空"), Not(ContainSubstring("- backtrack"))))
		Expect(s.requests["image_plan"][0].Text).To(ContainSubstring("太空"))
	})

	It("N4: does not end the work if the state contains no text", func() {
		s := newStage(script("END"))
		s.values["max-iterations"] = "2"
		r := s.runTurns(turnWithState("发吧", `{`+good+`}`))[0]
		Expect([]string{r.AnsweredBy, r.ErrorReply.Code}).To(Equal([]string{"exhausted", "EXHAUSTED"}))
		Expect(s.requests["router"][0].Text).To(ContainSubstring("- may_end: no（还没有正文）"))
	})

	It("uses the configured score threshold, which is part of the prompts of supervisor and reviewer", func() {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.values["quality-threshold"], s.values["max-iterations"] = "0.95", "4"
		r := s.runText(sampleRequest)
		Expect(r.AnsweredBy).To(Equal("exhausted"), "the usual score is 0.9")
		Expect(s.requests["review"][0].Messages[0].Text).To(ContainSubstring("0.95 是及格"))
		Expect(s.requests["review"][0].Text).To(ContainSubstring("及格线：0.95\n"))
		Expect(s.requests["router"][3].Text).To(ContainSubstring("- review: rejected"),
			"the simulated reviewer goes by it")
		for _, name := range []string{"complete", "few-shot"} {
			s := newStage(script("END"))
			s.values["quality-threshold"], s.values["supervisor-prompt"] = "0.95", name
			s.runTurns(singleDecision(sampleRequest, `{}`))
			Expect(s.requests["router"][0].Messages[0].Text).To(ContainSubstring("不低于 0.95"))
		}
	})
})

var _ = Describe("resumed work of a newsroom", func() {
	It("that the review ends without a call of the supervisor has no error reply", func() {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.replies["review"] = questionAnswers("deadline", approved)
		a := s.open()
		s.runTurnsWith(a, in("s1", sampleRequest))
		r := s.runTurnsWith(a, in("s1", "周五"))[0]
		Expect(r.ErrorReply).To(BeNil())
		Expect([]string{r.AnsweredBy, r.Predicted, r.DecidedBy}).To(Equal([]string{"END", "END", "review"}))
		Expect(s.requests["router"]).To(HaveLen(3))
	})

	It("N4: has the same limit of decisions as work without an interruption", func() {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.replies["brief"] = questionAnswers("audience", briefed)
		s.values["max-iterations"] = "1"
		a := s.open()
		s.runTurnsWith(a, in("s1", sampleRequest))
		r := s.runTurnsWith(a, in("s1", "周五"))[0]
		Expect(stepsOf(r)).To(Equal([]string{"→END by max_iterations (max_iterations)"}))
		Expect([]string{r.Predicted, r.DecidedBy, r.ErrorReply.Code}).
			To(Equal([]string{"END", "max_iterations", "EXHAUSTED"}))
		Expect(s.requests["router"]).To(HaveLen(1))
	})
})

var _ = Describe("the number of decisions in messages and prompts", func() {
	It("N4: never exceeds the limit, even if the state contains a higher number", func() {
		s := newStage(script("brief_compiler_agent"))
		r := s.runTurns(turnWithState(sampleRequest, `{"iterationCount":15}`))[0]
		Expect(r.Content).To(ContainSubstring("15 轮"))
		Expect(s.requests["router"][0].Text).To(ContainSubstring("- iteration: 15/15\n"))
		Expect(newsroom.Status(`{"iterationCount":40}`, sampleRequest)).To(ContainSubstring("- iteration: 15/15\n"))
	})
})

var _ = Describe("a supervisor's decision in an answer with tool calls", func() {
	It("N3: is used once ten tool calls have been executed", func() {
		s := newStage(nil)
		s.decides = withToolCall(say("brief_compiler_agent"))
		s.values["max-iterations"] = "2"
		r := s.runText(sampleRequest)
		Expect(path(r)).To(Equal([]string{"brief_compiler", "brief_compiler", "END"}))
		Expect(s.requests["router"]).To(HaveLen(2 * 11))
		Expect(s.eventLines(trace.KindNoDecision)).To(BeEmpty())
	})
})

var _ = Describe("a simulated supervisor whose path returns to an earlier agent", func() {
	It("reaches the end even if the writer fails once", func() {
		s := newStage(followPath(
			strings.Fields("brief_compiler_agent writer_agent review_agent research_evidence_agent writer_agent review_agent END")...))
		s.faults, s.expectation = "writer:wrong_schema@1", `{"simulated_reviews":[{"infoDensity":0.3},{}]}`
		r := s.runText(sampleRequest)
		Expect(r.AnsweredBy).To(Equal("END"), "%s", path(r))
	})
})
