package index_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/recall"
	"evalctl/agent/recall/index"
)

func TestIndex(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "index")
}

var ctx = context.Background()

func number(x float64) *float64 { return &x }

// papers returns an index with two documents in the default dataset and one in the dataset english.
func papers() *index.Index {
	GinkgoHelper()
	return indexed(GinkgoTB(), []index.Document{
		{ID: "zh-01", Name: "遥感.pdf",
			Text: "# 遥感影像的变化检测\n\n作者：林一\n\n## 摘要\n\n提出一种变化检测方法，在 LEVIR-CD 上准确率达 91.3%。\n\n## 数据\n\n训练集有 1,204 幅影像，来自三座城市。\n\n## 结论\n\n轻量模型可以在卫星上运行。\n"},
		{ID: "zh-02", Text: "# 小麦锈病\n\n## 摘要\n\n研究小麦条锈病的早期识别，比较五种网络。\n\n## 数据\n\n田间采集叶片照片，标注由农艺师完成。\n"},
		{ID: "en-01", Datasets: []string{"english"},
			Text: "# Sparse attention for long records\n\n## Abstract\n\nWe study sparse attention. The model reads hospital records of 16,000 tokens.\n\n## Results\n\nThe error falls by 12.5% on the MIMIC benchmark.\n"},
	})
}

func ids(chunks []recall.Chunk) (all []string) {
	for _, c := range chunks {
		all = append(all, c.ID)
	}
	return all
}

func search(x *index.Index, q recall.Query) []recall.Chunk {
	GinkgoHelper()
	found, err := x.Search(ctx, q)
	Expect(err).NotTo(HaveOccurred())
	return found
}

