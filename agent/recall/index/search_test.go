package index_test

import (
	"context"
	"fmt"
	"testing"

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

// papers are two of one dataset and one of another.
func papers() *index.Index {
	GinkgoHelper()
	return indexed(GinkgoTB(), []index.Document{
		{ID: "zh-01", Name: "遥感.pdf", Text: "# 遥感影像的变化检测\n\n作者：林一\n\n## 摘要\n\n提出一种变化检测方法，在 LEVIR-CD 上准确率达 91.3%。\n\n## 数据\n\n训练集有 1,204 幅影像，来自三座城市。\n\n## 结论\n\n轻量模型可以在卫星上运行。\n"},
		{ID: "zh-02", Text: "# 小麦锈病\n\n## 摘要\n\n研究小麦条锈病的早期识别，比较五种网络。\n\n## 数据\n\n田间采集叶片照片，标注由农艺师完成。\n"},
		{ID: "en-01", Dataset: "english", Text: "# Sparse attention for long records\n\n## Abstract\n\nWe study sparse attention. The model reads hospital records of 16,000 tokens.\n\n## Results\n\nThe error falls by 12.5% on the MIMIC benchmark.\n"},
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

var _ = Describe("L5: an index of passages", func() {
	var x *index.Index
	BeforeEach(func() { x = papers() })

	DescribeTable("finds first what answers", func(question, want string) {
		for _, weight := range []float64{0, 0.3, 1} {
			for _, rerank := range []string{"", "local"} {
				found := search(x, recall.Query{Question: question, VectorWeight: &weight, Threshold: number(0), Rerank: rerank})
				Expect(ids(found)).NotTo(BeEmpty())
				Expect(found[0].ID).To(Equal(want), fmt.Sprint(weight, rerank))
			}
		}
	},
		Entry("words of two characters", "锈病的识别", "zh-02#1"),
		Entry("a question", "训练集有多少幅影像？", "zh-01#2"),
		Entry("English words in another form", "Which benchmarks did the error fall on?", "en-01#2"),
	)

	It("finds a word of two characters by its letters alone", func() {
		Expect(ids(search(x, recall.Query{Question: "卫星", VectorWeight: number(0)}))).To(Equal([]string{"zh-01#3"}))
	})

	It("tells the document, and how similar its words and its vector are", func() {
		found := search(x, recall.Query{Question: "训练集 影像", VectorWeight: number(0.25)})
		Expect(found[0].Document).To(Equal("zh-01"))
		Expect(found[0].Name).To(Equal("遥感.pdf"))
		Expect(found[0].Content).To(HavePrefix("## 数据\n\n训练集有 1,204"))
		Expect(found[0].Similarity).To(BeNumerically("~", 0.75*found[0].Term+0.25*found[0].Vector, 1e-6))
	})

	It("looks into the documents and the datasets that are named", func() {
		for _, q := range []recall.Query{
			{Documents: []string{"zh-02", "en-01"}}, {Datasets: []string{recall.DefaultDataset}, Documents: []string{"zh-02"}},
			{Datasets: []string{"english"}}, {Documents: []string{"nobody's"}},
		} {
			q.Question, q.Threshold = "数据 data 影像 records 叶片", number(0)
			for _, c := range search(x, q) {
				Expect(c.Document).NotTo(Equal("zh-01"))
				Expect(c.Document == "zh-02" || q.Documents == nil || len(q.Documents) == 2).To(BeTrue())
			}
		}
	})
})
