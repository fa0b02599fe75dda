package scholar_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/scholar"
	"evalctl/agent/tokens"
	"evalctl/agent/trace"
	"evalctl/mocks/model"
)

// decided returns the intent, what determined it, and the route that answered, as one line.
func decided(r agent.Reply) string {
	return fmt.Sprintf("%s by %s, served %s", r.Predicted, r.DecidedBy, r.AnsweredBy)
}

// IDs of two papers in the library. In a stage's context window, small fits as a whole and large
// does not.
const (
	small = "zh-01"
	large = "zh-02"
)

var _ = Describe("The intent of a message to the scholar", func() {
	It("L1: is conversation without a model call if there are no documents, whatever mode the request sets", func() {
		for _, mode := range []string{"", summary, review, critique, qa, simple} {
			s := newStage(qa)
			options := `{}`
			if mode != "" {
				options = `{"mode_type":"` + mode + `"}`
			}
			Expect(decided(s.runTurns(with(on("总结一下"), options))[0])).
				To(Equal("SIMPLE_INTERACTION by guard, served SIMPLE_INTERACTION"))
			Expect(s.requests["router"]).To(BeEmpty())
			Expect(s.nodes()).To(Equal([]string{"document_check", "simple_interaction", "session_save"}))
			if mode != "" && mode != simple {
				Expect(s.eventLines(trace.KindIgnoredInput)).
					To(Equal([]string{"document_check options.mode_type→SIMPLE_INTERACTION no_documents"}))
			}
		}
	})

	DescribeTable("L1: is the mode that the request sets, without a model call", func(mode, served string) {
		s := newStage(qa)
		Expect(decided(s.runTurns(with(on("嗯", small), `{"mode_type":"`+mode+`"}`))[0])).
			To(Equal(mode + " by mode_type, served " + served))
		Expect(s.requests["router"]).To(BeEmpty())
	},
		Entry(nil, summary, summary), Entry(nil, review, review), Entry(nil, critique, critique), Entry(nil, qa, qa),
		Entry(nil, simple, simple),
	)

	It("L1: is determined by a model from the message and two earlier turns; deviations from the requested JSON are accepted", func() {
		s := newStage("").withReplies("router",
			"<think>嗯</think>好的：```json\n{'intent':'literature_qa','confidence':0.8,}\n```")
		t := on("学习率是多少", small)
		t.History = []agent.Message{{Role: "user", Content: "一"}, {Role: "assistant", Content: "甲"},
			{Role: "user", Content: "二"}, {Role: "assistant", Content: "乙"},
			{Role: "user", Content: "三"}, {Role: "assistant", Content: "丙"}}
		reply := s.runTurns(t)[0]
		Expect(decided(reply)).To(Equal("LITERATURE_QA by llm, served LITERATURE_QA"))
		Expect(*reply.ModelDecision.Confidence).To(Equal(0.8))
		Expect(s.requests["router"]).To(HaveLen(1))
		Expect(said(s.requests["router"][0])).To(Equal("二 乙 三 丙 学习率是多少"))
		Expect(s.requests["router"][0].RequiresJSON).To(BeTrue())
	})

	DescribeTable("L1: is conversation after four invalid answers of the model",
		func(answer, reason string) {
			s := newStage("").withReplies("router", answer)
			Expect(decided(s.runText("学习率是多少", small))).
				To(Equal("SIMPLE_INTERACTION by guard, served SIMPLE_INTERACTION"))
			Expect(s.requests["router"]).To(HaveLen(4))
			Expect(s.eventLines(trace.KindRetry)).
				To(HaveExactElements("intent_recognition → "+reason, "intent_recognition → "+reason,
					"intent_recognition → "+reason))
			Expect(s.eventLines(trace.KindNodeError)).To(Equal([]string{"intent_recognition → " + reason}))
			Expect(s.eventLines(trace.KindFallback)).
				To(Equal([]string{"intent_recognition intent_recognition→SIMPLE_INTERACTION " + reason}))
			Expect(s.requests["router"][3].Messages[0].Text).To(ContainSubstring("上一次的回答不能用"))
		},
		Entry("an answer that is not JSON", "文献问答", "malformed_json"),
		Entry("an unknown label", `{"intent":"QA","confidence":0.9}`, "unknown_label"),
		Entry("JSON without the field intent", `{"label":"LITERATURE_QA"}`, "wrong_schema"),
		Entry("a confidence out of range", `{"intent":"LITERATURE_QA","confidence":1.2}`, "wrong_schema"),
		Entry("an empty answer", "", "empty_content"),
	)

	It("L1: is taken from the model's first valid answer after invalid answers", func() {
		s := newStage("").withReplies("router", "嗯", `{"intent":"x"}`, decision(qa))
		Expect(decided(s.runText("学习率是多少", small))).To(Equal("LITERATURE_QA by llm, served LITERATURE_QA"))
		Expect(s.requests["router"]).To(HaveLen(3))
		Expect(s.eventLines(trace.KindNodeError)).To(BeEmpty())
	})

	It("L1, L9: is conversation after a failed model call, which is traced and not retried", func() {
		s := newStage("")
		s.faults = "router:timeout"
		Expect(decided(s.runText("学习率是多少", small))).To(Equal("SIMPLE_INTERACTION by guard, served SIMPLE_INTERACTION"))
		Expect(s.eventLines(trace.KindNodeError)).To(Equal([]string{"intent_recognition → timeout"}))
		Expect(s.spans("intent_recognition")).To(Equal(1))
	})
})

