package backend_test

import (
	"context"
	"net/http/httptest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/search/web"
	"evalctl/agent/system"
	"evalctl/eval/suite"
	"evalctl/mocks"
	"evalctl/mocks/backend"
)

var _ = Describe("L5: the endpoint of a web search component", func() {
	reader := system.System{Name: "reader",
		Components: []system.Component{{Name: "router", Role: system.RoleRouter},
			{Name: "look-up", Role: system.RoleSearchEngine}}}
	// finds performs a web search at an endpoint and returns the engine that was called.
	// defaultValue is the engine if the endpoint names none.
	finds := func(ctx context.Context, l system.Endpoint, defaultValue string) (engine string) {
		GinkgoHelper()
		cfg := web.Config{Engine: defaultValue, BaseURL: l.BaseURL, APIKey: l.APIKey, HTTP: l.HTTP}
		if l.Provider != "" {
			cfg.Engine = l.Provider
		}
		c, err := web.New(cfg)
		Expect(err).NotTo(HaveOccurred())
		found, err := c.Search(ctx, "图神经网络", 3)
		Expect(err).NotTo(HaveOccurred())
		Expect(found.Pages).To(HaveLen(3))
		return cfg.Engine
	}

	DescribeTable("is a simulated search engine", func(ctx context.Context, model, want string) {
		l := backend.LinkTo(reader, "look-up", suite.Model{Model: model})
		Expect(l.Model).To(BeEmpty())
		Expect(finds(ctx, l, "bocha")).To(Equal(want))
	},
		Entry("chosen by the caller if the suite names none", "", "bocha"),
		Entry("named in the suite", "tavily", "tavily"),
		Entry("written in the suite as tavily:, like the provider of a model", "tavily:", "tavily"),
	)

	DescribeTable("is a real search engine if the suite has its URL, with the API key from an environment variable",
		func(ctx context.Context, engine, path, env string) {
			GinkgoT().Setenv(env, "right-key-0123")
			s, err := mocks.New(mocks.Config{APIKey: "right-key-0123"})
			Expect(err).NotTo(HaveOccurred())
			srv := httptest.NewServer(s)
			DeferCleanup(srv.Close)
			l := backend.LinkTo(reader, "look-up", suite.Model{Model: engine, BaseURL: srv.URL + path, APIKeyEnv: env})
			Expect(finds(ctx, l, "")).To(Equal(engine))
		},
		Entry(nil, "tavily", "", "TAVILY_API_KEY"),
		Entry(nil, "bocha", "/v1", "BOCHA_API_KEY"),
	)
})
