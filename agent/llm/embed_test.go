package llm_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// embeds answers an embeddings request with one vector per text, in reverse order. The first
// component is the length of the text.
func embeds(r *http.Request) (*http.Response, error) {
	raw, err := r.GetBody()
	if err != nil {
		return nil, err
	}
	var q struct{ Input []string }
	if err := json.NewDecoder(raw).Decode(&q); err != nil {
		return nil, err
	}
	var data []string
	for i := len(q.Input) - 1; i >= 0; i-- {
		data = append(data, fmt.Sprintf(`{"index":%d,"embedding":[%d,0.5]}`, i, len(q.Input[i])))
	}
	body := fmt.Sprintf(`{"data":[%s],"usage":{"prompt_tokens":%d,"total_tokens":%d}}`, strings.Join(data, ","),
		len(data), len(data))
	return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(body))}, nil
}

var _ = Describe("Client.Embed", func() {
	It("X1: returns the vectors in the order of the texts, and sends batches of the size that the provider accepts",
		func() {
			var texts []string
			for i := range 23 {
				texts = append(texts, strings.Repeat("x", i+1))
			}
			s := &script{steps: []step{status(500, ""), embeds}}
			events, _ := simulate(func(ctx context.Context) {
				c := client(s, of("dashscope"), func(c *llm.Config) { c.Dimensions = 2 })
				vectors, usage, err := c.Embed(ctx, texts)
				Expect(err).NotTo(HaveOccurred())
				Expect(vectors).To(HaveLen(23))
				for i, v := range vectors {
					Expect(v).To(Equal([]float32{float32(i + 1), 0.5}))
				}
				Expect(usage.PromptTokens).To(Equal(23))
			})
			Expect(s.asked).To(HaveLen(4), "three batches, one of them twice")
			Expect(s.body(0)["dimensions"]).To(BeEquivalentTo(2))
			Expect(spans(events)).To(HaveLen(4))
			Expect(reasons(events, trace.KindRetry)).To(Equal([]string{"server_error"}))
		})

	DescribeTable("returns a malformed-response error if the response does not contain exactly one vector for each text",
		func(body string) {
			s := &script{steps: []step{status(200, body)}}
			_, _, err := client(s).Embed(context.Background(), []string{"a", "b"})
			Expect(err).To(MatchError(llm.KindMalformedResponse))
		},
		Entry("one vector for two texts", `{"data":[{"index":0,"embedding":[1]}]}`),
		Entry("two vectors with the same index", `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`),
		Entry("a vector with an index out of range",
			`{"data":[{"index":0,"embedding":[1]},{"index":2,"embedding":[1]}]}`),
		Entry("an empty vector", `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[]}]}`),
		Entry("vectors of different lengths", `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}`),
		Entry("an object where the list of vectors belongs", `{"data":{}}`),
	)

	It("sends no request if there are no texts or one of them is empty", func() {
		s := &script{steps: []step{embeds}}
		Expect(client(s).Embed(context.Background(), nil)).To(BeEmpty())
		_, _, err := client(s).Embed(context.Background(), []string{"a", ""})
		Expect(err).To(MatchError(llm.KindBadRequest))
		Expect(s.asked).To(BeEmpty())
	})
})
