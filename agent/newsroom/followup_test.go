package newsroom_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/mocks/model"
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

var _ = DescribeTable("31.4, N7: A message that asks to resume is answered without agents if no work exists",
	func(text, session, state, want string) {
		s := newStage(followPath(whole...))
		t := turnWithState(text, state)
		t.Session = session
		a := s.open()
		for range 2 {
			r := s.runTurnsWith(a, t)[0]
			Expect(r.ErrorReply.Code).To(Equal("NOTHING_TO_REPEAT"))
			Expect(r.AnsweredBy).To(Equal("failed"))
			Expect(r.Content).To(HavePrefix(want))
		}
		Expect(s.requests).To(BeEmpty())
	},
	Entry(nil, "继续", "s1", `{}`, "这个会话里还没有可以继续的工作。"),
	Entry(nil, "再试一次", "", `{}`, "这个会话里还没有可以继续的工作。"),
	Entry(nil, "继续上次的文章", "s1", `{}`, "这个会话里还没有可以继续的工作。"),
	Entry(nil, "把上次没写完的稿子写完吧", "s1", `{}`, "这个会话里还没有可以继续的工作。"),
	Entry(nil, "resume my draft", "s1", `{}`, "There is no work to continue in this conversation."),
	Entry(nil, "continue", "s1", `{}`, "There is no work to continue in this conversation."),
	Entry("with the ID of an unknown conversation", "retry", "", `{"threadId":"t9"}`,
		"There is no work to continue in this conversation."),
)

var _ = DescribeTable("31.4: A message that asks to resume is a request if there is something that it may refer to",
	func(text, state string, history ...agent.Message) {
		s := newStage(followPath(whole...))
		t := turnWithState(text, state)
		t.Session, t.History = "s1", history
		Expect(s.runTurns(t)[0].AnsweredBy).To(Equal("END"))
	},
	Entry("in a conversation", "继续", `{}`, agent.Message{Role: "user", Content: "写一篇笔记"}),
	Entry("with the material of earlier work", "continue", `{"creativeBrief":{"topic":"tea"}}`),
	Entry("with a further wish", "继续教育的文章，配一张图", `{}`),
)

var _ = DescribeTable("31.4: A message that requests nothing of a finished post gets a short answer without agents",
	func(request, text, code, want string) {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		a := s.open()
		s.runTurnsWith(a, in("s1", request))
		s.requests = map[string][]model.Request{}
		r := s.runTurnsWith(a, in("s1", text))[0]
		Expect(s.requests).To(BeEmpty())
		Expect(r.Content).To(HavePrefix(want))
		if code == "" {
			Expect(r.ErrorReply).To(BeNil())
			Expect(r.AnsweredBy).To(Equal("END"))
		} else {
			Expect(r.ErrorReply.Code).To(Equal(code))
		}
		s.decides = followPath("writer_agent", "review_agent", "END")
		Expect(path(s.runTurnsWith(a, in("s1", "标题再短一点"))[0])).To(Equal([]string{"writer", "review", "END"}))
	},
	Entry(nil, sampleRequest, "继续", "NOTHING_TO_REPEAT", "这篇稿子已经完成。"),
	Entry(nil, sampleRequest, "重试", "NOTHING_TO_REPEAT", "这篇稿子已经完成。"),
	Entry(nil, sampleRequest, "谢谢", "", "这篇稿子已经完成。"),
	Entry(nil, sampleRequest, "写得真不错，辛苦了！", "", "这篇稿子已经完成。"),
	Entry(nil, "a post about tea", "retry", "NOTHING_TO_REPEAT", "The post is finished."),
	Entry(nil, "a post about tea", "please continue", "NOTHING_TO_REPEAT", "The post is finished."),
	Entry(nil, "a post about tea", "Thanks, looks great!", "", "The post is finished."),
)

var _ = DescribeTable("31.4: A message about a finished post is a request if it contains a wish, an image or state",
	func(text, state string, images ...string) {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		a := s.open()
		s.runTurnsWith(a, in("s1", sampleRequest))
		s.decides = followPath("writer_agent", "review_agent", "END")
		t := turnWithState(text, state)
		t.Session, t.Images = "s1", images
		Expect(path(s.runTurnsWith(a, t)[0])).To(Equal([]string{"writer", "review", "END"}))
	},
	Entry(nil, "谢谢，标题再短一点", `{}`),
	Entry(nil, "Great, but make it shorter", `{}`),
	Entry(nil, "继续", `{}`, "https://static.example.net/ref.jpg"),
	Entry(nil, "继续", `{"reviewFeedback":{"approved":false,"comments":["太空"]}}`),
)

var _ = DescribeTable("31.4: A request for another post drops the material of the finished one, a change keeps it",
	func(text, material string) {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		a := s.open()
		s.runTurnsWith(a, in("s1", "a post about tea"))
		s.requests = map[string][]model.Request{}
		s.runTurnsWith(a, in("s1", text))
		Expect(s.requests["router"][0].Text).To(And(HavePrefix("用户的要求："+text+"\n"),
			ContainSubstring("- creativeBrief: "+material), ContainSubstring("- generatedContent: "+material)))
	},
	Entry(nil, "now write one about cocoa", "missing"),
	Entry(nil, "I'd like another one about cocoa", "missing"),
	Entry(nil, "Write a short post about cocoa", "missing"),
	Entry(nil, "write about cocoa instead", "missing"),
	Entry(nil, "new topic: write about cocoa", "missing"),
	Entry(nil, "再写一篇关于可可的", "missing"),
	Entry(nil, "换个主题，写可可", "missing"),
	Entry(nil, "再写个讲可可的", "missing"),
	Entry(nil, "make a shorter title", "done"),
	Entry(nil, "write a title for the post about tea", "done"),
	Entry(nil, "from now on use short sentences", "done"),
	Entry(nil, "write more about the price", "done"),
	Entry(nil, "换个题目，写短一点", "done"),
	Entry(nil, "换个题目", "done"),
)

var _ = DescribeTable("31.4: The newsroom reports its progress in the user's language",
	func(text string, want ...string) {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.runText(text)
		var progress []string
		for _, e := range s.events {
			if e.Kind == trace.KindThoughtLog {
				progress = append(progress, e.Text)
			}
		}
		Expect(progress).To(Equal(want))
	},
	Entry(nil, sampleRequest, "创意简报整理好了。", "正文写好了。", "审核完成了。"),
	Entry(nil, "a post about camping",
		"The creative brief is ready.", "The text is written.", "The review is complete."),
)
