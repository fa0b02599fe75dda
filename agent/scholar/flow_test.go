package scholar_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/llm"
	"evalctl/agent/recall"
	"evalctl/agent/scholar"
	"evalctl/agent/tokens"
	"evalctl/agent/trace"
	"evalctl/mocks/model"
)

// decided tells what was decided, by whom, and what answered.
func decided(r agent.Reply) string {
	return fmt.Sprintf("%s by %s, served %s", r.Predicted, r.Source, r.Served)
}

// A small paper of the library, and a large one, in the stage's window.
const (
	small = "zh-01"
	large = "zh-02"
)

var _ = Describe("The scholar's intent", func() {
	It("L1: is conversation where there are no documents, whatever the request says, and nobody is asked", func() {
		for _, mode := range []string{"", summary, review, critique, qa, simple} {
			s := newStage(qa)
			options := `{}`
			if mode != "" {
				options = `{"mode_type":"` + mode + `"}`
			}
			Expect(decided(s.play(with(on("总结一下"), options))[0])).To(Equal("SIMPLE_INTERACTION by gate, served SIMPLE_INTERACTION"))
			Expect(s.asked["router"]).To(BeEmpty())
			Expect(s.nodes()).To(Equal([]string{"document_check", "simple_interaction", "session_save"}))
			if mode != "" && mode != simple {
				Expect(s.of(trace.KindUnused)).To(Equal([]string{"document_check options.mode_type→SIMPLE_INTERACTION no_documents"}))
			}
		}
	})

	DescribeTable("L1: is that of the request where it names one, and nobody is asked", func(mode, served string) {
		s := newStage(qa)
		Expect(decided(s.play(with(on("嗯", small), `{"mode_type":"`+mode+`"}`))[0])).To(Equal(mode + " by mode, served " + served))
		Expect(s.asked["router"]).To(BeEmpty())
	},
		Entry(nil, summary, summary), Entry(nil, review, review), Entry(nil, critique, critique), Entry(nil, qa, qa), Entry(nil, simple, simple),
	)

	It("L1: is asked of the model with two turns of history, and read leniently", func() {
		s := newStage("").saying("router", "<think>嗯</think>好的：```json\n{'intent':'literature_qa','confidence':0.8,}\n```")
		t := on("学习率是多少", small)
		t.History = []agent.Message{{Role: "user", Content: "一"}, {Role: "assistant", Content: "甲"}, {Role: "user", Content: "二"}, {Role: "assistant", Content: "乙"},
			{Role: "user", Content: "三"}, {Role: "assistant", Content: "丙"}}
		reply := s.play(t)[0]
		Expect(decided(reply)).To(Equal("LITERATURE_QA by llm, served LITERATURE_QA"))
		Expect(*reply.Decider.Confidence).To(Equal(0.8))
		Expect(s.asked["router"]).To(HaveLen(1))
		Expect(said(s.asked["router"][0])).To(Equal("二 乙 三 丙 学习率是多少"))
		Expect(s.asked["router"][0].JSON).To(BeTrue())
	})

	DescribeTable("L1: is asked for three times more where the answer is none, then it is conversation", func(answer, reason string) {
		s := newStage("").saying("router", answer)
		Expect(decided(s.say("学习率是多少", small))).To(Equal("SIMPLE_INTERACTION by gate, served SIMPLE_INTERACTION"))
		Expect(s.asked["router"]).To(HaveLen(4))
		Expect(s.of(trace.KindRetry)).To(HaveExactElements("intent_recognition → "+reason, "intent_recognition → "+reason, "intent_recognition → "+reason))
		Expect(s.of(trace.KindNodeError)).To(Equal([]string{"intent_recognition → " + reason}))
		Expect(s.of(trace.KindFallback)).To(Equal([]string{"intent_recognition intent_recognition→SIMPLE_INTERACTION " + reason}))
		Expect(s.asked["router"][3].Messages[0].Text).To(ContainSubstring("上一次的回答不能用"))
	},
		Entry("no JSON", "文献问答", "invalid_json"),
		Entry("no label", `{"intent":"QA","confidence":0.9}`, "unknown_label"),
		Entry("no intent", `{"label":"LITERATURE_QA"}`, "wrong_schema"),
		Entry("a confidence out of range", `{"intent":"LITERATURE_QA","confidence":1.2}`, "wrong_schema"),
		Entry("nothing", "", "empty"),
	)

	It("L1: is the one of the first answer that is one", func() {
		s := newStage("").saying("router", "嗯", `{"intent":"x"}`, decision(qa))
		Expect(decided(s.say("学习率是多少", small))).To(Equal("LITERATURE_QA by llm, served LITERATURE_QA"))
		Expect(s.asked["router"]).To(HaveLen(3))
		Expect(s.of(trace.KindNodeError)).To(BeEmpty())
	})

	It("L1, L9: is conversation where the call fails, which is told and not tried again", func() {
		s := newStage("")
		s.faults = "router:timeout"
		Expect(decided(s.say("学习率是多少", small))).To(Equal("SIMPLE_INTERACTION by gate, served SIMPLE_INTERACTION"))
		Expect(s.of(trace.KindNodeError)).To(Equal([]string{"intent_recognition → timeout"}))
		Expect(s.spans("intent_recognition")).To(Equal(1))
	})
})

