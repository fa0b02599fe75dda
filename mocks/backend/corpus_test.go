package backend_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"time"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/agent/recall"
	"evalctl/agent/recall/index"
	"evalctl/eval"
	"evalctl/eval/suite"
	"evalctl/mocks"
	"evalctl/mocks/backend"
	"evalctl/mocks/component"
	"evalctl/mocks/transport"
)

// paperServer returns a server whose retrieval component searches two papers.
func paperServer() *mocks.Server {
	GinkgoHelper()
	x, err := index.New(context.Background(), []index.Document{
		{ID: "a", Name: "a.pdf", Text: "# 遥感\n\n## 摘要\n\n变化检测的准确率达 91.3%。\n\n## 数据\n\n训练集有 1,204 幅影像。\n"},
		{ID: "b", Datasets: []string{"crops", "fields"}, Text: "# 小麦\n\n## 摘要\n\n小麦条锈病的早期识别。\n"},
	}, index.Config{CountTokens: utf8.RuneCountInString})
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(x.Close)
	server, err := mocks.New(mocks.Config{
		Components: component.Components{"library": component.RoleRetrieval},
		Corpora:    map[string]mocks.Corpus{"library": backend.CorpusOf(x)},
	})
	Expect(err).NotTo(HaveOccurred())
	return server
}

var _ = Describe("L5: a retrieval client", func() {
	DescribeTable("finds a document only in datasets that contain it", func(datasets []string, want string) {
		c, err := recall.New(recall.Config{HTTP: &http.Client{Transport: transport.Transport{Handler: paperServer().
			ForComponent("library")}}, APIKey: "k", Datasets: datasets})
		Expect(err).NotTo(HaveOccurred())
		found, err := c.Search(context.Background(), recall.Query{Question: "小麦", Documents: []string{"b"}})
		if want == "" {
			Expect(err).NotTo(HaveOccurred())
			Expect(found).NotTo(BeEmpty())
			return
		}
		Expect(err).To(MatchError(ContainSubstring(want)))
	},
		Entry("the first of the document's two datasets", []string{"crops"}, ""),
		Entry("the second of the document's two datasets", []string{"fields"}, ""),
		Entry("both datasets of the document", []string{"crops", "fields"}, ""),
		Entry("a dataset without the document", []string{recall.DefaultDataset}, "don't own the document b"),
		Entry("a dataset that does not exist", []string{"nobody's"}, "nobody's"),
	)

	It("finds the same passages in process and over a socket", func() {
		server := paperServer()
		socket := httptest.NewServer(server)
		DeferCleanup(socket.Close)
		near, err := recall.New(
			recall.Config{HTTP: &http.Client{Transport: transport.Transport{Handler: server.ForComponent("library")}},
				APIKey: "k"})
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

// scholar returns a suite for the system scholar, which has a retrieval component.
func scholar(more string) suite.Suite {
	GinkgoHelper()
	s, err := suite.Parse("mine.yaml", []byte("name: mine\ntarget: scholar\ndataset: pets\n"+more))
	Expect(err).NotTo(HaveOccurred())
	return s
}

var _ = Describe("L5: a retrieval component", func() {
	const variants = "variants: [{name: hybrid}, {name: keyword, vector-weight: 0}, {name: few, top-n: 3}]\n"

	It("searches the documents of its system, and all variants with the same settings share one index", func() {
		s := scholar(variants)
		b, err := backend.New(backend.Config{Suite: s})
		Expect(err).NotTo(HaveOccurred())
		Expect(b.Searched()).To(Equal(1))
		link, err := b.Connect(eval.Trial{Condition: &eval.Condition{Fault: eval.NoFault}}, s.Variants[1])
		Expect(err).NotTo(HaveOccurred())
		to := link("retrieval")
		c, err := recall.New(recall.Config{BaseURL: to.BaseURL, APIKey: to.APIKey, HTTP: to.HTTP,
			Datasets: []string{"papers"}})
		Expect(err).NotTo(HaveOccurred())
		Expect(clock.RunSimulated(context.Background(), time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC),
			func(ctx context.Context) error {
				found, err := c.Search(ctx, recall.Query{Question: "摘要", Documents: []string{"zh-01"}})
				Expect(err).NotTo(HaveOccurred())
				Expect(found).NotTo(BeEmpty())
				_, err = c.Search(ctx, recall.Query{Question: "准确率", Documents: []string{"nobody's"}})
				Expect(err).To(MatchError(ContainSubstring("102): The datasets don't own the document nobody's")))
				return nil
			})).To(Succeed())
		Expect(b.ModelNotes()).To(ContainElement(And(HaveField("Component", "retrieval"),
			HaveField("Note", "searches passages"))))
	})

	It("may be a real service: it needs no model name, and no local documents are loaded", func() {
		s := scholar(variants + "models: {retrieval: {base_url: \"http://127.0.0.1:9380\"}}\n")
		b, err := backend.New(backend.Config{Suite: s})
		Expect(err).NotTo(HaveOccurred())
		Expect(b.Searched()).To(BeZero())
		link, err := b.Connect(eval.Trial{Condition: &eval.Condition{Fault: eval.NoFault}}, s.Variants[0])
		Expect(err).NotTo(HaveOccurred())
		Expect(link("retrieval").BaseURL).To(Equal("http://127.0.0.1:9380"))
		Expect(b.ModelNotes()).To(ContainElement(And(HaveField("Component", "retrieval"), HaveField("Kind", "real"),
			HaveField("Note", "at http://127.0.0.1:9380"))))
	})

	It("reads its documents relative to the suite file, and a missing directory is reported before the run", func() {
		s := scholar("variants: [{name: own, papers: mine}]\n")
		s.Dir = GinkgoT().TempDir()
		_, err := backend.New(backend.Config{Suite: s})
		Expect(err).To(MatchError(HavePrefix("variant own: what retrieval searches: ")))
		Expect(os.Mkdir(filepath.Join(s.Dir, "mine"), 0o700)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(s.Dir, "mine", "a.md"), []byte("# A\n\n## b\n\nc\n"), 0o600)).To(Succeed())
		b, err := backend.New(backend.Config{Suite: s})
		Expect(err).NotTo(HaveOccurred())
		Expect(b.Searched()).To(Equal(1))
	})

	It("rejects the setting behavior, because it is not a model", func() {
		_, err := backend.New(backend.Config{Suite: scholar(variants +
			"models: {retrieval: {behavior: scripted, script: s.yaml}}\n")})
		Expect(err).To(MatchError("models.retrieval.behavior: is for models, and retrieval is not a model"))
	})
})