// said returns the texts of a request after the system prompt.
func said(r model.Request) string {
	var list []string
	for _, m := range r.Messages[1:] {
		list = append(list, m.Text)
	}
	return strings.Join(list, " ")
}

var _ = Describe("The scholar's strategy to collect content", func() {
	// matrix is the specification: the strategy for each intent, without documents, with a small
	// one, with a large one, and with several.
	matrix := map[string][4]string{
		simple:   {"simple_interaction", "simple_interaction", "simple_interaction", "simple_interaction"},
		summary:  {"simple_interaction", "full_content", "chunk_recall", "multi_doc_summary"},
		review:   {"simple_interaction", "full_content", "chunk_recall", "multi_doc_summary"},
		critique: {"simple_interaction", "full_content", "chunk_recall", "chunk_recall"},
		qa:       {"simple_interaction", "full_content", "chunk_recall", "chunk_recall"},
	}

	It("L3: is the one that the specification lists for the intent and the documents", func() {
		for intent, row := range matrix {
			Expect([4]string{scholar.StrategyFor(intent, 0, false), scholar.StrategyFor(intent, 1, true),
				scholar.StrategyFor(intent, 1, false),
				scholar.StrategyFor(intent, 2, false)}).To(Equal(row), intent)
			Expect(scholar.StrategyFor(intent, 200, true)).To(Equal(row[3]), intent)
		}
	})

	It("L3: determines which nodes run", func() {
		nodes := map[string][]string{
			"simple_interaction": {"simple_interaction"},
			"full_content":       {"strategy_selection", "answer_generation"},
			"chunk_recall": {"strategy_selection", "sub_question_generation", "plan_generation", "execution",
				"answer_generation"},
			"multi_doc_summary": {"strategy_selection", "document_summary", "answer_generation"},
		}
		for intent, row := range matrix {
			for i, papers := range [][]string{{}, {small}, {large}, {small, "en-01"}} {
				s := newStage(intent)
				reply := s.runText("请看看", papers...)
				Expect(reply.ErrorReply).To(BeNil())
				Expect(reply.Attributes["strategy"]).To(Equal(row[i]), "%s of %v", intent, papers)
				got := s.nodes()
				Expect(got[0]).To(Equal("document_check"))
				if len(papers) > 0 {
					Expect(got[1]).To(Equal("intent_recognition"))
					got = got[1:]
				}
				Expect(got[1:]).To(Equal(append(append([]string{}, nodes[row[i]]...), "session_save")),
					"%s of %v", intent, papers)
			}
		}
	})

	It("L2: uses a single document as a whole only if it is smaller than the configured part of the available tokens",
		func() {
			query := tokens.Count("讲了什么")
			text := "# 题目\n\n" + strings.Repeat("本研究测了七十二个样本。", 60)
			size := tokens.Count(scholar.Readable(text))
			for _, of := range []struct {
				over int
				want string
			}{{-1, "chunk_recall"}, {0, "chunk_recall"}, {1, "full_content"}} {
				s := newStage(summary)
				s.set = func(c *scholar.Config) {
					c.FullTextShare, c.ContextTokens = 0.5, 100+300+
						query+2*size+2*of.over
				}
				t := on("讲了什么")
				t.Documents = []agent.Document{{Name: "a.md", Content: text}}
				Expect(s.runTurns(t)[0].Attributes["strategy"]).To(Equal(of.want), "%d over", of.over)
			}
		})

	It("L2: is not selected if no tokens remain for documents; the error reply contains the numbers", func() {
		s := newStage(summary)
		s.set = func(c *scholar.Config) { c.ContextTokens = 401 }
		query := tokens.Count("讲了什么")
		reply := s.runText("讲了什么", small)
		Expect(reply.ErrorReply).To(HaveField("Code", "NO_ROOM"))
		Expect(reply.Content).To(
			Equal(fmt.Sprintf("上下文放不下：窗口 401 − 会话 0 − 提问 %d − 系统提示 100 − 预留回答 300 = %d 个 token，没有空间了。",
				query, 1-query)))
		Expect(reply.AnsweredBy).To(Equal("failed"))
		Expect(s.requests).To(BeEmpty())
		Expect(s.stream()).To(Equal("error:request_init "))
	})

	It("L2, L10: depends on the context window that the request sets", func() {
		s := newStage(summary)
		Expect(s.runTurns(with(on("讲了什么", large), `{"max_context_tokens":9000}`))[0].Attributes["strategy"]).
			To(Equal("full_content"))
		s = newStage(summary)
		Expect(s.runTurns(with(on("讲了什么", small), `{"max_context_tokens":1000}`))[0].Attributes["strategy"]).
			To(Equal("chunk_recall"))
	})
})
