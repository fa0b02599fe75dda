package scholar_test

import (
	"encoding/json"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/scholar"
	"evalctl/agent/system"
	"evalctl/agent/tokens"
	"evalctl/agent/trace"
	"evalctl/mocks/model"
)

var _ = Describe("Answers", func() {
	DescribeTable("L8: are made by the prompt of the intent and of what was gathered", func(intent, papers, begins string) {
		s := newStage(intent)
		s.say("请看看", strings.Fields(papers)...)
		Expect(s.asked["answer"]).To(HaveLen(1))
		Expect(s.asked["answer"][0].Messages[0].Text).To(HavePrefix(begins))
	},
		Entry(nil, summary, "zh-01", "你是学术文献助手。请根据下面的文献材料，回应用户的总结要求"),
		Entry(nil, summary, "zh-02", "你是学术文献助手。请根据下面的文献材料，回应用户的总结要求"),
		Entry(nil, summary, "zh-01 zh-03", "你是学术文献助手。下面是用户选中的各篇文献的压缩总结"),
		Entry(nil, review, "zh-01", "你是撰写文献综述的研究者。请根据下面的文献材料"),
		Entry(nil, review, "zh-01 zh-03", "你是撰写文献综述的研究者。下面是各篇文献的压缩总结"),
		Entry(nil, critique, "zh-01", "你是一位严谨、公正的审稿人"),
		Entry(nil, critique, "zh-01 zh-03", "你是一位严谨、公正的审稿人"),
		Entry(nil, qa, "zh-01", "你是学术文献助手。请只根据下面的文献材料回答用户的问题"),
		Entry(nil, qa, "zh-01 zh-03", "你是学术文献助手。请只根据下面的文献材料回答用户的问题"),
	)

	It("L8: are streamed, and what nodes and models think is told apart from them", func() {
		s := newStage(summary).saying("answer", "<think>先看结果，再说。</think>\n\n结论是甲。")
		reply := s.say("讲了什么", small)
		Expect(reply.Content).To(Equal("结论是甲。"))
		Expect(s.text(trace.KindChunk)).To(Equal("结论是甲。"))
		Expect(s.text(trace.KindThoughtChunk)).To(Equal("识别到的意图：LITERATURE_SUMMARY信息收集策略：full_content先看结果，再说。"))
		Expect(s.of(trace.KindThinkingStart)).To(HaveLen(3))
		Expect(s.of(trace.KindThinkingEnd)).To(HaveLen(3))
		Expect(s.stream()).To(Equal("node_complete:document_check " +
			"thinking_start:intent_recognition thinking_end:intent_recognition node_complete:intent_recognition " +
			"thinking_start:strategy_selection thinking_end:strategy_selection node_complete:strategy_selection " +
			"thinking_start:answer_generation thinking_end:answer_generation node_complete:answer_generation node_complete:session_save "))
	})

	// aloof thinks apart from what it says, as DeepSeek's models do.
	aloof := func(thoughts, content string) *stage {
		s := newStage(summary)
		s.says["answer"] = func(model.Request) model.Answer { return model.Answer{Reasoning: thoughts, Content: content} }
		s.set = func(c *scholar.Config) {
			link := c.Link
			c.Link = func(part string) system.Endpoint {
				l := link(part)
				l.Provider, l.Model = "deepseek", "deepseek-v4-flash"
				return l
			}
		}
		return s
	}

	It("L8: tell what a model thinks apart from its answer as thoughts, too", func() {
		s := aloof("先看结果，再说。", "结论是甲。")
		Expect(s.say("讲了什么", small).Content).To(Equal("结论是甲。"))
		Expect(s.text(trace.KindThoughtChunk)).To(HaveSuffix("先看结果，再说。"))
		Expect(s.stream()).To(ContainSubstring("thinking_start:answer_generation thinking_end:answer_generation node_complete:answer_generation "))

		s = aloof("先看结果，再说。", "")
		Expect(s.say("讲了什么", small).ErrorReply).To(HaveField("Cause", "empty_content"))
		Expect(s.stream()).To(HaveSuffix("thinking_start:answer_generation thinking_end:answer_generation node_error:answer_generation error:answer_generation "))
	})

	DescribeTable("L8: have nothing of thoughts where the user wants none", func(s *stage) {
		reply := s.play(with(on("讲了什么", small), `{"show_thinking":false}`))[0]
		Expect(reply.Content).To(Equal("结论是甲。"))
		for _, kind := range []trace.Kind{trace.KindThinkingStart, trace.KindThoughtChunk, trace.KindThinkingEnd} {
			Expect(s.of(kind)).To(BeEmpty())
		}
		for _, e := range s.events {
			Expect(strings.Contains(e.Text, "先看")).To(BeFalse())
		}
	},
		Entry("between tags", newStage(summary).saying("answer", "<think>先看结果，再说。</think>结论是甲。")),
		Entry("apart", aloof("先看结果，再说。", "结论是甲。")),
	)

	It("L8: have nothing of summaries' texts on the way where the user wants no thoughts, but hear which are made", func() {
		s := newStage(summary)
		s.play(with(on("分别讲了什么", "zh-01", "zh-03"), `{"show_thinking":false}`))
		Expect(s.of(trace.KindSummaryChunk)).To(BeEmpty())
		Expect(s.of(trace.KindSummaryComplete)).To(HaveLen(2))
	})

	DescribeTable("L8: are parted from thoughts wherever a stream is cut", func(whole, said, thought string) {
		runes := []rune(whole)
		for size := 1; size <= len(runes); size++ {
			var chunks []string
			for from := 0; from < len(runes); from += size {
				chunks = append(chunks, string(runes[from:min(from+size, len(runes))]))
			}
			gotSaid, gotThought := scholar.Heard(chunks...)
			Expect([]string{gotSaid, gotThought}).To(Equal([]string{said, thought}), "in pieces of %d", size)
		}
	},
		Entry("none", "a < b，<thin 不是", "a < b，<thin 不是", ""),
		Entry("one before", "<think>嗯</think>\n答", "答", "嗯"),
		Entry("one in the midst", "答<think>嗯</think>案", "答案", "嗯"),
		Entry("one that does not end", "答<think>嗯</thi", "答", "嗯</thi"),
		Entry("only one", "<think>嗯</think>", "", "嗯"),
	)

	DescribeTable("L9: that fail are apologised for", func(answer model.Answer, faults, reason string) {
		s := newStage(summary)
		s.says["answer"] = func(model.Request) model.Answer { return answer }
		s.faults = faults
		reply := s.say("讲了什么", small)
		Expect(reply.ErrorReply).To(Equal(&agent.ErrorReply{Code: "ANSWER_FAILED", Message: "抱歉，生成回答时出了问题，请稍后再试。", Node: "answer_generation", Cause: reason}))
		Expect(s.of(trace.KindNodeError)).To(Equal([]string{"answer_generation → " + reason}))
		Expect(decided(reply)).To(Equal("LITERATURE_SUMMARY by llm, served failed"))
		var told agent.ErrorReply
		for _, e := range s.events {
			if e.Kind == trace.KindError {
				Expect(json.Unmarshal(e.Data, &told)).To(Succeed())
			}
		}
		Expect(told).To(Equal(reply.ErrorReply.Public()))
		Expect(s.nodes()).NotTo(ContainElement("session_save"))
	},
		Entry("by nothing said", model.Answer{Content: " "}, "", "empty_content"),
		Entry("by nothing but thoughts", model.Answer{Content: "<think>嗯</think>"}, "", "empty_content"),
		Entry("by a call that fails", model.Answer{}, "answer:auth", "auth"),
		Entry("by a stream that breaks", model.Answer{Content: strings.Repeat("很长的回答。", 50)}, "answer:truncated_stream", "truncated"),
	)

	It("L8: tell of all thirteen kinds of events, by the names that clients know", func() {
		s := newStage(summary)
		s.says["summary"] = func(r model.Request) model.Answer {
			if strings.Contains(r.Text, "第 2 号") {
				return model.Answer{}
			}
			return model.Answer{Content: "摘要"}
		}
		seen := map[string]bool{}
		names := scholar.System().EventNames
		note := func() {
			for _, e := range s.events {
				name := string(e.Kind)
				if names[e.Kind] != "" {
					name = names[e.Kind]
				}
				seen[name] = true
			}
		}
		s.play(attached("总结一下", 3))
		note()
		s.faults = "router:timeout+answer:auth+chat:auth"
		s.say("总结一下", small)
		note()
		for _, kind := range []string{"thinking_start", "thinking_end", "thought_chunk", "answer_chunk", "final_answer", "node_complete", "node_error",
			"doc_summary_init", "doc_summary_start", "doc_summary_chunk", "doc_summary_complete", "doc_summary_error", "error"} {
			Expect(seen).To(HaveKey(kind))
		}
	})
})