var _ = Describe("L5: An index of passages", func() {
	var x *index.Index
	BeforeEach(func() { x = papers() })

	DescribeTable("returns the passage that answers a question first, whatever the weights, with and without reranking",
		func(question, want string) {
			for _, weight := range []float64{0, 0.3, 1} {
				for _, rerank := range []string{"", "local"} {
					found := search(x, recall.Query{Question: question, VectorWeight: &weight, Threshold: number(0),
						Reranker: rerank})
					Expect(ids(found)).NotTo(BeEmpty())
					Expect(found[0].ID).To(Equal(want), fmt.Sprint(weight, rerank))
				}
			}
		},
		Entry("Chinese keywords without a question mark", "锈病的识别", "zh-02#1"),
		Entry("a complete Chinese question", "训练集有多少幅影像？", "zh-01#2"),
		Entry("an English question with word forms that the passage does not contain",
			"Which benchmarks did the error fall on?",
			"en-01#2"),
	)

	It("finds a Chinese word of two characters by term similarity alone", func() {
		Expect(ids(search(x, recall.Query{Question: "卫星", VectorWeight: number(0)}))).To(Equal([]string{"zh-01#3"}))
	})

	It("returns the document of a passage, and its similarity as the weighted mean of term and vector similarity",
		func() {
			found := search(x, recall.Query{Question: "训练集 影像", VectorWeight: number(0.25)})
			Expect(found[0].DocumentID).To(Equal("zh-01"))
			Expect(found[0].DocumentName).To(Equal("遥感.pdf"))
			Expect(found[0].Content).To(HavePrefix("## 数据\n\n训练集有 1,204"))
			Expect(found[0].Similarity).
				To(BeNumerically("~", 0.75*found[0].TermSimilarity+0.25*found[0].VectorSimilarity, 1e-6))
		})

	It("searches only the documents and datasets that the query names", func() {
		for _, q := range []recall.Query{
			{Documents: []string{"zh-02", "en-01"}},
			{Datasets: []string{recall.DefaultDataset}, Documents: []string{"zh-02"}},
			{Datasets: []string{"english"}}, {Documents: []string{"nobody's"}},
		} {
			q.Question, q.Threshold = "数据 data 影像 records 叶片", number(0)
			for _, c := range search(x, q) {
				Expect(c.DocumentID).NotTo(Equal("zh-01"))
				Expect(c.DocumentID == "zh-02" || q.Documents == nil || len(q.Documents) == 2).To(BeTrue())
			}
		}
	})

	It("returns no passages for a blank question, and an error for an invalid query", func() {
		Expect(search(x, recall.Query{Question: " "})).To(BeEmpty())
		_, err := x.Search(ctx, recall.Query{Question: "q", TopN: 101})
		Expect(err).To(MatchError("recall.Query.TopN: 101 is not in 0..100"))
	})

	It("removes passages below the minimum similarity, unless the vector weight is 0", func() {
		q := recall.Query{Question: "影像 叶片 卫星", Threshold: number(0)}
		all := search(x, q)
		least := all[1].Similarity
		q.Threshold = &least
		Expect(ids(search(x, q))).To(Equal(ids(all[:2])), "inclusive")
		q.Threshold, q.VectorWeight = number(1), number(0)
		Expect(ids(search(x, q))).To(ConsistOf("zh-01#0", "zh-01#2", "zh-01#3", "zh-02#2"), "all that hold a word")
	})

	It("weighs term and vector similarity as the query requests", func() {
		q := recall.Query{Question: "小麦的病", Threshold: number(0)}
		for _, weight := range []float64{0, 0.5, 1} {
			q.VectorWeight = &weight
			for _, c := range search(x, q) {
				Expect(c.Similarity).To(BeNumerically("~", (1-weight)*c.TermSimilarity+weight*c.VectorSimilarity, 1e-6))
			}
		}
	})

	It("considers the TopK passages nearest by vector and all passages with a term of the question", func() {
		q := recall.Query{Question: "卫星", Threshold: number(0), VectorWeight: number(0.5)}
		Expect(len(search(x, q))).To(BeNumerically(">", 2))
		q.TopK = 1
		Expect(ids(search(x, q))).To(Equal([]string{"zh-01#3"}))
		q.Question = "轻量的卫星 records" // the nearest passage, and two that contain a term
		Expect(ids(search(x, q))).To(ConsistOf("zh-01#3", "en-01#1", "en-01#0"))
	})

	It("reranks passages by the number and order of the question's terms", func() {
		x := indexed(GinkgoTB(), []index.Document{
			{ID: "a", Text: "甲乙丙丁。" + strings.Repeat("戊", 30)}, {ID: "b", Text: "丙丁。甲乙。" + strings.Repeat("己", 30)},
			{ID: "c", Text: "甲乙。" + strings.Repeat("庚", 30)},
		})
		found := search(x, recall.Query{Question: "甲乙，丙丁", VectorWeight: number(1), Threshold: number(0),
			Reranker: "local"})
		Expect(ids(found)).To(Equal([]string{"a#0", "b#0", "c#0"}))
		Expect([]float64{found[0].VectorSimilarity, found[1].VectorSimilarity, found[2].VectorSimilarity}).
			To(Equal([]float64{1, 0.6, 0.3}))
		Expect(found[0].Similarity).To(Equal(1.0), "of the rank, in the place of the vectors")
		plain := search(x, recall.Query{Question: "甲乙，丙丁", VectorWeight: number(1), Threshold: number(0)})
		Expect(plain[0].VectorSimilarity).To(BeNumerically("<", 1))
	})

	It("orders passages with equal similarity by document", func() {
		var same []index.Document
		for i := range 30 {
			same = append(same, index.Document{ID: fmt.Sprintf("d%02d", 29-i), Text: "## a\n\n同样的一句话。"})
		}
		found := search(indexed(GinkgoTB(), same), recall.Query{Question: "一句话", TopN: 3})
		Expect(ids(found)).To(Equal([]string{"d29#1", "d28#1", "d27#1"}))
	})

	It("returns the requested number of passages", func() {
		x := indexed(GinkgoTB(), library(3, 80))
		q := recall.Query{Question: library(1, 1)[0].Text, Threshold: number(0)}
		for n, want := range map[int]int{0: 10, 1: 1, 30: 30, 100: 100} {
			q.TopN = n
			Expect(search(x, q)).To(HaveLen(want))
		}
	})

	It("gives rare terms more weight, and long passages a lower similarity", func() {
		x := indexed(GinkgoTB(), []index.Document{
			{ID: "c", Text: "common " + strings.Repeat("filler ", 20)}, {ID: "a", Text: "common"},
			{ID: "b", Text: "common rare"}, {ID: "d", Text: "common common"},
		})
		found := search(x, recall.Query{Question: "common rare", VectorWeight: number(0)})
		Expect(ids(found)).To(Equal([]string{"b#0", "d#0", "a#0", "c#0"}))
		for _, c := range search(x, recall.Query{Question: "common", VectorWeight: number(0)}) {
			Expect(c.TermSimilarity).To(BeNumerically(">", 0), "also of a word that all hold")
			Expect(c.TermSimilarity).To(BeNumerically("<", 1))
		}
	})

	It("lowers the similarity if a question contains unknown English words, but not for unknown pairs of Chinese characters",
		func() {
			term := func(question string) float64 {
				return search(x, recall.Query{Question: question, VectorWeight: number(0)})[0].TermSimilarity
			}
			Expect(term("benchmark xylophones")).To(BeNumerically("<", term("benchmark")))
			Expect(term("卫星运行鞋帽")).To(Equal(term("卫星运行")))
		})

	It("returns the same passages in concurrent searches", func() {
		q := recall.Query{Question: "训练集有多少幅影像", Threshold: number(0), Reranker: "local"}
		want := search(x, q)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				defer GinkgoRecover()
				for range 20 {
					Expect(search(x, q)).To(Equal(want))
				}
			})
		}
		all.Wait()
	})

	It("can be built without documents, and from documents without words", func() {
		Expect(search(indexed(GinkgoTB(), nil), recall.Query{Question: "q"})).To(BeEmpty())
		Expect(search(indexed(GinkgoTB(), []index.Document{{ID: "a", Text: "\x00\x01"}, {ID: "b"}}),
			recall.Query{Question: "q"})).To(BeEmpty())
		Expect(search(x, recall.Query{Question: "？！", Threshold: number(0)})).To(BeEmpty())
	})

	It("finds the same passages in one document as in a search of all documents", func() {
		q := recall.Query{Question: "变化检测的数据是多少幅影像", TopN: 100, Threshold: new(0.0)}
		all := map[string][]recall.Chunk{}
		for _, c := range search(x, q) {
			all[c.DocumentID] = append(all[c.DocumentID], c)
		}
		Expect(all).To(HaveKey("zh-01"))
		for id, chunks := range all {
			q.Documents = []string{id, id, "nobody's"}
			Expect(search(x, q)).To(Equal(chunks), id)
		}
	})

	It("returns the datasets of a document, and the total number of passages", func() {
		Expect(x.HasDataset("english")).To(BeTrue())
		Expect(x.HasDataset("k2")).To(BeFalse())
		Expect(x.Datasets("zh-02")).To(Equal([]string{recall.DefaultDataset}))
		Expect(x.Datasets("zh-09")).To(BeNil())
		Expect(x.PassageCount()).To(Equal(10))
	})

	It("contains a document in each of the document's datasets", func() {
		x := indexed(GinkgoTB(), []index.Document{{ID: "a", Datasets: []string{"mine", "ours"}, Text: "# 卷积\n\n卷积网络"}})
		Expect(x.HasDataset("mine") && x.HasDataset("ours")).To(BeTrue())
		for _, name := range x.Datasets("a") {
			Expect(search(x, recall.Query{Question: "卷积", Datasets: []string{name}})).To(HaveLen(1), name)
		}
		Expect(search(x, recall.Query{Question: "卷积", Datasets: []string{"theirs"}})).To(BeEmpty())
	})

	It("cannot be searched after Close", func() {
		x := indexed(GinkgoTB(), []index.Document{{ID: "a", Text: "b"}})
		Expect(x.Close()).To(Succeed())
		_, err := x.Search(ctx, recall.Query{Question: "b"})
		Expect(err).To(MatchError(ContainSubstring("is closed")))
	})
})

