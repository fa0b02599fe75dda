package toolrouter_test

import (
	"encoding/json"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/toolrouter"
	"evalctl/agent/trace"
	"evalctl/mocks/component"
	"evalctl/mocks/latency"
)

const (
	photo  = "https://example.com/photo.jpg"
	photo2 = "https://example.com/photo2.jpg"
	drawn  = "https://example.com/drawn.png"
)

// viewer returns a stage whose deciding model replies with this route. Every call takes one second.
func viewer(decided string) *stage {
	s := newStage(says{component.Router: decided, component.Chat: "是一座塔", component.Vision: "一座塔",
		component.Search: "- 门票五十元"})
	s.mocks.Latency["chat"] = latency.Constant(time.Second)
	return s
}

// afterDrawing returns a conversation with generated images; drawn is the URL of the last one.
func afterDrawing() []agent.Message {
	return []agent.Message{
		{Role: "user", Content: "画一座塔"},
		{Role: "assistant", Content: "好了", GeneratedImageURL: "https://example.com/first.png"},
		{Role: "user", Content: "再画一座"}, {Role: "assistant", Content: "好了", GeneratedImageURL: drawn},
		{Role: "user", Content: "谢谢", Images: []string{photo}}, {Role: "assistant", Content: "不客气"},
	}
}

