package llm_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/llm"
)

var _ = Describe("A chat request", func() {
	chat := func(r llm.Request, change ...func(*llm.Config)) map[string]any {
		GinkgoHelper()
		s := &script{steps: []step{says("ok")}}
		_, err := client(s, change...).Chat(context.Background(), r)
		Expect(err).NotTo(HaveOccurred())
		return s.body(0)
	}
	asJSON := func() llm.Request { r := ask("json"); r.JSON = true; return r }
	disabled := map[string]any{"type": "disabled"}

	DescribeTable("X9: switches reasoning off in JSON mode, with the field of each provider",
		func(provider, key string, want any) {
			b := chat(asJSON(), of(provider))
			Expect(b["response_format"]).To(Equal(map[string]any{"type": "json_object"}))
			if key != "" {
				Expect(b[key]).To(Equal(want))
			}
			Expect(chat(ask("json"), of(provider))).NotTo(Or(HaveKey("thinking"), HaveKey("enable_thinking")))
		},
		Entry(nil, "deepseek", "thinking", disabled),
		Entry(nil, "ark", "thinking", disabled),
		Entry(nil, "dashscope", "enable_thinking", false),
		Entry(nil, "openai", "", nil),
	)

	It("X1: contains extra fields at the top level; those of the request override those of the client", func() {
		r := ask("hi")
		r.Extras = map[string]any{"enable_search": true, "search_options": map[string]any{"forced_search": true}}
		b := chat(r, func(c *llm.Config) { c.Extras = map[string]any{"enable_search": false, "top_k": 3} })
		Expect(b["enable_search"]).To(BeTrue())
		Expect(b["search_options"]).To(Equal(map[string]any{"forced_search": true}))
		Expect(b["top_k"]).To(BeEquivalentTo(3))
		Expect(b["model"]).To(Equal("deepseek-flash"))
	})

	It("X1: contains each field once, with the value of the extra field, even if a message contains the field's name",
		func() {
			r := asJSON()
			r.Messages[0].Text = `"top_k":1, json`
			r.Extras = map[string]any{"response_format": map[string]any{"type": "text"},
				"role": "no message's", "top_k": 3,
				"max_completion_tokens": 7}
			r.MaxTokens = 10
			s := &script{steps: []step{says("ok")}}
			_, err := client(s, of("openai")).Chat(context.Background(), r)
			Expect(err).NotTo(HaveOccurred())
			Expect(s.body(0)).To(And(HaveKeyWithValue("response_format", map[string]any{"type": "text"}),
				HaveKeyWithValue("role", "no message's"),
				HaveKeyWithValue("top_k", 3.0), HaveKeyWithValue("max_completion_tokens", 7.0)))
			for _, name := range []string{`"response_format":`, `"max_completion_tokens":`, `"top_k":`} {
				Expect(strings.Count(s.bodies[0], name)).To(Equal(1), name)
			}
			Expect(s.body(0)["messages"]).
				To(Equal([]any{map[string]any{"role": "user", "content": r.Messages[0].Text}}))
		})

	It("X1: contains its extra fields over a real connection, with and without streaming", func() {
		var bodies []string
		var lengths []int64
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			raw, _ := io.ReadAll(r.Body)
			bodies, lengths = append(bodies, string(raw)), append(lengths, r.ContentLength-int64(len(raw)))
			if strings.Contains(string(raw), `"stream":true`) {
				io.WriteString(w, "data: "+delta("ok")+"\n\ndata: "+stop+"\n\ndata: [DONE]\n\n")
				return
			}
			io.WriteString(w, "\n\n\n"+`{"choices":[{"message":{"content":"ok"},"finish_reason":"stop"}]}`)
		}))
		defer srv.Close()
		c, err := llm.New(llm.Config{Provider: "dashscope", Model: "qwen-plus", BaseURL: srv.URL + "/api/v3/"})
		Expect(err).NotTo(HaveOccurred())
		r := ask("<hi>")
		r.Extras = map[string]any{"enable_search": true}
		for range 2 {
			a, err := c.Chat(context.Background(), r)
			Expect(err).NotTo(HaveOccurred())
			Expect(a.Content).To(Equal("ok"))
			a, err = c.Stream(context.Background(), r, nil)
			Expect(err).NotTo(HaveOccurred())
			Expect(a.Content).To(Equal("ok"))
		}
		Expect(bodies).To(HaveEach(ContainSubstring(`"enable_search":true`)))
		Expect(lengths).To(HaveEach(BeZero()))
	})

	It("X2: returns a timeout error if the stream of a real connection stalls", func() {
		release := make(chan struct{})
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, "data: "+delta("a")+"\n\n")
			w.(http.Flusher).Flush()
			<-release
		}))
		defer srv.Close()
		defer close(release)
		c, err := llm.New(llm.Config{Model: "m", BaseURL: srv.URL, Timeout: 50 * time.Millisecond})
		Expect(err).NotTo(HaveOccurred())
		a, err := c.Stream(context.Background(), ask("hi"), nil)
		Expect(err).To(MatchError(llm.KindTimeout))
		Expect(a.Content).To(Equal("a"))
	})

	It("X2: returns a reset error if a real connection breaks before or during the answer", func() {
		for _, sent := range []string{"", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{",
			"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\ndata:\r\n"} {
			calls := 0
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				calls++
				conn, _, err := w.(http.Hijacker).Hijack()
				if err == nil {
					_, _ = io.WriteString(conn, sent)
					_ = conn.Close()
				}
			}))
			c, err := llm.New(llm.Config{Model: "m", BaseURL: srv.URL, Retries: llm.NoRetries})
			Expect(err).NotTo(HaveOccurred())
			_, err = c.Chat(context.Background(), ask("hi"))
			Expect(err).To(MatchError(llm.KindConnectionReset))
			_, err = c.Stream(context.Background(), ask("hi"), nil)
			Expect(err).To(MatchError(llm.KindConnectionReset))
			srv.Close()
			_, err = c.Chat(context.Background(), ask("hi"))
			Expect(err).To(MatchError(llm.KindConnectionReset), "nobody listens")
			Expect(calls).To(Equal(2))
		}
	})

	It("X9: contains the field content for an empty text only if the provider requires it", func() {
		r := llm.Request{Messages: []llm.Message{llm.SystemMessage("s"), llm.UserMessage("")}}
		message := func(provider string) any { return chat(r, of(provider))["messages"].([]any)[1] }
		Expect(message("dashscope")).To(Equal(map[string]any{"role": "user", "content": ""}))
		Expect(message("openai")).To(Equal(map[string]any{"role": "user"}))
	})

	It("T10: contains images as parts before the text", func() {
		b := chat(llm.Request{Messages: []llm.Message{llm.UserMessage("what?", "https://e.x/a.png",
			"data:image/png;base64,AA")}}, of("dashscope"))
		Expect(b["messages"].([]any)[0].(map[string]any)["content"]).To(Equal([]any{
			map[string]any{"type": "image_url", "image_url": map[string]any{"url": "https://e.x/a.png"}},
			map[string]any{"type": "image_url", "image_url": map[string]any{"url": "data:image/png;base64,AA"}},
			map[string]any{"type": "text", "text": "what?"},
		}))
	})

	It("contains a temperature of zero, and the token limit under the provider's field name", func() {
		zero, warm := 0.0, 0.7
		Expect(chat(ask("hi"))).NotTo(Or(HaveKey("temperature"), HaveKey("max_tokens")))
		r := ask("hi")
		r.Temperature, r.MaxTokens = &zero, 50
		b := chat(r, func(c *llm.Config) { c.Temperature = &warm })
		Expect(b["temperature"]).To(BeEquivalentTo(0))
		Expect(b["max_tokens"]).To(BeEquivalentTo(50))
		b = chat(ask("hi"), of("openai"), func(c *llm.Config) { c.Temperature, c.MaxTokens = &warm, 60 })
		Expect(b["temperature"]).To(Equal(0.7))
		Expect(b["max_completion_tokens"]).To(BeEquivalentTo(60))
	})

	It("returns an error before it is sent if it is empty or invalid", func() {
		s := &script{steps: []step{says("ok")}}
		bad := ask("hi")
		bad.Extras = map[string]any{"f": func() {}}
		stream := ask("hi")
		stream.Extras = map[string]any{"stream": true}
		for _, r := range []llm.Request{{}, {Messages: []llm.Message{{Text: "x"}}}, bad, stream} {
			_, err := client(s).Chat(context.Background(), r)
			Expect(err).To(MatchError(llm.KindBadRequest))
		}
		Expect(s.asked).To(BeEmpty())
	})
})

