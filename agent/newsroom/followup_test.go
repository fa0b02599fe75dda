package newsroom_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("a further request in a conversation with the newsroom", func() {
	It("can overwrite the stored state with the state in its turn", func() {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		a := s.open()
		s.runTurnsWith(a, in("s1", sampleRequest))
		turn := turnWithState("再改改",
			`{"iterationCount":4,"reviewFeedback":{"approved":false,"comments":["太空"]},"qualityScores":{"infoDensity":0.3}}`)
		turn.Session = "s1"
		s.decides = followPath("research_evidence_agent", "writer_agent", "review_agent", "END")
		s.runTurnsWith(a, turn)
		Expect(s.requests["router"][3].Text).
			To(And(ContainSubstring("- review: rejected：太空"), ContainSubstring("- iteration: 5/15"),
				ContainSubstring("- backtrack: research_evidence_agent")))
	})

	It("without text gets an error reply", func() {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		a := s.open()
		s.runTurnsWith(a, in("s1", sampleRequest))
		r := s.runTurnsWith(a, in("s1", " "))[0]
		Expect(r.ErrorReply.Code).To(Equal("EMPTY_INPUT"))
		Expect(s.requests["router"]).To(HaveLen(3))
	})

	It("N7: allows as many rounds of questions as the first request", func() {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.values["max-clarification-rounds"] = "1"
		s.replies["brief"] = questionAnswers("a", briefed, "b", briefed)
		a := s.open()
		for _, served := range []string{"clarification", "END", "clarification", "END"} {
			Expect(s.runTurnsWith(a, in("s1", "写篇笔记"))[0].AnsweredBy).To(Equal(served))
		}
	})

	It("starts with the existing post, a new count of decisions, and no approval", func() {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		a := s.open()
		s.runTurnsWith(a, in("s1", sampleRequest))
		s.decides = followPath("writer_agent", "review_agent", "END")
		r := s.runTurnsWith(a, in("s1", "标题再短一点"))[0]
		Expect(path(r)).To(Equal([]string{"writer", "review", "END"}))
		shown := s.requests["router"][3].Text
		Expect(shown).To(And(ContainSubstring("用户的要求：标题再短一点"), ContainSubstring("- generatedContent: done"),
			ContainSubstring("- review: missing"), ContainSubstring("- iteration: 1/15"),
			Not(ContainSubstring(sampleRequest))))
		Expect(s.requests["writer"][1].Text).To(ContainSubstring("## generatedContent"))
	})
})