var _ = Describe("A turn with images", func() {
	It("T10: is answered in three calls: the images are described, the route is decided, and the chat model answers",
		func() {
			s := viewer(route("chat", 0.9))
			reply, err := s.play(agent.Turn{Text: "这是什么", Images: []string{photo}})
			Expect(err).NotTo(HaveOccurred())
			Expect(s.story()).To(Equal([]string{
				"1s span vision#1 ok",
				"2s span router#1 ok",
				"2s route chat (llm)",
				"3s chunk 是一座塔",
				"3s span chat#1 ok",
				"3s done 是一座塔",
			}))
			Expect(reply.Predicted).To(Equal(toolrouter.RouteChat))
			sent := s.messages(deepSeek, 1)
			Expect(sent[len(sent)-1].Content).To(Equal("图片内容：一座塔\n\n这是什么"))
		})

	It("T10: is answered with facts from the web if the question requires them", func() {
		s := viewer(route("web_search", 0.9))
		reply, err := s.play(agent.Turn{Text: "门票现在多少钱", Images: []string{photo}})
		Expect(err).NotTo(HaveOccurred())
		Expect(s.asked()).To(Equal([]component.Role{component.Vision, component.Router, component.Search,
			component.Chat}))
		Expect(reply.AnsweredBy).To(Equal(toolrouter.RouteWebSearch))
		Expect(reply.ToolCalls[0].Name).To(Equal("web_search"))
		Expect(s.messages(dashScope, 1)[0].Content).To(And(ContainSubstring("门票现在多少钱"), ContainSubstring("一座塔")))
		sent := s.messages(deepSeek, 1)
		Expect(sent[0].Content).To(HaveSuffix("\n- 门票五十元"))
		Expect(sent[len(sent)-1].Content).To(ContainSubstring("图片内容：一座塔"))
	})

	It("T10: sends all images and documents to the vision model in one message", func() {
		s := viewer(route("chat", 0.9))
		_, err := s.play(agent.Turn{Text: "对得上吗", Images: []string{photo, photo2},
			Documents: []agent.Document{{Name: "a.txt", Content: "甲"}, {Name: "b.txt", Content: "乙"}}})
		Expect(err).NotTo(HaveOccurred())
		sent := s.messages(dashScope, 0)
		Expect(sent).To(HaveLen(2))
		parts, err := json.Marshal(sent[1].Content)
		Expect(err).NotTo(HaveOccurred())
		Expect(parts).To(MatchJSON(`[
			{"type":"image_url","image_url":{"url":"` + photo + `"}},
			{"type":"image_url","image_url":{"url":"` + photo2 + `"}},
			{"type":"text","text":"对得上吗\n\n【附件 a.txt】\n甲\n\n【附件 b.txt】\n乙"}]`))
		answered := s.messages(deepSeek, 1)
		Expect(answered[len(answered)-1].Content).
			To(And(ContainSubstring("【附件 a.txt】"), ContainSubstring("【附件 b.txt】")))
	})

	DescribeTable("T10, X10: is routed only to web search or chat; the trace and the reply show this route",
		func(decided, text, want string) {
			s := viewer(route(decided, 0.9))
			reply, err := s.play(agent.Turn{Text: text, Images: []string{photo}})
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.Predicted).To(Equal(want))
			Expect(reply.AnsweredBy).To(Equal(want))
			Expect(s.of(trace.KindGuard)).To(Equal([]string{"guard " + decided + " (image_input)"}))
			Expect(s.of(trace.KindRoute)).To(Equal([]string{"route " + want + " (image_input)"}))
		},
		Entry("the model's decision for image generation becomes chat", "image_gen", "照这个画一张", "chat"),
		Entry("the model's decision for the clock becomes chat", "time_query", "这钟上现在几点", "chat"),
		Entry("the rules find a search request, so the route is web search", "image_gen", "画一张今天新闻的图", "web_search"),
	)

	DescribeTable("T10: is answered by chat, without a routing decision by the model, if web search is not available",
		func(gate, reason string) {
			s := viewer(route("web_search", 0.9))
			reply, err := s.play(agent.Turn{Text: "今天有什么新闻", Images: []string{photo}, Options: options(gate, "false")})
			Expect(err).NotTo(HaveOccurred())
			Expect(s.asked()).To(Equal([]component.Role{component.Vision, component.Chat}))
			Expect(reply.Predicted).To(Equal(toolrouter.RouteChat))
			Expect(s.of(trace.KindRoute)).To(Equal([]string{"route chat (" + reason + ")"}))
		},
		Entry("web search is off", "web_search", "image_input"),
		Entry("the feature agent is off", "agent", "agent_off"),
	)

	It("T10, X4: is answered without a description if the vision model fails; the chat model is informed of this",
		func() {
			s := viewer(route("chat", 0.9))
			s.faults = "vision:auth"
			reply, err := s.play(agent.Turn{Text: "这是什么", Images: []string{photo}})
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.AnsweredBy).To(Equal(toolrouter.RouteChat))
			Expect(s.of(trace.KindFallback)).To(Equal([]string{"fallback vision→chat (auth)"}))
			sent := s.messages(deepSeek, 1)
			Expect(sent[len(sent)-1].Content).To(ContainSubstring("没能识别"))
		})

	DescribeTable("T10: adds the description in the user's language",
		func(fault, want string) {
			s := viewer(route("chat", 0.9))
			s.faults = fault
			_, err := s.play(agent.Turn{Text: "what is this", Images: []string{photo}})
			Expect(err).NotTo(HaveOccurred())
			sent := s.messages(deepSeek, 1)
			Expect(sent[len(sent)-1].Content).To(Equal(want + "\n\nwhat is this"))
		},
		Entry("the vision model describes the image", "", "What the picture shows: 一座塔"),
		Entry("the vision model fails, and a text replaces the description", "vision:auth",
			"(The picture could not be read.)"),
	)

	It("T10, X10: is answered by chat without facts if the web search finds none", func() {
		s := viewer(route("web_search", 0.9))
		s.faults = "search:empty_content"
		reply, err := s.play(agent.Turn{Text: "门票现在多少钱", Images: []string{photo}})
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.Predicted).To(Equal(toolrouter.RouteWebSearch))
		Expect(reply.AnsweredBy).To(Equal(toolrouter.RouteChat))
		Expect(s.of(trace.KindFallback)).
			To(Equal([]string{"fallback search→search_fallback (empty_content)",
				"fallback web_search→chat (empty_content)"}))
	})
})

