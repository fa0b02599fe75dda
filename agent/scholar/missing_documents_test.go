package scholar_test

import (
	"context"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/recall"
	"evalctl/agent/trace"
	"evalctl/mocks/model"
)

var _ = Describe("The documents that an answer of the scholar does not cover", func() {
	It("L4 L9: are listed for the model and the user by reason: failed search, no search result, or no question about them",
		func() {
			s := newStage(qa).withReplies("sub_questions",
				`{"sub_questions":[{"question":"一","doc_id":"zh-02"},{"question":"二","doc_id":"zh-03"},{"question":"三","doc_id":"zh-04"}]}`)
			s.recall = func(ctx context.Context, q recall.Query) ([]recall.Chunk, error) {
				switch q.Documents[0] {
				case "zh-03":
					return nil, nil
				case "zh-04":
					return nil, fmt.Errorf("down")
				}
				return []recall.Chunk{{ID: "zh-02#1", DocumentID: "zh-02", Content: "样本有 7 个。", Similarity: 0.9}}, nil
			}
			t := on("比较一下", "zh-01", "zh-02", "zh-03", "zh-04")
			t.Documents = []agent.Document{{Name: "空.txt", Content: "\x00\x01"}}
			reply := s.runTurns(t)[0]
			title := func(id string) string {
				_, rest, _ := strings.Cut(s.requests["sub_questions"][0].Messages[0].Text, "- "+id+"：")
				name, _, _ := strings.Cut(rest, "\n")
				return "[" + id + "] 《" + name + "》"
			}
			Expect(reply.Content).To(HaveSuffix("\n\n（以下文献检索失败：" + title("zh-04") + "）" +
				"\n\n（以下文献未检索到相关内容：" + title("zh-03") + "、[空.txt] 《空.txt》）" +
				"\n\n（以下文献没有检索：" + title("zh-01") + "）"))
			observed := s.requests["answer"][0].Messages[0].Text
			for _, id := range []string{"zh-01", "zh-03", "zh-04"} {
				Expect(observed).To(ContainSubstring(title(id)))
			}
			Expect(s.eventLines(trace.KindIgnoredInput)).To(ContainElement("plan_generation documents→ not_requested"))
			Expect(s.text(trace.KindChunk)).To(Equal(reply.Content))
		})

	It("L9: include a document whose search failed in a step that also searches other documents", func() {
		s := newStage(qa).withReplies("sub_questions", `{"sub_questions":["样本有多少"]}`)
		s.recall = func(context.Context, recall.Query) ([]recall.Chunk, error) { return nil, fmt.Errorf("down") }
		t := on("样本各有多少", "zh-02")
		t.Documents = []agent.Document{{Name: "a.md", Content: "# 甲\n\n样本有 7 人。"}}
		reply := s.runTurns(t)[0]
		Expect(reply.ErrorReply).To(BeNil())
		Expect(reply.Content).To(MatchRegexp(`（以下文献检索失败：\[zh-02\] 《[^》]+》）$`))
	})

	It("31.7: include the documents without a hit if one step searches several documents together", func() {
		s := newStage(qa).withReplies("sub_questions", `{"sub_questions":["样本有多少"]}`)
		s.recall = func(context.Context, recall.Query) ([]recall.Chunk, error) {
			return []recall.Chunk{{ID: "zh-02#1", DocumentID: "zh-02", Content: "样本有 7 个。", Similarity: 0.9},
				{ID: "zh-04#1", DocumentID: "zh-04", Content: strings.Repeat("样本有很多。", 1000), Similarity: 0.8}}, nil
		}
		Expect(s.runText("样本各有多少", "zh-02", "zh-03", "zh-04").Content).
			To(MatchRegexp(`（以下文献未检索到相关内容：\[zh-03\] 《[^》]+》）\n\n（以下文献的段落放不下，没有计入：\[zh-04\] 《[^》]+》）$`))
		Expect(s.requests["answer"][0].Messages[0].Text).To(MatchRegexp(`不要编造：\[zh-03\]`))
	})

	It("L4: are not listed if nothing at all was found, because the answer says so", func() {
		s := newStage(qa)
		s.recall = func(context.Context, recall.Query) ([]recall.Chunk, error) { return nil, nil }
		Expect(s.runText("样本有多少", "zh-02", "zh-03").Content).NotTo(ContainSubstring("（以下"))
	})

	It("L4: do not include any of 25 documents, because the model may ask one question about each", func() {
		var list []string
		for i := range 25 {
			list = append(list, fmt.Sprintf(`{"question":"样本有多少","doc_id":"d%03d"}`, i+1))
		}
		s := newStage(qa).withReplies("sub_questions", `{"sub_questions":[`+strings.Join(list, ",")+`]}`)
		reply := s.runTurns(attached("样本各有多少", 25))[0]
		Expect(strings.Count(reply.Attributes["targets"], ",")).To(Equal(24))
		Expect(s.requests["sub_questions"][0].Messages[0].Text).To(ContainSubstring("最多 25 个"))
	})

	It("L4: are followed by the number of shortened texts; the prompt of a report contains a length limit", func() {
		s := newStage(summary)
		s.withReplies("report", strings.Repeat("这份报告写得太长了。", 400))
		reply := s.runTurns(attached("总结一下", 100))[0]
		Expect(reply.ErrorReply).To(BeNil())
		Expect(s.requests["report"][0].Messages[0].Text).To(ContainSubstring("全文不超过 225 字"))
		Expect(reply.Content).To(MatchRegexp(`（有 \d+ 份总结或分组报告太长，只用了前面的部分。）$`))
		s = newStage(review)
		s.runTurns(attached("写综述", 100))
		Expect(s.requests["report"][0].Messages[0].Text).To(ContainSubstring("全文不超过 225 字"))
	})
})

