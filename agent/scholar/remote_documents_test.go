package scholar_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/recall"
	"evalctl/agent/scholar"
)

// ragflow is a retrieval service that has documents of its own, by ID.
type ragflow struct {
	*stage
	documents map[string]string
	err       error
	asked     [][]string // the documents of each request for names
}

func (f *ragflow) DocumentNames(_ context.Context, q recall.Query, _ *clock.Semaphore) (map[string]string, error) {
	f.asked = append(f.asked, q.Documents)
	names := map[string]string{}
	for _, id := range q.Documents {
		if name, ok := f.documents[id]; ok {
			names[id] = name
		}
	}
	return names, f.err
}

var _ = Describe("31.7: Documents that only the retrieval service has", func() {
	const own, other = "0b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e", "ffffffffffffffffffffffffffffffff"
	var service *ragflow
	start := func(intent string) *stage {
		s := newStage(intent)
		service = &ragflow{stage: s, documents: map[string]string{own: "zhang2023.pdf", other: "li2024.pdf"}}
		s.set = func(c *scholar.Config) { c.Recall = service }
		s.recall = func(_ context.Context, q recall.Query) (found []recall.Chunk, err error) {
			for _, id := range q.Documents {
				found = append(found, recall.Chunk{ID: id + "-c1", DocumentID: id, Content: "样本有 42 人。", Similarity: 0.9})
			}
			return found, nil
		}
		return s
	}

	It("31.7: are searched by their IDs", func() {
		s := start(qa)
		reply := s.runText("样本有多少", own, small)
		Expect(reply.ErrorReply).To(BeNil())
		Expect(service.asked).To(Equal([][]string{{own}}))
		prompt := s.requests["answer"][0].Messages[0].Text
		Expect(prompt).To(ContainSubstring(fmt.Sprintf("[%s-c1] 《zhang2023.pdf》\n样本有 42 人。", own)))
		Expect(s.requests["sub_questions"][0].Messages[0].Text).To(ContainSubstring("zhang2023.pdf"))
	})

	It("31.7: are never used as whole texts, which evalctl does not have", func() {
		s := start(qa)
		reply := s.runText("样本有多少", own)
		Expect(reply.Attributes).To(HaveKeyWithValue("strategy", "chunk_recall"))
		Expect(reply.Retrieved).To(HaveLen(1))
	})

	It("31.7: are summarized from passages, and not from a cache that cannot see changes", func() {
		s := start(summary)
		for range 2 {
			reply := s.runText("总结这两篇", own, other)
			Expect(reply.ErrorReply).To(BeNil())
			Expect(reply.Attributes).To(HaveKeyWithValue("strategy", "multi_doc_summary"))
		}
		Expect(s.requests["summary"]).To(HaveLen(4))
		Expect(s.requests["summary"][0].Text).To(ContainSubstring("样本有 42 人。"))
	})

	DescribeTable("31.7: are unknown if the service does not have them",
		func(err error, code string) {
			s := start(qa)
			service.documents, service.err = nil, err
			reply := s.runText("样本有多少", own)
			Expect(reply.ErrorReply).To(HaveField("Code", code))
			Expect(reply.ErrorReply.Node).To(Equal("request_init"))
			Expect(strings.Contains(reply.Content, own)).To(Equal(code == "UNKNOWN_DOCUMENT"))
			Expect(s.requests).To(BeEmpty())
		},
		Entry("a list without the ID", nil, "UNKNOWN_DOCUMENT"),
		Entry("a service without a list of documents", llm.KindNotFound, "UNKNOWN_DOCUMENT"),
		Entry("a service that is down, which is not the user's error", errors.New("down"), "RECALL_FAILED"),
	)
})
