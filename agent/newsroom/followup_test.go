package newsroom_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("a follow-up", func() {
	It("takes what its own state gives over what it begins with", func() {
		s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		a := s.open()
		s.playBy(a, in("s1", wish))
		turn := on("再改改", `{"iterationCount":4,"reviewFeedback":{"approved":false,"comments":["太空"]},"qualityScores":{"infoDensity":0.3}}`)
		turn.Session = "s1"
		s.decides = along("research_evidence_agent", "writer_agent", "review_agent", "END")
		s.playBy(a, turn)
		Expect(s.asked["router"][3].Text).To(And(ContainSubstring("- review: rejected：太空"), ContainSubstring("- iteration: 5/15"),
			ContainSubstring("- backtrack: research_evidence_agent")))
	})

	It("without a word is none", func() {
		s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		a := s.open()
		s.playBy(a, in("s1", wish))
		r := s.playBy(a, in("s1", " "))[0]
		Expect(r.ErrorReply.Code).To(Equal("EMPTY_INPUT"))
		Expect(s.asked["router"]).To(HaveLen(3))
	})

	It("N7: may be asked about as often as the first request", func() {
		s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.values["max-clarification-rounds"] = "1"
		s.says["brief"] = asking("a", briefed, "b", briefed)
		a := s.open()
		for _, served := range []string{"clarification", "END", "clarification", "END"} {
			Expect(s.playBy(a, in("s1", "写篇笔记"))[0].AnsweredBy).To(Equal(served))
		}
	})

	It("goes on from the piece that is there, with a new count and without the old approval", func() {
		s := newStage(along("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		a := s.open()
		s.playBy(a, in("s1", wish))
		s.decides = along("writer_agent", "review_agent", "END")
		r := s.playBy(a, in("s1", "标题再短一点"))[0]
		Expect(path(r)).To(Equal([]string{"writer", "review", "END"}))
		shown := s.asked["router"][3].Text
		Expect(shown).To(And(ContainSubstring("用户的要求：标题再短一点"), ContainSubstring("- generatedContent: done"),
			ContainSubstring("- review: missing"), ContainSubstring("- iteration: 1/15"), Not(ContainSubstring(wish))))
		Expect(s.asked["writer"][1].Text).To(ContainSubstring("## generatedContent"))
	})
})
