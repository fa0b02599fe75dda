package recall_test

import (
	"context"
	"fmt"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/recall"
)

// echo is a Searcher that returns one passage for each requested document.
type echo struct{}

func (echo) Search(_ context.Context, q recall.Query) (found []recall.Chunk, _ error) {
	for _, d := range q.Documents {
		found = append(found, recall.Chunk{DocumentID: d})
	}
	return found, nil
}

var _ = Describe("L5: A SearcherCache", func() {
	tools := func(size int) *recall.SearcherCache {
		GinkgoHelper()
		t, err := recall.NewSearcherCache(echo{}, size)
		Expect(err).NotTo(HaveOccurred())
		return t
	}

	It("returns a Searcher that searches one document and ignores the documents that a query names", func() {
		Expect(tools(0).ForDocument("a").Search(context.Background(), recall.Query{Documents: []string{"b"}})).
			To(Equal([]recall.Chunk{{DocumentID: "a"}}))
	})

	It("evicts the least recently used Searcher", func() {
		t := tools(2)
		a := t.ForDocument("a")
		t.ForDocument("b")
		Expect(t.ForDocument("a")).To(BeIdenticalTo(a))
		t.ForDocument("c")
		Expect(t.CachedDocuments()).To(Equal([]string{"a", "c"}))
		Expect(t.ForDocument("a")).To(BeIdenticalTo(a))
	})

	It("stores 100 Searchers by default", func() {
		t := tools(0)
		for i := range 150 {
			t.ForDocument(fmt.Sprint(i))
		}
		Expect(t.CachedDocuments()).To(HaveLen(100))
		Expect(t.CachedDocuments()[0]).To(Equal("50"))
	})

	It("is not created with an invalid size", func() {
		for _, size := range []int{-1, 10_001} {
			_, err := recall.NewSearcherCache(echo{}, size)
			Expect(err).To(MatchError(ContainSubstring("is not in 0..10000")))
		}
	})

	It("returns the same Searcher to concurrent callers", func() {
		t, given := tools(50), make([]recall.Searcher, 64)
		var all sync.WaitGroup
		for i := range given {
			all.Go(func() {
				for n := range 100 {
					t.ForDocument(fmt.Sprint(n % 40))
				}
				given[i] = t.ForDocument("same")
			})
		}
		all.Wait()
		for _, tool := range given {
			Expect(tool).To(BeIdenticalTo(given[0]))
		}
	})
})
