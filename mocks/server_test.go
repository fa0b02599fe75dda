package mocks_test

import (
	"context"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/mocks"
	"evalctl/mocks/component"
	"evalctl/mocks/fault"
	"evalctl/mocks/latency"
	"evalctl/mocks/model"
	"evalctl/mocks/wire"
)

var _ = Describe("a mock server", func() {
	const body = `{"model":"m","messages":[{"role":"user","content":"x"}]}`

	DescribeTable("is not created from an invalid configuration, and the error names the field",
		func(cfg mocks.Config, parts ...string) {
			_, err := mocks.New(cfg)
			for _, p := range parts {
				Expect(err).To(MatchError(ContainSubstring(p)))
			}
		},
		Entry(nil, mocks.Config{Latency: map[string]latency.Latency{"rooter": {}}}, "Config.Latency",
			"rooter", "router"),
		Entry(nil, mocks.Config{Latency: map[string]latency.Latency{"chat": latency.Constant(-1)}},
			"Config.Latency[chat]", "negative"),
		Entry(nil, mocks.Config{Faults: []fault.Fault{{Component: "chat", Kind: fault.TaskFailed}}}, "Config.Faults[0]",
			"task_failed", "chat"),
		Entry(nil, mocks.Config{Faults: []fault.Fault{{Component: "chat", Kind: fault.Reset, Percent: -1}}},
			"Config.Faults[0]", "-1"),
		Entry(nil, mocks.Config{Model: &model.SimulatedCritic{}}, "Config.Model", "SimulatedCritic.Quality"),
		Entry(nil, mocks.Config{Images: mocks.ImageConfig{Running: -1}}, "Config.Images", "Running"),
	)

	DescribeTable("determines the role of the caller from the form of a chat request",
		func(request string, want component.Role) {
			s := newServer(mocks.Config{})
			Expect(post(s, "/compatible-mode/v1/chat/completions", request).Code).To(Equal(200))
			Expect(s.Log()[0].Role).To(Equal(want))
			Expect(s.Calls(string(want))).To(Equal(1))
		},
		Entry(nil, `{"model":"m","messages":[{"role":"user","content":"x"}]}`, component.Chat),
		Entry(nil, `{"model":"m","response_format":{"type":"json_object"},"messages":[{"role":"user","content":"json"}]}`, component.Router),
		Entry(nil, `{"model":"m","response_format":{"type":"text"},"messages":[{"role":"user","content":"json"}]}`,
			component.Chat),
		Entry(nil, `{"model":"m","enable_search":true,"response_format":{"type":"json_object"},"messages":[{"role":"user","content":"json"}]}`, component.Search),
		Entry(nil, `{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"http://x"}},{"type":"text","text":"x"}]}]}`, component.Vision),
		Entry("a system message with \"score\" in JSON mode: a critic",
			`{"model":"m","response_format":{"type":"json_object"},"messages":[{"role":"system","content":"JSON: {\"passed\":true,\"score\":0.8}"},{"role":"user","content":"x"}]}`, component.Critic),
		Entry("a critic's request with an image",
			`{"model":"m","response_format":{"type":"json_object"},"messages":[{"role":"system","content":"json \"score\""},{"role":"user","content":[{"type":"image_url","image_url":{"url":"http://x"}},{"type":"text","text":"x"}]}]}`, component.Critic),
		Entry("a system message with \"score\" without JSON mode: chat",
			`{"model":"m","messages":[{"role":"system","content":"\"score\""},{"role":"user","content":"x"}]}`,
			component.Chat),
		Entry("the word score without quotes: a router",
			`{"model":"m","response_format":{"type":"json_object"},"messages":[{"role":"system","content":"json score"},{"role":"user","content":"x"}]}`, component.Router),
		Entry("a user message with \"score\" in JSON mode: a router",
			`{"model":"m","response_format":{"type":"json_object"},"messages":[{"role":"user","content":"json \"score\""}]}`, component.Router),
		Entry("a system message with \"score\" and enable_search: search",
			`{"model":"m","enable_search":true,"response_format":{"type":"json_object"},"messages":[{"role":"system","content":"json \"score\""},{"role":"user","content":"x"}]}`, component.Search),
	)

	It("passes the messages, tools and number of the request to the model", func() {
		var got model.Request
		m := model.Func(func(r model.Request) model.Answer { got = r; return model.Answer{} })
		post(newServer(mocks.Config{Model: m}), "/api/v3/chat/completions",
			`{"model":"ep-1","tools":[{"type":"function","function":{"name":"f"}}],
			"messages":[{"role":"system","content":"s"},{"role":"user","content":[{"type":"text","text":"a\nb"},{"type":"text","text":"c"}]},{"role":"assistant","content":"d"}]}`)
		Expect(got.Messages).To(
			Equal([]model.Message{{Role: "system", Text: "s"}, {Role: "user", Text: "a\nb\nc"},
				{Role: "assistant", Text: "d"}}))
		Expect(got.Text).To(Equal("a\nb\nc"))
		Expect(got.Tools).To(Equal([]string{"f"}))
		Expect(got.CallNumber).To(Equal(1))
	})

	It("never returns search results in DashScope's compatible mode", func() {
		w := post(newServer(mocks.Config{}), "/compatible-mode/v1/chat/completions",
			`{"model":"qwen-plus","enable_search":true,"search_options":{"enable_source":true},"messages":[{"role":"user","content":"x"}]}`)
		Expect(w.Body.String()).NotTo(ContainSubstring("search_"))
	})

	It("stores only the last 256 requests in its log", func() {
		s := newServer(mocks.Config{})
		for range mocks.LogSize + 5 {
			post(s, "/v1/chat/completions", body)
		}
		log := s.Log()
		Expect(log).To(HaveLen(mocks.LogSize))
		Expect(log[0].CallNumber).To(Equal(6))
		Expect(log[len(log)-1].CallNumber).To(Equal(mocks.LogSize + 5))
	})

	It("returns the same bytes for the same seed", func() {
		play := func(seed uint64) (text string) {
			s := newServer(mocks.Config{Seed: seed})
			simulate(s, func(ctx context.Context, c *http.Client) {
				for range 3 {
					_, b := fetch(ctx, c, "POST", "/v1/chat/completions", body)
					text += b
				}
			})
			return text
		}
		Expect(play(1)).To(Equal(play(1)))
		Expect(play(1)).NotTo(Equal(play(2)))
	})

	It("is safe for concurrent clients", func() {
		s := newServer(mocks.Config{
			Latency: map[string]latency.Latency{"chat": latency.Constant(time.Millisecond)},
			Faults:  []fault.Fault{{Component: "chat", Kind: fault.ServerError, Percent: 20}},
		})
		c := newClient(s, wire.OpenAI)
		g, ctx := clock.NewGroup(context.Background(), 8)
		for range 8 {
			g.Go("client", func(context.Context) error {
				for range 25 {
					_, _ = c.CreateChatCompletion(ctx, ask("m", "x")) // some calls fail because of the fault
					s.Log()
				}
				return nil
			})
		}
		Expect(g.Wait()).To(Succeed())
		Expect(s.Calls("chat")).To(Equal(200))
	})
})
