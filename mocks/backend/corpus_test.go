package backend_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/recall"
	"evalctl/agent/recall/index"
	"evalctl/mocks"
	"evalctl/mocks/backend"
	"evalctl/mocks/component"
	"evalctl/mocks/transport"
)

// shelf is a server whose part searches two papers.
func shelf() *mocks.Server {
	GinkgoHelper()
	x, err := index.New(context.Background(), []index.Document{
		{ID: "a", Name: "a.pdf", Text: "# 遥感\n\n## 摘要\n\n变化检测的准确率达 91.3%。\n\n## 数据\n\n训练集有 1,204 幅影像。\n"},
		{ID: "b", Text: "# 小麦\n\n## 摘要\n\n小麦条锈病的早期识别。\n"},
	}, index.Config{Count: utf8.RuneCountInString})
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(x.Close)
	server, err := mocks.New(mocks.Config{
		Parts: component.Parts{"library": component.Recall}, Corpora: map[string]mocks.Corpus{"library": backend.CorpusOf(x)},
	})
	Expect(err).NotTo(HaveOccurred())
	return server
}

var _ = Describe("L5: a client of retrieval finds the same in the process and over a socket", func() {
	It("which is what the index finds", func() {
		server := shelf()
		socket := httptest.NewServer(server)
		DeferCleanup(socket.Close)
		near, err := recall.New(recall.Config{HTTP: &http.Client{Transport: transport.Transport{Handler: server.As("library")}}, APIKey: "k"})
		Expect(err).NotTo(HaveOccurred())
		far, err := recall.New(recall.Config{BaseURL: socket.URL, APIKey: "k"})
		Expect(err).NotTo(HaveOccurred())
		q := recall.Query{Question: "训练集有多少幅影像"}
		one, err := near.Search(context.Background(), q)
		Expect(err).NotTo(HaveOccurred())
		Expect(one[0].ID).To(Equal("a#2"))
		Expect(far.Search(context.Background(), q)).To(Equal(one))
	})
})