var _ = Describe("The search questions about papers", func() {
	DescribeTable("L4: include five general questions if the request is about a whole paper",
		func(intent, words string) {
			s := newStage(intent)
			reply := s.runText("请看看这篇论文", large)
			Expect(s.requests["sub_questions"][0].Messages[0].Text).To(ContainSubstring(words))
			Expect(s.queries[0].Question).To(Equal("请看看这篇论文"))
			Expect(s.queries[0].Threshold).NotTo(Equal(new(0.0)))
			besides := map[string]bool{}
			for _, q := range s.queries {
				Expect(q.Documents).To(Equal([]string{large}))
				if q.Question != s.queries[0].Question {
					Expect(q.Threshold).To(Equal(new(0.0)))
					besides[q.Question] = true
				}
			}
			Expect(besides).To(HaveLen(5))
			Expect(reply.Attributes["targets"]).To(Equal(large))
			Expect(reply.Retrieved).NotTo(BeEmpty())
		},
		Entry(nil, summary, "用户要的是总结"), Entry(nil, review, "用户要的是综述"), Entry(nil, critique, "用户要的是审稿式的评判"),
	)

	It("L4: are only the model's sub-questions if the user's message is about a detail", func() {
		s := newStage(qa)
		s.runText("学习率是多少", large)
		Expect(s.requests["sub_questions"][0].Messages[0].Text).To(ContainSubstring("只问与它有关的"))
		Expect(s.queries).To(HaveLen(1))
	})

	It("L4: may be plain strings in the model's answer", func() {
		s := newStage(qa).withReplies("sub_questions", `{"sub_questions":["样本有多少","学习率是多少",null]}`)
		Expect(s.runText("请看看", "zh-02", "zh-03").ErrorReply).To(BeNil())
		Expect(s.queries).To(HaveLen(2))
		Expect(s.queries[1].Question).To(Equal("学习率是多少"))
		Expect(s.queries[1].Documents).To(Equal([]string{"zh-02", "zh-03"}))
	})

	It("L8: are answered with the whole text of a single small document; the prompt contains its ID", func() {
		s := newStage(qa)
		s.replies["answer"] = func(r model.Request) model.Answer { return model.Answer{Content: "答"} }
		t := on("样本有多少")
		t.Documents = []agent.Document{{Name: "a.md", Content: "# 甲\n\n样本有 7 人。"}}
		s.runTurns(t)
		Expect(s.requests["answer"][0].Messages[0].Text).To(ContainSubstring("【文献材料】\n[a.md] 《甲》\n# 甲\n"))
	})
})
