package mocks_test

import (
	"context"
	"encoding/json"
	"math"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	openai "github.com/sashabaranov/go-openai"

	"evalctl/mocks"
	"evalctl/mocks/wire"
)

var _ = Describe("simulated embeddings", func() {
	embed := func(d wire.Dialect, r openai.EmbeddingRequest) [][]float32 {
		GinkgoHelper()
		res, err := newClient(newServer(mocks.Config{}), d).CreateEmbeddings(context.Background(), r)
		Expect(err).NotTo(HaveOccurred())
		var out [][]float32
		for i, e := range res.Data {
			Expect(e.Index).To(Equal(i))
			out = append(out, e.Embedding)
		}
		return out
	}
	dot := func(a, b []float32) (sum float64) {
		for i := range a {
			sum += float64(a[i]) * float64(b[i])
		}
		return sum
	}

	It("are unit vectors, similar for similar texts and equal in every process", func() {
		v := embed(wire.DashScope, openai.EmbeddingRequest{
			Model: "text-embedding-v4", Input: []string{"今天天气怎么样", "今天天气如何", "list all open pull requests"},
			Dimensions: 256,
		})
		for _, x := range v {
			Expect(x).To(HaveLen(256))
			Expect(math.Sqrt(dot(x, x))).To(BeNumerically("~", 1, 1e-5))
		}
		Expect(dot(v[0], v[1])).To(BeNumerically(">", 0.3))
		Expect(dot(v[0], v[2])).To(BeNumerically("<", 0.2))
		again := embed(wire.OpenAI,
			openai.EmbeddingRequest{Model: "text-embedding-3-small", Input: "今天天气怎么样", Dimensions: 256})
		Expect(again[0]).To(Equal(v[0]))
	})

	It("have the same numbers in base64", func() {
		s := newServer(mocks.Config{})
		c := newClient(s, wire.OpenAI)
		res, err := c.CreateEmbeddings(context.Background(),
			openai.EmbeddingRequest{Model: "text-embedding-3-small", Input: "x y",
				EncodingFormat: openai.EmbeddingEncodingFormatBase64, Dimensions: 8})
		Expect(err).NotTo(HaveOccurred())
		Expect(res.Data[0].Embedding).
			To(Equal(embed(wire.OpenAI,
				openai.EmbeddingRequest{Model: "text-embedding-3-small", Input: "x y", Dimensions: 8})[0]))
	})

	DescribeTable("have the default number of dimensions of the model, or the requested one",
		func(d wire.Dialect, model string, want int) {
			Expect(embed(d, openai.EmbeddingRequest{Model: openai.EmbeddingModel(model), Input: "x"})[0]).
				To(HaveLen(want))
		},
		Entry(nil, wire.OpenAI, "text-embedding-3-small", 1536),
		Entry(nil, wire.OpenAI, "text-embedding-3-large", 3072),
		Entry(nil, wire.DashScope, "text-embedding-v4", 1024),
		Entry(nil, wire.Ark, "doubao-embedding", 2048),
	)

	items := func(n int) string {
		b, err := json.Marshal(strings.Split(strings.Repeat("a,", n-1)+"a", ","))
		Expect(err).NotTo(HaveOccurred())
		return string(b)
	}

	DescribeTable("are refused beyond the limits of the provider",
		func(path, rest string, message string) {
			w := post(newServer(mocks.Config{}), path+"/embeddings", `{"model":"text-embedding-v3",`+rest+`}`)
			if message == "" {
				Expect(w.Code).To(Equal(200), w.Body.String())
				return
			}
			Expect(w.Code).To(Equal(400))
			Expect(w.Body.String()).To(ContainSubstring(message))
		},
		Entry("DashScope: ten inputs are accepted", "/compatible-mode/v1", `"input":`+items(10), ""),
		Entry("DashScope: eleven inputs are too many", "/compatible-mode/v1", `"input":`+items(11),
			`batch size is invalid, it should not be larger than 10.: input.contents","type"`),
		Entry("DashScope: inputs as token numbers", "/compatible-mode/v1", `"input":[1,2]`,
			"contents is neither str nor list of str"),
		Entry("DashScope: the encoding format base64", "/compatible-mode/v1", `"input":"x","encoding_format":"base64"`,
			"float"),
		Entry("DashScope: text-embedding-v3 has no 2048 dimensions", "/compatible-mode/v1",
			`"input":"x","dimensions":2048`, "2048"),
		Entry("DashScope: an empty input", "/compatible-mode/v1", `"input":""`, "empty string"),
		Entry("OpenAI: inputs as token numbers are accepted", "/v1", `"input":[[1,2],[3]],"dimensions":2`, ""),
		Entry("OpenAI: 2048 inputs are accepted", "/v1", `"dimensions":1,"input":`+items(2048), ""),
		Entry("OpenAI: 2049 inputs are too many", "/v1", `"dimensions":1,"input":`+items(2049), "2048"),
		Entry("OpenAI: an input of more than 8192 tokens", "/v1", `"input":"`+strings.Repeat("x", 4*8192+1)+`"`,
			"8192"),
		Entry("OpenAI: an empty list of inputs", "/v1", `"input":[]`, "input"),
		Entry("OpenAI: no input", "/v1", `"dimensions":1`, "input"),
	)

	It("contain a request id and the usage for DashScope", func() {
		w := post(newServer(mocks.Config{}), "/compatible-mode/v1/embeddings",
			`{"model":"text-embedding-v4","input":["你好"],"dimensions":64}`)
		Expect(withoutIDs(w.Body.String())).
			To(HaveSuffix(`],"model":"text-embedding-v4","usage":{"prompt_tokens":2,"total_tokens":2},"id":"I"}`))
	})
})
