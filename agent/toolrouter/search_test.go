package toolrouter_test

import (
	"context"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/llm"
	"evalctl/agent/toolrouter"
	"evalctl/agent/trace"
	"evalctl/mocks/component"
	"evalctl/mocks/latency"
)

const (
	news      = "今天有什么新闻"
	newsClock = "今天有什么新闻？现在几点了？"
)

// finder returns a stage whose deciding model chooses a web search. Every call takes one second.
func finder() *stage {
	s := newStage(says{component.Router: route("web_search", 0.9), component.Chat: "新闻如下",
		component.Search: "- 事实一\n- 事实二"})
	s.mocks.Latency["chat"] = latency.Constant(time.Second)
	return s
}

var _ = Describe("A web search", func() {
	It("T7: shows a banner and finds facts, and then the chat model streams the answer", func() {
		s := finder()
		reply, err := s.say(news)
		Expect(err).NotTo(HaveOccurred())
		Expect(s.story()).To(Equal([]string{
			"1s span router#1 ok",
			"1s route web_search (llm)",
			"1s banner 🔍 正在联网搜索...",
			"2s span search#1 ok",
			"3s chunk 新闻如下",
			"3s span chat#1 ok",
			"3s done 新闻如下",
		}))
		Expect(reply.AnsweredBy).To(Equal(toolrouter.RouteWebSearch))
		Expect(reply.ToolCalls).To(Equal([]agent.ToolCall{{Name: "web_search", Input: news, Output: "- 事实一\n- 事实二"}}))
	})

	It("T7: calls qwen-plus with enable_search and without streaming; the chat model streams", func() {
		s := finder()
		_, err := s.say(news)
		Expect(err).NotTo(HaveOccurred())
		log := s.server.Log()
		Expect(log).To(HaveLen(3))
		Expect(log[1].Role).To(Equal(component.Search))
		Expect(log[1].Model).To(Equal("qwen-plus"))
		Expect(log[1].Stream).To(BeFalse())
		Expect(s.bodies[dashScope][0]).To(ContainSubstring(`"enable_search":true`))
		Expect(log[2].Role).To(Equal(component.Chat))
		Expect(log[2].Stream).To(BeTrue())
	})

	DescribeTable("T7: adds the facts to the system message of the chat model",
		func(start string, history ...agent.Message) {
			s := finder()
			_, err := s.play(agent.Turn{Text: news, History: history})
			Expect(err).NotTo(HaveOccurred())
			sent := s.messages(deepSeek, 1)
			Expect(sent[0].Role).To(Equal("system"))
			Expect(sent[0].Content).To(HavePrefix(start))
			Expect(sent[0].Content).To(HaveSuffix("\n- 事实一\n- 事实二"))
			for _, m := range sent[1:] {
				Expect(m.Role).NotTo(Equal("system"))
				Expect(m.Content).NotTo(ContainSubstring("事实一"))
			}
			Expect(sent[len(sent)-1]).To(Equal(message{Role: "user", Content: news}))
		},
		Entry("a conversation without a system message has the built-in prompt", "你是一个可靠的助手"),
		Entry("the system message of the conversation is used", "你是一只鹦鹉。\n\n",
			agent.Message{Role: "system", Content: "你是一只鹦鹉。"},
			agent.Message{Role: "user", Content: "在吗"}, agent.Message{Role: "assistant", Content: "在"}),
		Entry("several system messages are joined", "甲\n\n乙\n\n", agent.Message{Role: "system", Content: "甲"},
			agent.Message{Role: "user", Content: "在吗"}, agent.Message{Role: "system", Content: "乙"}),
	)

	It("T7: sends the chat model the conversation in its order before the question", func() {
		s := finder()
		_, err := s.play(agent.Turn{Text: news, History: []agent.Message{
			{Role: "user", Content: "一"}, {Role: "assistant", Content: "二"}, {Role: "user", Content: "三"},
			{Role: "assistant", Content: "四"},
		}})
		Expect(err).NotTo(HaveOccurred())
		var contents []any
		for _, m := range s.messages(deepSeek, 1)[1:] {
			contents = append(contents, m.Content)
		}
		Expect(contents).To(Equal([]any{"一", "二", "三", "四", news}))
	})

	It("T7, T10: includes the turn's documents in the query and in the chat request", func() {
		s := finder()
		_, err := s.play(agent.Turn{Text: "查文档里的公司今天股价",
			Documents: []agent.Document{{Name: "a.txt", Content: "标的：宁德时代"}}})
		Expect(err).NotTo(HaveOccurred())
		Expect(s.messages(dashScope, 0)[0].Content).To(ContainSubstring("宁德时代"))
		sent := s.messages(deepSeek, 1)
		Expect(sent[len(sent)-1].Content).To(ContainSubstring("【附件 a.txt】\n标的：宁德时代"))
	})

	DescribeTable("T7: searches for a follow-up with the question before it",
		func(text, want string, before ...string) {
			var history []agent.Message
			for _, b := range before {
				history = append(history, agent.Message{Role: "user", Content: b},
					agent.Message{Role: "assistant", Content: "好"})
			}
			s := finder()
			reply, err := s.play(agent.Turn{Text: text, History: history})
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.ToolCalls[0].Input).To(Equal(want))
			sent := s.messages(deepSeek, 1)
			Expect(sent[len(sent)-1].Content).To(Equal(text))
		},
		Entry(nil, "那上海呢", "上一个问题：北京今天天气怎么样\n那上海呢", "北京今天天气怎么样"),
		Entry("after another follow-up", "广州呢？", "上一个问题：北京今天天气怎么样\n广州呢？", "讲个笑话", "北京今天天气怎么样", "那上海呢"),
		Entry(nil, "他多大了", "上一个问题：现任法国总统是谁\n他多大了", "现任法国总统是谁"),
		Entry(nil, "And in London?", "Previous question: weather in Paris today\nAnd in London?",
			"weather in Paris today"),
		Entry("a complete question", "上海今天天气怎么样", "上海今天天气怎么样", "北京今天天气怎么样"),
		Entry(nil, "我刚才看了那部电影的票房", "我刚才看了那部电影的票房", "北京今天天气怎么样"),
		Entry("no question before it", "那上海呢", "那上海呢"),
		Entry("31.9: a complete question that ends in 呢", "上海的天气怎么样呢", "上海的天气怎么样呢", "黄金价格"),
		Entry("31.9: another complete question", "今天微软股价多少呢", "今天微软股价多少呢", "北京今天天气怎么样"),
		Entry("31.9: after a message that is no question", "那微软呢", "上一个问题：苹果股价\n那微软呢", "苹果股价", "讲个笑话"),
		Entry("31.9: after thanks", "微软呢", "上一个问题：现任苹果CEO是谁\n微软呢", "今天有什么新闻", "现任苹果CEO是谁", "谢谢你"),
	)

	DescribeTable("31.9: is requested, for the rules, by a follow-up directly after a search; the rule is the same",
		func(words ...string) {
			send, _ := asks("chat", toolrouter.ModeRules).conversation()
			first := send(words[0])
			Expect(first.Predicted).To(Equal(toolrouter.RouteWebSearch))
			for _, text := range words[1:] {
				reply := send(text)
				Expect(reply.Predicted).To(Equal(toolrouter.RouteWebSearch), text)
				Expect(reply.Rule).To(Equal(first.Rule))
				Expect(reply.ToolCalls[0].Input).To(And(ContainSubstring(words[0]), HaveSuffix(text)))
			}
		},
		Entry(nil, "北京明天天气怎么样", "那上海呢", "那后天呢", "昨天呢", "and in Rome?", "还有广州呢？"),
		Entry(nil, "what is the weather in Oslo", "And in Rome?", "what about tomorrow?", "How about New York"),
		Entry(nil, "苹果股价多少", "微软呢", "那特斯拉呢"),
	)

	DescribeTable("31.9: is not requested by a message that is no follow-up, or that does not directly follow a search",
		func(words ...string) {
			send, _ := asks("chat", toolrouter.ModeRules).conversation()
			for _, text := range words[:len(words)-1] {
				send(text)
			}
			Expect(send(words[len(words)-1]).Predicted).To(Equal(toolrouter.RouteChat))
		},
		Entry(nil, "那上海呢"), Entry(nil, "北京明天天气怎么样", "讲个笑话", "那上海呢"), Entry(nil, "北京明天天气怎么样", "那你呢"),
		Entry(nil, "北京明天天气怎么样", "为什么呢"), Entry(nil, "北京明天天气怎么样", "然后呢"), Entry(nil, "北京明天天气怎么样", "该穿什么呢"),
		Entry(nil, "what is the weather in Oslo", "and you?"),
		Entry(nil, "what is the weather in Oslo", "how about a joke"),
		Entry(nil, "现在几点", "那上海呢"),
	)

	DescribeTable("T7, X4: requests a summary of search results if it finds no facts",
		func(fault, reason string) {
			s := finder()
			s.faults = fault
			reply, err := s.say(news)
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.AnsweredBy).To(Equal(toolrouter.RouteWebSearch))
			Expect(reply.ToolCalls[0].Output).To(Equal("- 事实一\n- 事实二"))
			Expect(s.of(trace.KindFallback)).To(Equal([]string{"fallback search→search_fallback (" + reason + ")"}))
			Expect(s.bodies[dashScope][len(s.bodies[dashScope])-1]).To(ContainSubstring(`"forced_search":true`))
		},
		Entry("the first search finds nothing", "search:empty_content@1", "empty_content"),
		Entry("the first search times out", "search:timeout@1", "timeout"),
		Entry("the API key is rejected in the first search", "search:auth@1", "auth"),
	)

	DescribeTable("T7, X10: is replaced, if search and summary fail, by the local clock for a question about the time, and otherwise by chat",
		func(text, fault, reason, served string) {
			s := finder()
			s.faults = fault
			reply, err := s.say(text)
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.Predicted).To(Equal(toolrouter.RouteWebSearch))
			Expect(reply.AnsweredBy).To(Equal(served))
			Expect(reply.ToolCalls).To(BeEmpty())
			Expect(s.of(trace.KindFallback)).To(Equal([]string{
				"fallback search→search_fallback (" + reason + ")",
				"fallback web_search→" + served + " (" + reason + ")",
			}))
		},
		Entry("both searches find nothing", news, "search:empty_content", "empty_content", "chat"),
		Entry("the API key is rejected", news, "search:auth", "auth", "chat"),
		Entry("both searches find nothing, and the text contains a time question", newsClock, "search:empty_content",
			"empty_content", "time_query"),
	)

	It("X2: has a time limit of 20 s for the facts and another 20 s for the summary; then chat answers", func() {
		s := finder()
		s.faults = "search:timeout"
		reply, err := s.say(news)
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.AnsweredBy).To(Equal(toolrouter.RouteChat))
		Expect(s.duration).To(Equal(42 * time.Second))
		Expect(s.of(trace.KindTimeout)).To(Equal([]string{"timeout search (timeout)", "timeout search (timeout)"}))
	})

	It("X2, X10: does not call the chat model again if the chat model fails after the search", func() {
		s := finder()
		s.faults = "chat:auth"
		reply, err := s.say(newsClock)
		Expect(err).To(MatchError(llm.KindAuth))
		Expect(reply.Predicted).To(Equal(toolrouter.RouteWebSearch))
		Expect(reply.AnsweredBy).To(BeEmpty())
		Expect(s.server.Calls("chat")).To(Equal(1))
		Expect(s.of(trace.KindFallback)).To(BeEmpty())
	})

	It("X6: ends without further events if the caller cancels it", func() {
		s := finder()
		s.faults = "search:slow=30s"
		reply, err := s.playUntil(agent.Turn{Text: news}, func(cancel context.CancelFunc, e trace.Event) {
			if e.Kind == trace.KindBanner {
				cancel()
			}
		})
		Expect(err).To(MatchError(context.Canceled))
		Expect(reply.Predicted).To(Equal(toolrouter.RouteWebSearch))
		Expect(reply.AnsweredBy).To(BeEmpty())
		Expect(s.duration).To(Equal(time.Second))
		Expect(strings.Join(s.of(trace.KindDone), "")).To(Equal("done "))
	})
})
