package scholar_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/recall"
	"evalctl/agent/trace"
)

var _ = DescribeTable("31.7: The scholar traces the sources that an answer cites, and those that were not shown",
	func(answer, want string) {
		s := newStage(qa).withReplies("answer", answer).withReplies("sub_questions", `{"sub_questions":["样本有多少"]}`)
		s.recall = func(context.Context, recall.Query) ([]recall.Chunk, error) {
			return []recall.Chunk{{ID: "zh-02#1.2", DocumentID: "zh-02", Content: "样本有 7 个。", Similarity: 0.9},
				{ID: "zh-03#4", DocumentID: "zh-03", Content: "样本有 9 个。", Similarity: 0.8}}, nil
		}
		t := on("样本各有多少", "zh-02", "zh-03", "zh-04")
		t.History = []agent.Message{{Role: "user", Content: "问"}, {Role: "assistant", Content: "答 [en-05#2]。"}}
		s.runTurns(t)
		got := ""
		for _, e := range s.events {
			if e.Kind == trace.KindCitations {
				got += e.Reason + string(e.Data)
			}
		}
		Expect(got).To(Equal(want))
	},
	Entry("passages", "7 个 [zh-02#1.2]，9 个【zh-03#4】。", `{"count":2}`),
	Entry("the section of a passage, and its document", "7 个 [zh-02#1]，[zh-03]。", `{"count":2}`),
	Entry("each source once", "7 个 [zh-02#1]。又是 [zh-02#1]。", `{"count":1}`),
	Entry("a list", "有的是 [zh-02#1.2; zh-03#4、zh-03#5]。", `not_shown{"count":3,"not_shown":["zh-03#5"]}`),
	Entry("a source of the conversation", "上次说过 [en-05#2]。", `{"count":1}`),
	Entry("a document without a passage", "见 [zh-04]。", `not_shown{"count":1,"not_shown":["zh-04"]}`),
	Entry("a document that does not exist", "见 [zh-99]。", `not_shown{"count":1,"not_shown":["zh-99"]}`),
	Entry("full-width brackets", "见 ［zh-99#1］。", `not_shown{"count":1,"not_shown":["zh-99#1"]}`),
	Entry("nothing: other brackets are no citations", "见 [表 2]、[1]、[sic]、[原文](http://x/zh-99) 和 x[0]。", ""),
	Entry("nothing", "没有找到。", ""),
)

var _ = It("31.7: A citation of any section is valid if the model has read the whole document", func() {
	s := newStage(qa).withReplies("answer", "7 人 [a.md#3]，[b.md]。")
	t := on("样本有多少")
	t.Documents = []agent.Document{{Name: "a.md", Content: "# 甲\n\n样本有 7 人。"}}
	s.runTurns(t)
	Expect(s.eventLines(trace.KindCitations)).To(Equal([]string{"answer_generation →"}))
})