var _ = Describe("Conversation", func() {
	It("L7: shows the windows of each stage: two turns to decide and to plan, three to answer, all to talk", func() {
		var turns []agent.Turn
		for i := range 5 {
			t := on(fmt.Sprintf("问 %d", i+1), large)
			t.Session = "s"
			turns = append(turns, t)
		}
		s := newStage(qa)
		s.saying("answer", "答")
		s.set = func(c *scholar.Config) { c.Context = 2800 }
		s.play(turns...)
		users := func(r model.Request) (n int) { return strings.Count(said(r), "问") - 1 }
		Expect(users(s.asked["router"][4])).To(Equal(2))
		Expect(users(s.asked["sub_questions"][4])).To(Equal(2))
		Expect(users(s.asked["answer"][4])).To(Equal(3))
		Expect(s.queries[4].Question).To(Equal("问 5"))

		talk := newStage(simple)
		talk.saying("chat", "好")
		for i := range turns {
			turns[i].State = nil
		}
		talk.play(turns...)
		Expect(users(talk.asked["chat"][4])).To(Equal(4))
	})

	It("L7: is compressed when it grows, the summary stands before what follows, and nothing that was compressed is shown", func() {
		s := newStage(simple)
		s.saying("chat", strings.Repeat("回答说了很多内容。", 60)).saying("compression", "摘要：用户问过一到四。")
		var turns []agent.Turn
		for i := range 8 {
			turns = append(turns, agent.Turn{Text: fmt.Sprintf("问题 %d", i+1), Session: "s"})
		}
		a, at := s.open(), 0
		for i, t := range turns {
			s.playBy(a, t)
			if len(s.of(trace.KindCompression)) > 0 {
				at = i
				break
			}
		}
		Expect(at).To(BeNumerically(">", 2))
		told := said(s.asked["chat"][at])
		Expect(told).To(HavePrefix("摘要：用户问过一到四。"))
		Expect(told).NotTo(ContainSubstring("问题 1"))
		Expect(told).To(HaveSuffix(fmt.Sprintf("问题 %d", at+1)))
		for _, e := range s.events {
			if e.Kind == trace.KindCompression {
				var c trace.Compression
				Expect(json.Unmarshal(e.Data, &c)).To(Succeed())
				Expect(c.TokensAfter).To(BeNumerically("<", c.TokensBefore))
				Expect(c.TokensBefore).To(BeNumerically(">", 2400))
				Expect(c.Context).To(ContainSubstring("摘要：用户问过一到四。"))
			}
		}
	})

	It("L7: has statistics, which clients are told when a turn is saved", func() {
		s := newStage(simple).saying("chat", "好的。")
		s.play(agent.Turn{Text: "你好", Session: "s"}, agent.Turn{Text: "再说一次", Session: "s"})
		last := s.events[len(s.events)-2]
		Expect(string(last.Kind) + " " + last.Node).To(Equal("node_complete session_save"))
		Expect(last.Data).To(MatchJSON(fmt.Sprintf(`{"total_token_count":%d,"message_count":4,"created_at":"2026-11-20T12:00:00+08:00","updated_at":"2026-11-20T12:00:02+08:00"}`,
			tokens.Count("你好")+tokens.Count("再说一次")+2*tokens.Count("好的。"))))
		for _, e := range s.events[:len(s.events)-2] {
			Expect(e.Kind == trace.KindNodeComplete && e.Data != nil).To(BeFalse(), e.Node)
		}
	})

	It("L7: that cannot be compressed goes on as it was, as far as there is room", func() {
		s := newStage(simple)
		s.saying("chat", "好")
		s.faults = "compression:server_error"
		t := agent.Turn{Text: "还记得吗", Session: "s"}
		for i := range 6 {
			t.History = append(t.History, agent.Message{Role: "user", Content: fmt.Sprintf("问 %d", i)}, agent.Message{Role: "assistant", Content: strings.Repeat("说了很多。", 150)})
		}
		reply := s.play(t)[0]
		Expect(s.of(trace.KindNodeError)).To(ContainElement("compression → server_error"))
		Expect(reply.ErrorReply).To(BeNil())
		Expect(s.of(trace.KindFallback)).To(Equal([]string{"compression compression→newest_turns context_full"}))
		Expect(said(s.asked["chat"][0])).To(And(HavePrefix("问 4"), HaveSuffix("还记得吗")))
	})

	It("has a turn that fails leave nothing behind", func() {
		s := newStage(simple)
		n := 0
		s.says["chat"] = func(model.Request) model.Answer {
			if n++; n == 1 {
				return model.Answer{}
			}
			return model.Answer{Content: "好"}
		}
		replies := s.play(agent.Turn{Text: "第一句", Session: "s"}, agent.Turn{Text: "第二句", Session: "s"})
		Expect(replies[0].ErrorReply).To(HaveField("Code", "CHAT_FAILED"))
		Expect(said(s.asked["chat"][1])).To(Equal("第二句"))
	})

	It("L5: has what the web found, numbered with addresses, where the user wants that", func() {
		s := newStage(simple)
		reply := s.play(with(on("最近有什么关于大模型的新闻"), `{"web_search":true,"search_engine":"bocha","search_engine_api_key":"sk-own-key-123"}`))[0]
		told := s.asked["chat"][0].Messages[0].Text
		Expect(told).To(MatchRegexp(`\[1\] .+\nhttps?://`))
		Expect(told).To(And(ContainSubstring("[2] "), ContainSubstring("今天是 2026-11-20"), MatchRegexp(`\[1\] .+（20\d\d-\d\d-\d\d）\n`)))
		Expect(reply.Content).To(ContainSubstring("[1]"))
		Expect(s.spans("search")).To(Equal(1))
		for _, e := range s.events {
			if e.Kind == trace.KindSpan && e.Node == "search" {
				Expect(e.Span.Provider).To(Equal("bocha"))
			}
		}
	})

	DescribeTable("L5, L9: goes on without the web where that fails or has nothing, and the user hears of it", func(faults, reason, told string) {
		s := newStage(simple)
		s.faults = faults
		reply := s.play(with(on("最近有什么新闻"), `{"web_search":true}`))[0]
		Expect(reply.ErrorReply).To(BeNil())
		Expect(s.of(trace.KindFallback)).To(Equal([]string{"search search→simple_interaction " + reason}))
		Expect(s.asked["chat"][0].Messages[0].Text).To(And(Not(ContainSubstring("[1]")), ContainSubstring(told), ContainSubstring("今天是 2026-11-20")))
		if reason == "no_results" {
			Expect(s.of(trace.KindNodeError)).To(BeEmpty())
		} else {
			Expect(s.of(trace.KindNodeError)).To(Equal([]string{"search → " + reason}))
		}
	},
		Entry(nil, "search:timeout", "timeout", "联网搜索没有成功"), Entry(nil, "search:auth", "auth", "联网搜索没有成功"),
		Entry(nil, "search:no_balance", "no_balance", "联网搜索没有成功"), Entry(nil, "search:empty_content", "no_results", "联网搜索没有找到相关的内容"),
	)
})
