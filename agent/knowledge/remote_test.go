package knowledge_test

import (
	"context"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/agent/knowledge"
	"evalctl/agent/llm"
	"evalctl/mocks"
	"evalctl/mocks/fault"
	"evalctl/mocks/latency"
	"evalctl/mocks/transport"
)

// remote returns an embedder that calls a mock of DashScope, which takes a second per call.
func remote(faults ...fault.Fault) knowledge.APIEmbedder {
	GinkgoHelper()
	server, err := mocks.New(mocks.Config{Faults: faults,
		Latency: map[string]latency.Latency{"embedding": latency.Constant(time.Second)}})
	Expect(err).NotTo(HaveOccurred())
	c, err := llm.New(llm.Config{
		Node: "rag", Provider: "dashscope", Model: "text-embedding-v4", APIKey: "sk-test", Dimensions: 256,
		HTTP: &http.Client{Transport: transport.Transport{Handler: server}}, Retries: llm.NoRetries,
	})
	Expect(err).NotTo(HaveOccurred())
	return knowledge.APIEmbedder{Client: c}
}

var _ = Describe("An embedder that calls a provider", func() {
	It("X1: creates a library and searches it", func() {
		e := remote()
		Expect(e.Name()).To(Equal("dashscope/text-embedding-v4"))
		Expect(clock.RunSimulated(background, midnight, func(ctx context.Context) error {
			l, err := knowledge.New(ctx, sampleStyles(), e)
			Expect(err).NotTo(HaveOccurred())
			defer l.Close()
			Expect(clock.Since(ctx, midnight)).To(Equal(2*time.Second), "13 names, ten at once")
			hits, err := l.Search(ctx, e, knowledge.Query{Texts: []string{"赛博朋克", "猫"}, MinSimilarity: 0.6})
			Expect(ids(hits)).To(Equal([]string{"cyberpunk"}))
			Expect(clock.Since(ctx, midnight)).To(Equal(3 * time.Second))
			return err
		})).To(Succeed())
	})

	It("S3: makes the search fail if the provider fails", func() {
		broken, err := fault.Parse("embedding:server_error@3", nil)
		Expect(err).NotTo(HaveOccurred())
		e := remote(broken...)
		Expect(clock.RunSimulated(background, midnight, func(ctx context.Context) error {
			l, err := knowledge.New(ctx, sampleStyles(), e)
			Expect(err).NotTo(HaveOccurred())
			defer l.Close()
			_, err = l.Search(ctx, e, knowledge.Query{Texts: []string{"水墨"}})
			return err
		})).To(MatchError(llm.KindServerError))
	})
})
