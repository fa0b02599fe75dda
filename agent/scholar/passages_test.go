package scholar_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/llm"
	"evalctl/agent/recall"
	"evalctl/agent/scholar"
	"evalctl/agent/trace"
)

var _ = Describe("The passages for an answer of the scholar", func() {
	answering := func(ids ...string) searcher {
		return func(context.Context, recall.Query) (list []recall.Chunk, _ error) {
			for i, id := range ids {
				doc, _, _ := strings.Cut(id, "#")
				list = append(list, recall.Chunk{ID: id, DocumentID: doc, Content: "样本有 " + id + " 个。",
					Similarity: 0.9 - float64(i)/10})
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

	It("L4: are searched concurrently, for each sub-question in the document that it names", func() {
		s := newStage(qa).withReplies("sub_questions",
			questions([2]string{"用了什么数据", "zh-02"}, [2]string{"学习率", "zh-01"}, [2]string{"结论", ""}))
		reply := s.runText("比较一下", "zh-03", "zh-02", "zh-01")
		Expect(s.queries).To(HaveLen(3))
		Expect([][]string{s.queries[0].Documents, s.queries[1].Documents, s.queries[2].Documents}).
			To(Equal([][]string{{"zh-02"}, {"zh-01"}, {"zh-03", "zh-02", "zh-01"}}))
		// one second each for intent, sub-questions, passages and answer
		Expect(s.duration).To(BeNumerically("~", 4e9))
		Expect(reply.Attributes["targets"]).To(Equal("zh-03,zh-02,zh-01"))
		Expect(reply.Retrieved).NotTo(BeEmpty())
	})

	It("L4: are merged without duplicates, best first, as many as fit into the prompt", func() {
		s := newStage(qa).withReplies("sub_questions", questions([2]string{"一", "zh-02"}, [2]string{"二", "zh-03"}))
		s.recall = func(ctx context.Context, q recall.Query) ([]recall.Chunk, error) {
			if q.Documents[0] == "zh-02" {
				return []recall.Chunk{{ID: "zh-02#1", DocumentID: "zh-02", Content: "甲", Similarity: 0.5},
					{ID: "zh-02#2", Content: strings.Repeat("长", 5000), Similarity: 0.4}}, nil
			}
			return []recall.Chunk{{ID: "zh-03#1", DocumentID: "zh-03", Content: "乙", Similarity: 0.7},
				{ID: "zh-02#1", DocumentID: "zh-02", Content: "甲", Similarity: 0.6}}, nil
		}
		reply := s.runText("比较一下", "zh-02", "zh-03")
		Expect(reply.Retrieved).
			To(Equal([]agent.Hit{{ID: "zh-03#1", Similarity: 0.7}, {ID: "zh-02#1", Similarity: 0.6},
				{ID: "zh-02#2", Similarity: 0.4}}))
		Expect(s.eventLines(trace.KindIgnoredInput)).To(Equal([]string{"execution zh-02#2→ context_full"}))
		observed := s.requests["answer"][0].Messages[0].Text
		Expect(observed).To(MatchRegexp(`(?s)\[zh-03#1\] .*乙.*\[zh-02#1\] .*甲`))
		Expect(observed).NotTo(ContainSubstring("长长"))
	})

	DescribeTable("L4: are searched with the user's message if the model returns no sub-questions",
		func(answer, faults, reason string) {
			s := newStage(qa).withReplies("sub_questions", answer)
			s.faults = faults
			reply := s.runText("样本有多少", large)
			Expect(decided(reply)).To(Equal("LITERATURE_QA by llm, served LITERATURE_QA"))
			Expect(s.queries).To(HaveLen(1))
			Expect(s.queries[0].Question).To(Equal("样本有多少"))
			Expect(s.eventLines(trace.KindNodeError)).To(Equal([]string{"sub_question_generation → " + reason}))
			Expect(s.eventLines(trace.KindFallback)).
				To(ContainElement("sub_question_generation sub_question_generation→user_question " + reason))
		},
		Entry("an empty list of sub-questions", `{"sub_questions":[]}`, "", "wrong_schema"),
		Entry("blank sub-questions", `{"sub_questions":[{"question":"  "},{"doc_id":"zh-02"}]}`, "", "wrong_schema"),
		Entry("an answer that is not JSON", `没有`, "", "malformed_json"),
		Entry("a number as a sub-question", `{"sub_questions":[{"question":7}]}`, "", "wrong_schema"),
		Entry("a failed call", "", "sub_questions:server_error", "server_error"),
	)

	It("L4: are searched in all documents if a sub-question names an unknown document; this is traced", func() {
		s := newStage(qa).withReplies("sub_questions", questions([2]string{"样本", "zh-99"}))
		reply := s.runText("样本有多少", "zh-02", "zh-03")
		Expect(s.queries[0].Documents).To(Equal([]string{"zh-02", "zh-03"}))
		Expect(s.eventLines(trace.KindIgnoredInput)).
			To(Equal([]string{"sub_question_generation doc_id→all unknown_document"}))
		Expect(reply.Attributes["targets"]).To(Equal("zh-02,zh-03"))
	})

	It("L4: are searched with at most twenty different sub-questions", func() {
		var many [][2]string
		for i := range 30 {
			many = append(many, [2]string{fmt.Sprintf("问题 %d", i), ""}, [2]string{fmt.Sprintf("问题 %d", i), ""})
		}
		s := newStage(qa).withReplies("sub_questions", questions(many...))
		s.runText("样本有多少", large)
		Expect(s.queries).To(HaveLen(20))
		Expect(s.eventLines(trace.KindIgnoredInput)).
			To(ContainElement("sub_question_generation sub_questions→ too_many"))
	})

	It("L4, L9: are those of the successful searches if one search fails", func() {
		s := newStage(qa).withReplies("sub_questions", questions([2]string{"一", "zh-02"}, [2]string{"二", "zh-03"}))
		s.recall = func(ctx context.Context, q recall.Query) ([]recall.Chunk, error) {
			if q.Documents[0] == "zh-02" {
				panic("broken")
			}
			return answering("zh-03#1")(ctx, q)
		}
		reply := s.runText("比较一下", "zh-02", "zh-03")
		Expect(reply.ErrorReply).To(BeNil())
		Expect(s.eventLines(trace.KindNodeError)).To(Equal([]string{"execution 一→ panic"}))
		Expect(reply.Retrieved).To(HaveLen(1))
	})

	It("L9: are replaced by an error reply if every search fails", func() {
		s := newStage(qa)
		s.recall = func(context.Context, recall.Query) ([]recall.Chunk, error) { return nil, fmt.Errorf("down") }
		reply := s.runText("how many samples", large)
		Expect(reply.ErrorReply).To(HaveField("Code", "RECALL_FAILED"))
		Expect(reply.ErrorReply.Node).To(Equal("execution"))
		Expect(reply.Content).To(HavePrefix("Sorry, the documents could not be searched"))
		Expect(decided(reply)).To(Equal("LITERATURE_QA by llm, served failed"))
		Expect(s.requests["answer"]).To(BeEmpty())
		Expect(s.stream()).To(HaveSuffix("node_error:execution error:execution "))
	})

	DescribeTable("L9, L10: are replaced by an error reply if the retrieval service rejects the query; the reply names the retrieval parameters of the request",
		func(options, observed string) {
			s := newStage(qa)
			s.recall = func(context.Context, recall.Query) ([]recall.Chunk, error) {
				return nil, &llm.Error{Kind: llm.KindBadRequest, Provider: "ragflow",
					Message: "You don't own the dataset nope."}
			}
			reply := s.runTurns(with(on("样本有多少", large), options))[0]
			Expect(reply.ErrorReply).To(And(HaveField("Code", "RECALL_FAILED"), HaveField("Cause", "bad_request")))
			Expect(reply.Content).To(ContainSubstring(observed))
		},
		Entry(nil, `{"recall_index_names":["nope"]}`, "请检查 recall_index_names 的取值"),
		Entry(nil, `{"recall_use_rerank":true,"recall_index_names":["nope"]}`,
			"请检查 recall_index_names、recall_use_rerank 的取值"),
		Entry("no parameters in the request, so the reply mentions the settings", `{}`, "检查检索的设置（如 datasets）"),
	)

	It("L4: are reported as missing to the model and the user if nothing was found", func() {
		s := newStage(qa)
		s.recall = answering()
		reply := s.runText("样本有多少", large)
		Expect(s.requests["answer"][0].Messages[0].Text).To(ContainSubstring("检索没有找到相关的内容"))
		Expect(reply.Content).To(ContainSubstring("没有找到"))
		Expect(s.eventLines(trace.KindFallback)).
			To(Equal([]string{"execution retrieval→no_threshold no_results",
				"execution retrieval→answer_generation no_results"}))
		Expect(decided(reply)).To(HaveSuffix("served LITERATURE_QA"))
	})

	It("L4: are those of a second search without a similarity threshold if the first search of a step found nothing",
		func() {
			s := newStage(qa).withReplies("sub_questions", questions([2]string{"一", "zh-02"}, [2]string{"二", "zh-03"}))
			s.recall = func(ctx context.Context, q recall.Query) ([]recall.Chunk, error) {
				if q.Documents[0] == "zh-02" && q.ThresholdOrDefault() > 0 {
					return nil, nil
				}
				return answering(q.Documents[0]+"#1")(ctx, q)
			}
			reply := s.runText("比较一下", "zh-02", "zh-03")
			Expect(s.queries).To(HaveLen(3))
			again := s.queries[0]
			again.Threshold = new(0.0)
			Expect(s.queries[2]).To(Equal(again))
			Expect(s.eventLines(trace.KindFallback)).To(Equal([]string{"execution retrieval→no_threshold no_results"}))
			Expect(s.requests["answer"][0].Messages[0].Text).
				To(And(ContainSubstring("[zh-02#1]"), Not(ContainSubstring("检索没有找到"))))
			Expect(reply.Retrieved).To(HaveLen(2))
		})

	It("L4: require at most two searches per step, within the limit on concurrent calls", func() {
		var many [][2]string
		for i := range 20 {
			many = append(many, [2]string{fmt.Sprintf("问题 %d", i), ""})
		}
		s := newStage(qa).withReplies("sub_questions", questions(many...))
		s.set = func(c *scholar.Config) { c.MaxCalls = 4 }
		s.recall = answering()
		s.runText("样本有多少", large)
		Expect(s.queries).To(HaveLen(2 * 20))
		// one second each for intent, sub-questions, answer, and every four searches
		Expect(s.duration).To(Equal((3 + 2*20/4) * time.Second))
		Expect(s.eventLines(trace.KindFallback)).To(HaveLen(20 + 1))
	})

	DescribeTable("L4: are not searched a second time if a search without a similarity threshold cannot help",
		func(threshold string, fails bool) {
			s := newStage(qa)
			s.recall = func(ctx context.Context, q recall.Query) ([]recall.Chunk, error) {
				if fails {
					return nil, fmt.Errorf("down")
				}
				return nil, nil
			}
			s.runTurns(with(on("样本有多少", large), `{"recall_similarity_threshold":`+threshold+`}`))
			Expect(s.queries).To(HaveLen(1))
		},
		Entry("the first search already had no threshold", "0", false),
		Entry("the first search failed", "0.2", true),
	)

	It("L4, L9: are reported as missing if the first search found nothing and the second one fails", func() {
		s := newStage(qa)
		s.recall = func(_ context.Context, q recall.Query) ([]recall.Chunk, error) {
			if q.ThresholdOrDefault() > 0 {
				return nil, nil
			}
			return nil, fmt.Errorf("down")
		}
		reply := s.runText("样本有多少", large)
		Expect(reply.ErrorReply).To(BeNil())
		Expect(s.eventLines(trace.KindNodeError)).To(Equal([]string{"execution 样本有多少→ error"}))
		Expect(s.requests["answer"][0].Messages[0].Text).To(ContainSubstring("检索没有找到相关的内容"))
	})

	It("L4, L5: come from attached documents and papers of the library together", func() {
		s := newStage(qa).withReplies("sub_questions", questions([2]string{"灰喜鹊的巢高", ""}))
		t := on("灰喜鹊的巢有多高", large)
		t.Documents = []agent.Document{{Name: "记录.md", Content: "# 记录\n\n## 观察\n\n灰喜鹊的巢高平均 6.4 米。\n\n## 天气\n\n晴。"},
			{Name: "空.txt", Content: "\x00\x01 "}}
		reply := s.runTurns(t)[0]
		Expect(reply.Retrieved[0].ID).To(Equal("记录.md#1"))
		Expect(s.queries[0].Documents).To(Equal([]string{large}))
		Expect(s.eventLines(trace.KindIgnoredInput)).To(ContainElement("strategy_selection 空.txt→ empty_document"))
		Expect(reply.Content).To(ContainSubstring("6.4 米"))
	})

	It("L10: are searched with the parameters of the request", func() {
		s := newStage(qa)
		s.runTurns(with(on("样本有多少", large),
			`{"recall_top_n":3,"recall_similarity_threshold":0.5,"recall_vector_similarity_weight":0,"recall_use_rerank":true,"recall_index_names":["a","b"]}`))
		Expect(s.queries[0]).To(
			Equal(recall.Query{Question: "样本有多少", Documents: []string{large}, Datasets: []string{"a", "b"}, TopN: 3,
				Threshold: new(0.5), VectorWeight: new(0.0), Reranker: recall.DefaultReranker}))
	})
})