// said are the messages behind the system's.
func said(r model.Request) string {
	var list []string
	for _, m := range r.Messages[1:] {
		list = append(list, m.Text)
	}
	return strings.Join(list, " ")
}

var _ = Describe("The scholar's strategy", func() {
	// matrix is the seed's: intent by no document, a small one, a large one, several.
	matrix := map[string][4]string{
		simple:   {"simple_interaction", "simple_interaction", "simple_interaction", "simple_interaction"},
		summary:  {"simple_interaction", "full_content", "chunk_recall", "multi_doc_summary"},
		review:   {"simple_interaction", "full_content", "chunk_recall", "multi_doc_summary"},
		critique: {"simple_interaction", "full_content", "chunk_recall", "chunk_recall"},
		qa:       {"simple_interaction", "full_content", "chunk_recall", "chunk_recall"},
	}

	It("L3: is that of the matrix", func() {
		for intent, row := range matrix {
			Expect([4]string{scholar.StrategyFor(intent, 0, false), scholar.StrategyFor(intent, 1, true), scholar.StrategyFor(intent, 1, false),
				scholar.StrategyFor(intent, 2, false)}).To(Equal(row), intent)
			Expect(scholar.StrategyFor(intent, 200, true)).To(Equal(row[3]), intent)
		}
	})

	It("L3: is played as the matrix has it, by the nodes that it needs", func() {
		nodes := map[string][]string{
			"simple_interaction": {"simple_interaction"},
			"full_content":       {"strategy_selection", "answer_generation"},
			"chunk_recall":       {"strategy_selection", "sub_question_generation", "plan_generation", "execution", "answer_generation"},
			"multi_doc_summary":  {"strategy_selection", "document_summary", "answer_generation"},
		}
		for intent, row := range matrix {
			for i, papers := range [][]string{{}, {small}, {large}, {small, "en-01"}} {
				s := newStage(intent)
				reply := s.say("请看看", papers...)
				Expect(reply.Failure).To(BeNil())
				Expect(reply.Aspects["strategy"]).To(Equal(row[i]), "%s of %v", intent, papers)
				got := s.nodes()
				Expect(got[0]).To(Equal("document_check"))
				if len(papers) > 0 {
					Expect(got[1]).To(Equal("intent_recognition"))
					got = got[1:]
				}
				Expect(got[1:]).To(Equal(append(append([]string{}, nodes[row[i]]...), "session_save")), "%s of %v", intent, papers)
			}
		}
	})

	It("L2: shows a document as a whole that has less than the share of the room, and no other", func() {
		query := tokens.Count("讲了什么")
		text := "# 题目\n\n" + strings.Repeat("本研究测了七十二个样本。", 60)
		size := tokens.Count(scholar.Readable(text))
		for _, of := range []struct {
			over int
			want string
		}{{-1, "chunk_recall"}, {0, "chunk_recall"}, {1, "full_content"}} {
			s := newStage(summary)
			s.set = func(c *scholar.Config) { c.Direct, c.Context = 0.5, 100+300+query+2*size+2*of.over }
			t := on("讲了什么")
			t.Documents = []agent.Document{{Name: "a.md", Content: text}}
			Expect(s.play(t)[0].Aspects["strategy"]).To(Equal(of.want), "%d over", of.over)
		}
	})

	It("L2: refuses a turn for which there is no room, with the figures", func() {
		s := newStage(summary)
		s.set = func(c *scholar.Config) { c.Context = 401 }
		query := tokens.Count("讲了什么")
		reply := s.say("讲了什么", small)
		Expect(reply.Failure).To(HaveField("Code", "NO_ROOM"))
		Expect(reply.Content).To(Equal(fmt.Sprintf("上下文放不下：窗口 401 − 会话 0 − 提问 %d − 系统提示 100 − 预留回答 300 = %d 个 token，没有空间了。", query, 1-query)))
		Expect(reply.Served).To(Equal("failed"))
		Expect(s.asked).To(BeEmpty())
		Expect(s.stream()).To(Equal("error:request_init "))
	})

	It("L2, L10: takes the window of the request", func() {
		s := newStage(summary)
		Expect(s.play(with(on("讲了什么", large), `{"max_context_tokens":9000}`))[0].Aspects["strategy"]).To(Equal("full_content"))
		s = newStage(summary)
		Expect(s.play(with(on("讲了什么", small), `{"max_context_tokens":1000}`))[0].Aspects["strategy"]).To(Equal("chunk_recall"))
	})
})