var _ = Describe("A question about the newest generated image", func() {
	It("T10: sends the newest of several generated images to the vision model", func() {
		s := viewer(route("chat", 0.9))
		reply, err := s.play(agent.Turn{Text: "描述一下你刚画的那张图", History: afterDrawing()})
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.AnsweredBy).To(Equal(toolrouter.RouteChat))
		Expect(s.bodies[dashScope][0]).To(ContainSubstring(drawn))
		Expect(s.bodies[dashScope][0]).NotTo(Or(ContainSubstring("first.png"), ContainSubstring(photo)))
	})

	It("T10: also causes a web search if it requires facts", func() {
		s := viewer(route("web_search", 0.9))
		reply, err := s.play(agent.Turn{Text: "刚才那张图里的塔，真的那座门票多少钱", History: afterDrawing()})
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.AnsweredBy).To(Equal(toolrouter.RouteWebSearch))
		Expect(s.asked()).To(Equal([]component.Role{component.Vision, component.Router, component.Search,
			component.Chat}))
	})

	DescribeTable("T10: is answered that there is no image if none was generated",
		func(text, want string) {
			s := viewer(route("image_gen", 0.9))
			reply, err := s.say(text)
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.Content).To(Equal(want))
			Expect(reply.Predicted).To(Equal(toolrouter.RouteChat))
			Expect(reply.AnsweredBy).To(Equal(toolrouter.RouteChat))
			Expect(reply.DecidedBy).To(Equal("guard"), "no model is called")
			Expect(s.server.Log()).To(BeEmpty())
			Expect(s.of(trace.KindRoute)).To(Equal([]string{"route chat (no_image)"}))
		},
		Entry("the answer to a Chinese question is Chinese", "描述一下你刚才画的那幅画", "这次对话里还没有生成过图片。"),
		Entry("the answer to an English question is English", "describe the picture you just made",
			"No picture has been made in this conversation yet."),
	)

	about := func(text string) bool {
		s := viewer(route("chat", 0.9))
		_, err := s.play(agent.Turn{Text: text, History: afterDrawing()})
		Expect(err).NotTo(HaveOccurred())
		return s.server.Calls("vision") == 1
	}

	DescribeTable("T10: is recognized in various wordings",
		func(text string) { Expect(about(text)).To(BeTrue()) },
		Entry(nil, "刚生成的那张图里一共几个人"),
		Entry(nil, "你之前生成的那张里为什么月亮有两个"),
		Entry(nil, "给刚才的画起个名字"),
		Entry(nil, "刚才那张picture的vibe像哪个年代？"),
		Entry(nil, "上一张图里有什么"),
		Entry(nil, "你给我做的海报上写的什么字"),
		Entry(nil, "what was in that image you generated for me?"),
		Entry(nil, "Explain the picture you’ve just drawn"),
		Entry(nil, "how many cats are there in the last picture"),
	)

	DescribeTable("T10: is not recognized in a request for a change or in an unrelated text",
		func(text string) { Expect(about(text)).To(BeFalse()) },
		Entry("a request to change the image", "把你刚才那张里的橘猫换成黑猫"),
		Entry("a request for another version", "你上次画的小狐狸太瘦了，再来一版怎么样"),
		Entry("a polite request to change the image", "could you make it brighter, the picture you drew?"),
		Entry("a request to change the image, in English",
			"turn the last picture into a night scene, what about lanterns"),
		Entry("thanks for the image", "你刚画的那张图真好看"),
		Entry("an image that the user, not the agent, has drawn", "我刚画的画哪里不好"),
		Entry("the word 图书馆 (library), which contains 图", "刚才去图书馆看了什么书"),
		Entry("a question about future images", "你会画什么图"),
		Entry("an image that the user requested on another day", "你还记得我昨天让你画的那只柯基吗"),
		Entry("code that the agent generated", "explain the code you generated"),
		Entry("the word \"last\" without an image", "what was the last thing I said"),
	)
})
