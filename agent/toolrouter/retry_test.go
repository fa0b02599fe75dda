package toolrouter_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/session"
	"evalctl/agent/toolrouter"
	"evalctl/agent/trace"
	"evalctl/mocks/component"
)

// conversation returns functions that send a message in a session with the tool router on this
// stage: one that waits for the answer, and one that cancels the turn at its first event of a kind.
func (s *stage) conversation() (send func(text string) agent.Reply, cut func(text string, at trace.Kind)) {
	GinkgoHelper()
	router, err := s.open()
	Expect(err).NotTo(HaveOccurred())
	store, err := session.New(session.Config{})
	Expect(err).NotTo(HaveOccurred())
	a := &session.Agent{Next: router, Store: store}
	send = func(text string) agent.Reply {
		GinkgoHelper()
		reply, err := s.playBy(a, agent.Turn{Text: text, Session: "a"}, func(context.CancelFunc, trace.Event) {})
		Expect(err).NotTo(HaveOccurred())
		return reply
	}
	cut = func(text string, at trace.Kind) {
		GinkgoHelper()
		_, err := s.playBy(a, agent.Turn{Text: text, Session: "a"}, func(cancel context.CancelFunc, e trace.Event) {
			if e.Kind == at {
				cancel()
			}
		})
		Expect(err).To(HaveOccurred())
	}
	return send, cut
}

// asks returns a stage whose deciding model always returns this route; with rules, it is not called.
func asks(decided string, mode toolrouter.RoutingMode) *stage {
	s := newStage(says{component.Router: route(decided, 0.9), component.Chat: "新闻如下：没有新闻", "improve": "一只猫",
		component.Search: "- 事实"})
	s.config.Mode = mode
	return s
}

var _ = Describe("31.1: A message that only requests to repeat the request before it", func() {
	DescribeTable("repeats an image or a search that was cut off, also a second time",
		func(words string) {
			s := asks("chat", toolrouter.ModeRules)
			send, cut := s.conversation()
			send("讲个笑话")
			cut("画一只猫", trace.KindBanner)
			cut(words, trace.KindBanner)
			reply := send(words)
			Expect(reply.Predicted).To(Equal(toolrouter.RouteImageGen))
			Expect(reply.GeneratedImageURL).NotTo(BeEmpty())
			Expect(send("那只猫好看吗").Attributes).To(HaveKeyWithValue("vision", "yes"))

			cut(news, trace.KindChunk)
			cut(words, trace.KindBanner)
			reply = send(words)
			Expect(reply.Predicted).To(Equal(toolrouter.RouteWebSearch))
			Expect(reply.ToolCalls).To(HaveExactElements(HaveField("Input", news)))
			Expect(reply.AnsweredBy).To(Equal(toolrouter.RouteWebSearch))
		},
		Entry(nil, "try again"), Entry(nil, "继续"), Entry(nil, "再试一次"), Entry(nil, "重试"), Entry(nil, "再查一次"),
		Entry(nil, "刚才没出来，请再来一次吧"), Entry(nil, "Could you do it again, please?"), Entry(nil, "search again"),
	)

	It("repeats an image request that another route answered, because no image could be generated", func() {
		s := asks("chat", toolrouter.ModeRules)
		s.faults = "image:auth@1"
		send, _ := s.conversation()
		Expect(send("画一只猫").AnsweredBy).To(Equal(toolrouter.RouteChat))
		Expect(send("再试一次").GeneratedImageURL).NotTo(BeEmpty())
	})

	It("repeats the message that failed if the history does not contain it", func() {
		reply, err := asks("chat", toolrouter.ModeRules).play(agent.Turn{Text: "继续",
			FailedMessage: &agent.Message{Role: "user", Content: "画一只猫"},
			History:       []agent.Message{{Role: "user", Content: "你好"}, {Role: "assistant", Content: "你好"}}})
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.GeneratedImageURL).NotTo(BeEmpty())
	})

	It("repeats a change of an image that was cut off", func() {
		s := asks("chat", toolrouter.ModeRules)
		send, cut := s.conversation()
		send("画一只猫")
		cut("换成黑猫", trace.KindBanner)
		Expect(send("再试一次").Rule).To(Equal("image.edit"))
		Expect(s.messages(deepSeek, len(s.bodies[deepSeek])-1)).To(ContainElement(HaveField("Content", "换成黑猫")))
	})

	It("is the unanswered request for the deciding model; the chat model sees it with the part of the answer", func() {
		s := asks("chat", toolrouter.ModeLLMFirst)
		send, cut := s.conversation()
		cut("写一首长诗", trace.KindChunk)
		before := len(s.bodies[deepSeek])
		send("继续")
		decided := s.messages(deepSeek, before)
		Expect(decided[len(decided)-1]).To(Equal(message{Role: "user", Content: "写一首长诗"}))
		chat := s.messages(deepSeek, before+1)
		Expect(chat[len(chat)-1]).To(Equal(message{Role: "user", Content: "继续"}))
		Expect(chat[len(chat)-2].Content).To(ContainSubstring("这个回答没有完成"))
		Expect(chat[len(chat)-3]).To(Equal(message{Role: "user", Content: "写一首长诗"}))
	})

	DescribeTable("is decided by its own text",
		func(words string, before ...string) {
			s := asks("chat", toolrouter.ModeRules)
			send, cut := s.conversation()
			if len(before) > 0 {
				send(before[0])
			} else {
				cut(news, trace.KindBanner)
			}
			Expect(send(words).Predicted).To(Equal(toolrouter.RouteChat))
		},
		Entry("if the request before it was answered", "再试一次", news),
		Entry("if it names something itself", "继续讲个笑话"), Entry("if it repeats nothing", "谢谢"),
		Entry("if it puts the request off", "再说吧"),
	)
})

var _ = DescribeTable("31.9: A retry directly after a delivered image is a request for another image, in any wording",
	func(words string, want string) {
		send, _ := asks("chat", toolrouter.ModeRules).conversation()
		send("画一只猫")
		Expect(send(words).Predicted).To(Equal(want))
		send("讲个笑话")
		Expect(send(words).Predicted).To(Equal(toolrouter.RouteChat), "the image is no longer the subject")
	},
	Entry(nil, "try again", toolrouter.RouteImageGen), Entry(nil, "retry", toolrouter.RouteImageGen),
	Entry(nil, "重试", toolrouter.RouteImageGen), Entry(nil, "再试一次", toolrouter.RouteImageGen),
	Entry(nil, "once more, please", toolrouter.RouteImageGen), Entry(nil, "请重来一次吧", toolrouter.RouteImageGen),
	Entry("no retry", "继续", toolrouter.RouteChat), Entry("no retry", "go on", toolrouter.RouteChat),
	Entry("another request", "再查一次", toolrouter.RouteChat),
)