// fixed is an embedder that returns the same vectors for any texts, even if they are too few or of
// different lengths.
type fixed [][]float32

func (fixed) Name() string { return "fixed" }

func (f fixed) Embed(_ context.Context, texts []string) ([][]float32, error) {
	if f == nil {
		return nil, fmt.Errorf("down")
	}
	return f[:min(len(f), len(texts))], nil
}

var _ = DescribeTable("L5: index.New returns an error for invalid documents or an invalid Config",
	func(problem string, documents []index.Document, cfg index.Config) {
		_, err := index.New(ctx, documents, cfg)
		Expect(err).To(MatchError("index of passages: " + problem))
	},
	Entry("a missing token counter", "index.Config.CountTokens: is missing", nil, index.Config{}),
	Entry("a document without an ID", `document "": has no id`, []index.Document{{Text: "a"}},
		index.Config{CountTokens: characters}),
	Entry("two documents with the same ID", `document "a": is there twice`, []index.Document{{ID: "a"}, {ID: "a"}},
		index.Config{CountTokens: characters}),
	Entry("a document name of more than 1,024 bytes", `document "a": has a name of more than 1024 bytes`,
		[]index.Document{{ID: "a", Name: strings.Repeat("n", 1025)}}, index.Config{CountTokens: characters}),
	Entry("a document text of more than 16 MiB", `document "a": has 16777217 bytes, more than 16777216`,
		[]index.Document{{ID: "a", Text: strings.Repeat(" ", 16<<20+1)}}, index.Config{CountTokens: characters}),
	Entry("more than 10,000 documents", "10001 documents are more than 10000", make([]index.Document, 10_001),
		index.Config{CountTokens: characters}),
	Entry("an embedder that fails", "down", []index.Document{{ID: "a", Text: "a"}},
		index.Config{CountTokens: characters, Embedder: fixed(nil)}),
	Entry("an embedder that returns no vector for a text", "fixed made 0 vectors of 1 texts",
		[]index.Document{{ID: "a", Text: "a"}},
		index.Config{CountTokens: characters, Embedder: fixed{}}),
	Entry("an embedder that returns vectors of different lengths",
		"fixed made a vector of 1 dimensions, the first has 2",
		[]index.Document{{ID: "a", Text: "a"}, {ID: "b", Text: "b"}},
		index.Config{CountTokens: characters, Embedder: fixed{{1, 0}, {1}}}),
)

var _ = It("L5: The vector similarity is the cosine if an embedding model computed the vectors", func() {
	x, err := index.New(ctx, []index.Document{{ID: "a", Text: "a"}, {ID: "b", Text: "b"}},
		index.Config{CountTokens: characters, Embedder: fixed{{3, 4}, {5, 0}, {-1, 0}}})
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(x.Close)
	// The question is embedded as {3, 4}.
	found := search(x, recall.Query{Question: "q", VectorWeight: number(1), Threshold: number(0)})
	Expect(ids(found)).To(Equal([]string{"a#0", "b#0"}))
	Expect([]float64{found[0].Similarity, found[1].Similarity}).To(Equal([]float64{1, 0.6}))
})

func Example() {
	x, err := index.New(ctx, []index.Document{{ID: "zh-01", Text: "# 遥感\n\n## 数据\n\n训练集有 1,204 幅影像。\n"}},
		index.Config{CountTokens: utf8.RuneCountInString})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer x.Close()
	found, err := x.Search(ctx, recall.Query{Question: "训练集有多少幅影像？"})
	fmt.Println(found[0].ID, err)
	// Output: zh-01#1 <nil>
}
