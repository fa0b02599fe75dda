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

var _ = Describe("Answers of the scholar", func() {
	DescribeTable("L8: are written with the prompt for the intent and the number of papers",
		func(intent, papers, begins string) {
			s := newStage(intent)
			s.runText("请看看", strings.Fields(papers)...)
			Expect(s.requests["answer"]).To(HaveLen(1))
			Expect(s.requests["answer"][0].Messages[0].Text).To(HavePrefix(begins))
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

	It("L8: are streamed as answer events, separate from the reasoning of nodes and models", func() {
		s := newStage(summary).withReplies("answer", "<think>先看结果，再说。</think>\n\n结论是甲。")
		reply := s.runText("讲了什么", small)
		Expect(reply.Content).To(Equal("结论是甲。"))
		Expect(s.text(trace.KindChunk)).To(Equal("结论是甲。"))
		Expect(s.text(trace.KindThoughtChunk)).To(Equal("识别到的意图：LITERATURE_SUMMARY信息收集策略：full_content先看结果，再说。"))
		Expect(s.eventLines(trace.KindThinkingStart)).To(HaveLen(3))
		Expect(s.eventLines(trace.KindThinkingEnd)).To(HaveLen(3))
		Expect(s.stream()).To(Equal("node_complete:document_check " +
			"thinking_start:intent_recognition thinking_end:intent_recognition node_complete:intent_recognition " +
			"thinking_start:strategy_selection thinking_end:strategy_selection node_complete:strategy_selection " +
			"thinking_start:answer_generation thinking_end:answer_generation node_complete:answer_generation node_complete:session_save "))
	})

	// aloof returns a stage whose model returns reasoning in a separate field, as DeepSeek's models
	// do.
	aloof := func(thoughts, content string) *stage {
		s := newStage(summary)
		s.replies["answer"] = func(model.Request) model.Answer {
			return model.Answer{Reasoning: thoughts,
				Content: content}
		}
		s.set = func(c *scholar.Config) {
			link := c.EndpointOf
			c.EndpointOf = func(part string) system.Endpoint {
				l := link(part)
				l.Provider, l.Model = "deepseek", "deepseek-v4-flash"
				return l
			}
		}
		return s
	}

	It("L8: are streamed after reasoning that a model sends in a separate field; that reasoning has its own events",
		func() {
			s := aloof("先看结果，再说。", "结论是甲。")
			Expect(s.runText("讲了什么", small).Content).To(Equal("结论是甲。"))
			Expect(s.text(trace.KindThoughtChunk)).To(HaveSuffix("先看结果，再说。"))
			Expect(s.stream()).To(ContainSubstring(
				"thinking_start:answer_generation thinking_end:answer_generation node_complete:answer_generation "))

			s = aloof("先看结果，再说。", "")
			Expect(s.runText("讲了什么", small).ErrorReply).To(HaveField("Cause", "empty_content"))
			Expect(s.stream()).To(HaveSuffix(
				"thinking_start:answer_generation thinking_end:answer_generation node_error:answer_generation error:answer_generation "))
		})

	DescribeTable("L8: come without reasoning if the user disables it", func(s *stage) {
		reply := s.runTurns(with(on("讲了什么", small), `{"show_thinking":false}`))[0]
		Expect(reply.Content).To(Equal("结论是甲。"))
		for _, kind := range []trace.Kind{trace.KindThinkingStart, trace.KindThoughtChunk, trace.KindThinkingEnd} {
			Expect(s.eventLines(kind)).To(BeEmpty())
		}
		for _, e := range s.events {
			Expect(strings.Contains(e.Text, "先看")).To(BeFalse())
		}
	},
		Entry("reasoning in <think> tags", newStage(summary).withReplies("answer", "<think>先看结果，再说。</think>结论是甲。")),
		Entry("reasoning in a separate field", aloof("先看结果，再说。", "结论是甲。")),
	)

	It("L8: come without the texts of summaries if the user disables reasoning, but with one event for each summary",
		func() {
			s := newStage(summary)
			s.runTurns(with(on("分别讲了什么", "zh-01", "zh-03"), `{"show_thinking":false}`))
			Expect(s.eventLines(trace.KindSummaryChunk)).To(BeEmpty())
			Expect(s.eventLines(trace.KindSummaryComplete)).To(HaveLen(2))
		})

	DescribeTable("L8: are separated from reasoning, wherever the model's chunks begin and end",
		func(whole, said, thought string) {
			runes := []rune(whole)
			for size := 1; size <= len(runes); size++ {
				var chunks []string
				for from := 0; from < len(runes); from += size {
					chunks = append(chunks, string(runes[from:min(from+size, len(runes))]))
				}
				gotSaid, gotThought := scholar.SplitStream(chunks...)
				Expect([]string{gotSaid, gotThought}).To(Equal([]string{said, thought}), "in pieces of %d", size)
			}
		},
		Entry("no reasoning", "a < b，<thin 不是", "a < b，<thin 不是", ""),
		Entry("reasoning before the answer", "<think>嗯</think>\n答", "答", "嗯"),
		Entry("reasoning inside the answer", "答<think>嗯</think>案", "答案", "嗯"),
		Entry("reasoning without a closing tag", "答<think>嗯</thi", "答", "嗯</thi"),
		Entry("only reasoning", "<think>嗯</think>", "", "嗯"),
	)

	DescribeTable("L9: that fail are replaced by an error reply with the reason",
		func(answer model.Answer, faults, reason string) {
			s := newStage(summary)
			s.replies["answer"] = func(model.Request) model.Answer { return answer }
			s.faults = faults
			reply := s.runText("讲了什么", small)
			Expect(reply.ErrorReply).
				To(Equal(&agent.ErrorReply{Code: "ANSWER_FAILED", Message: "抱歉，生成回答时出了问题，请稍后再试。",
					Node:  "answer_generation",
					Cause: reason}))
			Expect(s.eventLines(trace.KindNodeError)).To(Equal([]string{"answer_generation → " + reason}))
			Expect(decided(reply)).To(Equal("LITERATURE_SUMMARY by llm, served failed"))
			var observed agent.ErrorReply
			for _, e := range s.events {
				if e.Kind == trace.KindError {
					Expect(json.Unmarshal(e.Data, &observed)).To(Succeed())
				}
			}
			Expect(observed).To(Equal(reply.ErrorReply.WithoutCause()))
			Expect(s.nodes()).NotTo(ContainElement("session_save"))
		},
		Entry("an empty answer", model.Answer{Content: " "}, "", "empty_content"),
		Entry("reasoning without an answer", model.Answer{Content: "<think>嗯</think>"}, "", "empty_content"),
		Entry("a failed call", model.Answer{}, "answer:auth", "auth"),
		Entry("a stream that breaks off", model.Answer{Content: strings.Repeat("很长的回答。", 50)},
			"answer:truncated_stream", "truncated"),
	)

	It("L8: emit, over answered and failed turns together, all thirteen kinds of events under the names that clients expect", func() {
		s := newStage(summary)
		s.replies["summary"] = func(r model.Request) model.Answer {
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
		s.runTurns(attached("总结一下", 3))
		note()
		s.faults = "router:timeout+answer:auth+chat:auth"
		s.runText("总结一下", small)
		note()
		for _, kind := range []string{"thinking_start", "thinking_end", "thought_chunk", "answer_chunk", "final_answer",
			"node_complete", "node_error",
			"doc_summary_init", "doc_summary_start", "doc_summary_chunk", "doc_summary_complete",
			"doc_summary_error", "error"} {
			Expect(seen).To(HaveKey(kind))
		}
	})
})

var _ = Describe("The conversation with the scholar", func() {
	It("L7: is included in prompts: two turns for decisions and plans, three for answers, and all turns for chat",
		func() {
			var turns []agent.Turn
			for i := range 5 {
				t := on(fmt.Sprintf("问 %d", i+1), large)
				t.Session = "s"
				turns = append(turns, t)
			}
			s := newStage(qa)
			s.withReplies("answer", "答")
			s.set = func(c *scholar.Config) { c.ContextTokens = 2800 }
			s.runTurns(turns...)
			users := func(r model.Request) (n int) { return strings.Count(said(r), "问") - 1 }
			Expect(users(s.requests["router"][4])).To(Equal(2))
			Expect(users(s.requests["sub_questions"][4])).To(Equal(2))
			Expect(users(s.requests["answer"][4])).To(Equal(3))
			Expect(s.queries[4].Question).To(Equal("问 5"))

			talk := newStage(simple)
			talk.withReplies("chat", "好")
			for i := range turns {
				turns[i].State = nil
			}
			talk.runTurns(turns...)
			Expect(users(talk.requests["chat"][4])).To(Equal(4))
		})

	It("L7: is compressed when it becomes too long; the summary replaces the compressed messages in prompts",
		func() {
			s := newStage(simple)
			s.withReplies("chat", strings.Repeat("回答说了很多内容。", 60)).withReplies("compression", "摘要：用户问过一到四。")
			var turns []agent.Turn
			for i := range 8 {
				turns = append(turns, agent.Turn{Text: fmt.Sprintf("问题 %d", i+1), Session: "s"})
			}
			a, at := s.open(), 0
			for i, t := range turns {
				s.runTurnsWith(a, t)
				if len(s.eventLines(trace.KindCompression)) > 0 {
					at = i
					break
				}
			}
			Expect(at).To(BeNumerically(">", 2))
			observed := said(s.requests["chat"][at])
			Expect(observed).To(HavePrefix("摘要：用户问过一到四。"))
			Expect(observed).NotTo(ContainSubstring("问题 1"))
			Expect(observed).To(HaveSuffix(fmt.Sprintf("问题 %d", at+1)))
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

	It("L7: has statistics, which are part of the completion event of the node session_save", func() {
		s := newStage(simple).withReplies("chat", "好的。")
		s.runTurns(agent.Turn{Text: "你好", Session: "s"}, agent.Turn{Text: "再说一次", Session: "s"})
		last := s.events[len(s.events)-2]
		Expect(string(last.Kind) + " " + last.Node).To(Equal("node_complete session_save"))
		Expect(last.Data).To(MatchJSON(
			fmt.Sprintf(`{"total_token_count":%d,"message_count":4,"created_at":"2026-11-20T12:00:00+08:00","updated_at":"2026-11-20T12:00:02+08:00"}`,
				tokens.Count("你好")+tokens.Count("再说一次")+2*tokens.Count("好的。"))))
		for _, e := range s.events[:len(s.events)-2] {
			Expect(e.Kind == trace.KindNodeComplete && e.Data != nil).To(BeFalse(), e.Node)
		}
	})

	It("L7: is cut to the newest turns that fit if it cannot be compressed", func() {
		s := newStage(simple)
		s.withReplies("chat", "好")
		s.faults = "compression:server_error"
		t := agent.Turn{Text: "还记得吗", Session: "s"}
		for i := range 6 {
			t.History = append(t.History, agent.Message{Role: "user", Content: fmt.Sprintf("问 %d", i)},
				agent.Message{Role: "assistant", Content: strings.Repeat("说了很多。", 150)})
		}
		reply := s.runTurns(t)[0]
		Expect(s.eventLines(trace.KindNodeError)).To(ContainElement("compression → server_error"))
		Expect(reply.ErrorReply).To(BeNil())
		Expect(s.eventLines(trace.KindFallback)).
			To(Equal([]string{"compression compression→newest_turns context_full"}))
		Expect(said(s.requests["chat"][0])).To(And(HavePrefix("问 4"), HaveSuffix("还记得吗")))
	})

	It("does not contain a turn that failed", func() {
		s := newStage(simple)
		n := 0
		s.replies["chat"] = func(model.Request) model.Answer {
			if n++; n == 1 {
				return model.Answer{}
			}
			return model.Answer{Content: "好"}
		}
		replies := s.runTurns(agent.Turn{Text: "第一句", Session: "s"}, agent.Turn{Text: "第二句", Session: "s"})
		Expect(replies[0].ErrorReply).To(HaveField("Code", "CHAT_FAILED"))
		Expect(said(s.requests["chat"][1])).To(Equal("第二句"))
	})

	It("L5: includes numbered web results with URLs if the request enables the web search", func() {
		s := newStage(simple)
		reply := s.runTurns(with(on("最近有什么关于大模型的新闻"),
			`{"web_search":true,"search_engine":"bocha","search_engine_api_key":"sk-own-key-123"}`))[0]
		observed := s.requests["chat"][0].Messages[0].Text
		Expect(observed).To(MatchRegexp(`\[1\] .+\nhttps?://`))
		Expect(observed).To(And(ContainSubstring("[2] "), ContainSubstring("今天是 2026-11-20"),
			MatchRegexp(`\[1\] .+（20\d\d-\d\d-\d\d）\n`)))
		Expect(reply.Content).To(ContainSubstring("[1]"))
		Expect(s.spans("search")).To(Equal(1))
		for _, e := range s.events {
			if e.Kind == trace.KindSpan && e.Node == "search" {
				Expect(e.Span.Provider).To(Equal("bocha"))
			}
		}
	})

	DescribeTable("L5, L9: continues without web results if the search fails or finds nothing; the prompt contains the reason",
		func(faults, reason, observed string) {
			s := newStage(simple)
			s.faults = faults
			reply := s.runTurns(with(on("最近有什么新闻"), `{"web_search":true}`))[0]
			Expect(reply.ErrorReply).To(BeNil())
			Expect(s.eventLines(trace.KindFallback)).To(Equal([]string{"search search→simple_interaction " + reason}))
			Expect(s.requests["chat"][0].Messages[0].Text).
				To(And(Not(ContainSubstring("[1]")), ContainSubstring(observed), ContainSubstring("今天是 2026-11-20")))
			if reason == "no_results" {
				Expect(s.eventLines(trace.KindNodeError)).To(BeEmpty())
			} else {
				Expect(s.eventLines(trace.KindNodeError)).To(Equal([]string{"search → " + reason}))
			}
		},
		Entry(nil, "search:timeout", "timeout", "联网搜索没有成功"), Entry(nil, "search:auth", "auth", "联网搜索没有成功"),
		Entry(nil, "search:no_balance", "no_balance", "联网搜索没有成功"),
		Entry(nil, "search:empty_content", "no_results", "联网搜索没有找到相关的内容"),
	)
})