var _ = Describe("Passages", func() {
	answering := func(ids ...string) searcher {
		return func(context.Context, recall.Query) (list []recall.Chunk, _ error) {
			for i, id := range ids {
				doc, _, _ := strings.Cut(id, "#")
				list = append(list, recall.Chunk{ID: id, Document: doc, Content: "样本有 " + id + " 个。", Similarity: 0.9 - float64(i)/10})
			}
			return list, nil
		}
	}
	questions := func(list ...[2]string) string {
		type q struct {
			Question string  `json:"question"`
			Doc      *string `json:"doc_id"`
		}
		var all []q
		for _, one := range list {
			own := q{Question: one[0]}
			if one[1] != "" {
				own.Doc = &one[1]
			}
			all = append(all, own)
		}
		raw, err := json.Marshal(map[string]any{"sub_questions": all})
		Expect(err).NotTo(HaveOccurred())
		return string(raw)
	}

	It("L4: are looked for by sub-questions, each in the document that it names, side by side", func() {
		s := newStage(qa).saying("questions", questions([2]string{"用了什么数据", "zh-02"}, [2]string{"学习率", "zh-01"}, [2]string{"结论", ""}))
		reply := s.say("比较一下", "zh-03", "zh-02", "zh-01")
		Expect(s.queries).To(HaveLen(3))
		Expect([][]string{s.queries[0].Documents, s.queries[1].Documents, s.queries[2].Documents}).To(Equal([][]string{{"zh-02"}, {"zh-01"}, {"zh-03", "zh-02", "zh-01"}}))
		Expect(s.took).To(BeNumerically("~", 4e9)) // intent, questions, passages, answer
		Expect(reply.Aspects["targets"]).To(Equal("zh-03,zh-02,zh-01"))
		Expect(reply.Retrieved).NotTo(BeEmpty())
	})

	It("L4: are merged, each once and the best first, and shown as far as there is room", func() {
		s := newStage(qa).saying("questions", questions([2]string{"一", "zh-02"}, [2]string{"二", "zh-03"}))
		s.recall = func(ctx context.Context, q recall.Query) ([]recall.Chunk, error) {
			if q.Documents[0] == "zh-02" {
				return []recall.Chunk{{ID: "zh-02#1", Document: "zh-02", Content: "甲", Similarity: 0.5}, {ID: "zh-02#2", Content: strings.Repeat("长", 5000), Similarity: 0.4}}, nil
			}
			return []recall.Chunk{{ID: "zh-03#1", Document: "zh-03", Content: "乙", Similarity: 0.7}, {ID: "zh-02#1", Document: "zh-02", Content: "甲", Similarity: 0.6}}, nil
		}
		reply := s.say("比较一下", "zh-02", "zh-03")
		Expect(reply.Retrieved).To(Equal([]agent.Hit{{ID: "zh-03#1", Similarity: 0.7}, {ID: "zh-02#1", Similarity: 0.6}, {ID: "zh-02#2", Similarity: 0.4}}))
		Expect(s.of(trace.KindUnused)).To(Equal([]string{"execution zh-02#2→ no_room"}))
		told := s.asked["answer"][0].Messages[0].Text
		Expect(told).To(MatchRegexp(`(?s)\[zh-03#1\] .*乙.*\[zh-02#1\] .*甲`))
		Expect(told).NotTo(ContainSubstring("长长"))
	})

	DescribeTable("L4: are those of the user's own question where there are no sub-questions", func(answer, faults, reason string) {
		s := newStage(qa).saying("questions", answer)
		s.faults = faults
		reply := s.say("样本有多少", large)
		Expect(decided(reply)).To(Equal("LITERATURE_QA by llm, served LITERATURE_QA"))
		Expect(s.queries).To(HaveLen(1))
		Expect(s.queries[0].Question).To(Equal("样本有多少"))
		Expect(s.of(trace.KindNodeError)).To(Equal([]string{"sub_question_generation → " + reason}))
		Expect(s.of(trace.KindFallback)).To(ContainElement("sub_question_generation sub_question_generation→user_question " + reason))
	},
		Entry("none", `{"sub_questions":[]}`, "", "wrong_schema"),
		Entry("blank ones", `{"sub_questions":[{"question":"  "},{"doc_id":"zh-02"}]}`, "", "wrong_schema"),
		Entry("no JSON", `没有`, "", "invalid_json"),
		Entry("a list of nothing that can be asked", `{"sub_questions":[{"question":7}]}`, "", "wrong_schema"),
		Entry("a failed call", "", "questions:server_error", "server"),
	)

	It("L4: of a document that nobody knows are those of all, and an event", func() {
		s := newStage(qa).saying("questions", questions([2]string{"样本", "zh-99"}))
		reply := s.say("样本有多少", "zh-02", "zh-03")
		Expect(s.queries[0].Documents).To(Equal([]string{"zh-02", "zh-03"}))
		Expect(s.of(trace.KindUnused)).To(Equal([]string{"sub_question_generation doc_id→all unknown_document"}))
		Expect(reply.Aspects["targets"]).To(Equal("zh-02,zh-03"))
	})

	It("L4: are asked for by twenty questions at most, each once", func() {
		var many [][2]string
		for i := range 30 {
			many = append(many, [2]string{fmt.Sprintf("问题 %d", i), ""}, [2]string{fmt.Sprintf("问题 %d", i), ""})
		}
		s := newStage(qa).saying("questions", questions(many...))
		s.say("样本有多少", large)
		Expect(s.queries).To(HaveLen(20))
		Expect(s.of(trace.KindUnused)).To(ContainElement("sub_question_generation sub_questions→ too_many"))
	})

	It("L4, L9: of a step that fails are missing, and the others answer", func() {
		s := newStage(qa).saying("questions", questions([2]string{"一", "zh-02"}, [2]string{"二", "zh-03"}))
		s.recall = func(ctx context.Context, q recall.Query) ([]recall.Chunk, error) {
			if q.Documents[0] == "zh-02" {
				panic("broken")
			}
			return answering("zh-03#1")(ctx, q)
		}
		reply := s.say("比较一下", "zh-02", "zh-03")
		Expect(reply.Failure).To(BeNil())
		Expect(s.of(trace.KindNodeError)).To(Equal([]string{"execution 一→ panic"}))
		Expect(reply.Retrieved).To(HaveLen(1))
	})

	It("L9: that cannot be looked for at all are apologised for", func() {
		s := newStage(qa)
		s.recall = func(context.Context, recall.Query) ([]recall.Chunk, error) { return nil, fmt.Errorf("down") }
		reply := s.say("how many samples", large)
		Expect(reply.Failure).To(HaveField("Code", "RECALL_FAILED"))
		Expect(reply.Failure.Node).To(Equal("execution"))
		Expect(reply.Content).To(HavePrefix("Sorry, the documents could not be searched"))
		Expect(decided(reply)).To(Equal("LITERATURE_QA by llm, served failed"))
		Expect(s.asked["answer"]).To(BeEmpty())
		Expect(s.stream()).To(HaveSuffix("node_error:execution error:execution "))
	})

	DescribeTable("L9, L10: that the service refuses to look for are told by the parameters that may be wrong", func(options, told string) {
		s := newStage(qa)
		s.recall = func(context.Context, recall.Query) ([]recall.Chunk, error) {
			return nil, &llm.Error{Kind: llm.KindBadRequest, Provider: "ragflow", Message: "You don't own the dataset nope."}
		}
		reply := s.play(with(on("样本有多少", large), options))[0]
		Expect(reply.Failure).To(And(HaveField("Code", "RECALL_FAILED"), HaveField("Reason", "bad_request")))
		Expect(reply.Content).To(ContainSubstring(told))
	},
		Entry(nil, `{"recall_index_names":["nope"]}`, "请检查 recall_index_names 的取值"),
		Entry(nil, `{"recall_use_rerank":true,"recall_index_names":["nope"]}`, "请检查 recall_index_names、recall_use_rerank 的取值"),
		Entry("the settings", `{}`, "检查检索的设置（如 datasets）"),
	)

	It("L4: that there are none of are told to the model, which says so", func() {
		s := newStage(qa)
		s.recall = answering()
		reply := s.say("样本有多少", large)
		Expect(s.asked["answer"][0].Messages[0].Text).To(ContainSubstring("检索没有找到相关的内容"))
		Expect(reply.Content).To(ContainSubstring("没有找到"))
		Expect(s.of(trace.KindFallback)).To(Equal([]string{"execution recall→answer_generation nothing_found"}))
		Expect(decided(reply)).To(HaveSuffix("served LITERATURE_QA"))
	})

	It("L4, L5: of documents that came with the turn are found in them, beside those of the library", func() {
		s := newStage(qa).saying("questions", questions([2]string{"灰喜鹊的巢高", ""}))
		t := on("灰喜鹊的巢有多高", large)
		t.Documents = []agent.Document{{Name: "记录.md", Content: "# 记录\n\n## 观察\n\n灰喜鹊的巢高平均 6.4 米。\n\n## 天气\n\n晴。"}, {Name: "空.txt", Content: "\x00\x01 "}}
		reply := s.play(t)[0]
		Expect(reply.Retrieved[0].ID).To(Equal("记录.md#1"))
		Expect(s.queries[0].Documents).To(Equal([]string{large}))
		Expect(s.of(trace.KindUnused)).To(ContainElement("strategy_selection 空.txt→ empty_document"))
		Expect(reply.Content).To(ContainSubstring("6.4 米"))
	})

	It("L10: are looked for as the request says", func() {
		s := newStage(qa)
		s.play(with(on("样本有多少", large), `{"recall_top_n":3,"recall_similarity_threshold":0.5,"recall_vector_similarity_weight":0,"recall_use_rerank":true,"recall_index_names":["a","b"]}`))
		Expect(s.queries[0]).To(Equal(recall.Query{Question: "样本有多少", Documents: []string{large}, Datasets: []string{"a", "b"}, TopN: 3,
			Threshold: new(0.5), VectorWeight: new(0.0), Rerank: recall.DefaultReranker}))
	})
})