var _ = Describe("llm.New", func() {
	DescribeTable("returns an error that names the invalid field of the configuration",
		func(field string, change func(*llm.Config)) {
			cfg := llm.Config{Provider: "openai", Model: "m", APIKey: "k"}
			change(&cfg)
			_, err := llm.New(cfg)
			Expect(err).To(MatchError(HavePrefix("llm.Config." + field + ":")))
		},
		Entry(nil, "Provider", func(c *llm.Config) { c.Provider = "nobody" }),
		Entry(nil, "Model", func(c *llm.Config) { c.Model = "" }),
		Entry(nil, "APIKey", func(c *llm.Config) { c.APIKey = "" }),
		Entry(nil, "BaseURL", func(c *llm.Config) { c.BaseURL = "ftp://x" }),
		Entry(nil, "BaseURL", func(c *llm.Config) { c.Provider = "" }),
		Entry(nil, "Timeout", func(c *llm.Config) { c.Timeout = -1 }),
		Entry(nil, "Retries", func(c *llm.Config) { c.Retries = -2 }),
		Entry(nil, "Temperature", func(c *llm.Config) { t := 3.0; c.Temperature = &t }),
		Entry(nil, "MaxTokens", func(c *llm.Config) { c.MaxTokens = -1 }),
		Entry(nil, "Dimensions", func(c *llm.Config) { c.Dimensions = -1 }),
		Entry(nil, "Extras", func(c *llm.Config) { c.Extras = map[string]any{"messages": 1} }),
	)

	It("X1: accepts every provider, and any base URL without a key", func() {
		var names []string
		for _, p := range llm.Providers() {
			names = append(names, p.Name)
		}
		Expect(names).To(Equal([]string{"openai", "deepseek", "dashscope", "ark", "tavily", "bocha", "ragflow",
			"baseline", "generic"}))
		_, err := llm.New(llm.Config{Model: "m", BaseURL: "http://localhost:8080/v1"})
		Expect(err).NotTo(HaveOccurred())
		_, ok := llm.LookupProvider("nobody")
		Expect(ok).To(BeFalse())
	})

	It("returns an error for a model of a provider without models", func() {
		_, err := llm.New(llm.Config{Provider: "tavily", Model: "m", APIKey: "k"})
		Expect(err).To(MatchError("llm.Config.Provider: tavily has no models"))
	})

	DescribeTable("has model specifications that SplitModel splits into provider and name",
		func(text, provider, model string) {
			p, name := llm.ParseModel(text)
			Expect([]string{p.Name, name}).To(Equal([]string{provider, model}))
		},
		Entry(nil, "deepseek:deepseek-chat", "deepseek", "deepseek-chat"),
		Entry(nil, "qwen2.5:7b", "generic", "qwen2.5:7b"),
		Entry(nil, "deepseek", "generic", "deepseek"),
		Entry(nil, "", "generic", ""),
		Entry(nil, "tavily", "tavily", ""),
		Entry(nil, "bocha:", "bocha", ""),
	)
})
