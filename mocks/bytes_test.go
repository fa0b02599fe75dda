package mocks_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/mocks"
	"evalctl/mocks/model"
)

// The tests compare the exact bytes that real providers send, with ids and times replaced.
var _ = Describe("the bytes of a chat answer", func() {
	hi := model.Func(func(r model.Request) model.Answer {
		a := model.Answer{Content: "hi",
			Usage: &model.Usage{PromptTokens: 10, CompletionTokens: 5, ReasoningTokens: 0, CachedTokens: 8}}
		if strings.HasPrefix(r.Text, "think") {
			a.Reasoning, a.Usage.ReasoningTokens = "22", 3
		}
		return a
	})
	const (
		openAIUsage   = `{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15,"prompt_tokens_details":{"cached_tokens":8,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}}`
		deepSeekUsage = `{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15,"prompt_tokens_details":{"cached_tokens":8},"completion_tokens_details":{"reasoning_tokens":3},"prompt_cache_hit_tokens":8,"prompt_cache_miss_tokens":2}`
		deepSeekHead  = `"created":1,"model":"deepseek-v4-flash","system_fingerprint":"fp_mock_prod0820_fp8_kvcache","choices":[`
	)

	DescribeTable("equal those of the real provider without streaming",
		func(path, request, want string) {
			w := post(newServer(mocks.Config{Model: hi}), path, request)
			Expect(w.Header().Get("Content-Type")).To(Equal("application/json"))
			Expect(withoutIDs(w.Body.String())).To(Equal(want))
		},
		Entry("OpenAI", "/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"x"}]}`,
			`{"id":"I","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"hi","refusal":null},"logprobs":null,"finish_reason":"stop"}],"usage":`+openAIUsage+`}`),
		Entry("DeepSeek with thinking", "/chat/completions",
			`{"model":"deepseek-v4-flash","messages":[{"role":"user","content":"think"}]}`,
			`{"id":"I","object":"chat.completion",`+deepSeekHead+
				`{"index":0,"message":{"role":"assistant","content":"hi","reasoning_content":"22"},"logprobs":null,"finish_reason":"stop"}],"usage":`+deepSeekUsage+`}`),
	)

	DescribeTable("equal those of the real provider as a stream",
		func(path, request string, want ...string) {
			w := post(newServer(mocks.Config{Model: hi}), path, request)
			Expect(w.Header().Get("Content-Type")).To(Equal("text/event-stream"))
			Expect(withoutIDs(w.Body.String())).
				To(Equal("data: " + strings.Join(append(want, "[DONE]"), "\n\ndata: ") + "\n\n"))
		},
		Entry("OpenAI", "/v1/chat/completions",
			`{"model":"m","stream":true,"messages":[{"role":"user","content":"x"}]}`,
			`{"id":"I","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}]}`,
			`{"id":"I","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":null}]}`,
			`{"id":"I","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`),
		Entry("OpenAI with include_usage: null in each chunk, then a chunk without choices", "/v1/chat/completions",
			`{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"x"}]}`,
			`{"id":"I","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}],"usage":null}`,
			`{"id":"I","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":null}],"usage":null}`,
			`{"id":"I","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}`,
			`{"id":"I","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":`+openAIUsage+`}`),
		Entry("DeepSeek with thinking: usage in the last chunk, even if not requested", "/chat/completions",
			`{"model":"deepseek-v4-flash","stream":true,"messages":[{"role":"user","content":"think"}]}`,
			`{"id":"I","object":"chat.completion.chunk",`+deepSeekHead+
				`{"index":0,"delta":{"role":"assistant","content":null,"reasoning_content":""},"logprobs":null,"finish_reason":null}]}`,
			`{"id":"I","object":"chat.completion.chunk",`+deepSeekHead+
				`{"index":0,"delta":{"content":null,"reasoning_content":"22"},"finish_reason":null}]}`,
			`{"id":"I","object":"chat.completion.chunk",`+deepSeekHead+
				`{"index":0,"delta":{"content":"hi","reasoning_content":null},"finish_reason":null}]}`,
			`{"id":"I","object":"chat.completion.chunk",`+deepSeekHead+
				`{"index":0,"delta":{"content":"","reasoning_content":null},"logprobs":null,"finish_reason":"stop"}],"usage":`+deepSeekUsage+`}`),
		Entry("DashScope", "/compatible-mode/v1/chat/completions",
			`{"model":"q","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"x"}]}`,
			`{"id":"I","object":"chat.completion.chunk","created":1,"model":"q","system_fingerprint":null,"choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}],"usage":null}`,
			`{"id":"I","object":"chat.completion.chunk","created":1,"model":"q","system_fingerprint":null,"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":null}],"usage":null}`,
			`{"id":"I","object":"chat.completion.chunk","created":1,"model":"q","system_fingerprint":null,"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}`,
			`{"id":"I","object":"chat.completion.chunk","created":1,"model":"q","system_fingerprint":null,"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15,"prompt_tokens_details":{"cached_tokens":8}}}`),
	)

	It("contain the usage in every chunk for Ark, if the request requires it", func() {
		w := post(newServer(mocks.Config{Model: hi}), "/api/v3/chat/completions",
			`{"model":"ep-1","stream":true,"stream_options":{"chunk_include_usage":true},"messages":[{"role":"user","content":"x"}]}`)
		events := strings.Split(strings.TrimSpace(w.Body.String()), "\n\n")
		for _, e := range events[:len(events)-1] {
			Expect(e).To(ContainSubstring(`"usage":{"prompt_tokens":10,`))
		}
	})

	It("are preceded by rate-limit headers with durations for OpenAI only", func() {
		s := newServer(mocks.Config{Model: hi})
		h := post(s, "/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"x"}]}`).Header()
		Expect(h.Get("x-request-id")).To(HavePrefix("req_"))
		Expect(h.Get("x-ratelimit-limit-requests")).To(Equal("10000"))
		Expect(h.Get("x-ratelimit-reset-requests")).To(Equal("6ms"))
		Expect(h.Get("openai-processing-ms")).NotTo(BeEmpty())
		h = post(s, "/chat/completions", `{"model":"deepseek-chat","messages":[{"role":"user","content":"x"}]}`).
			Header()
		Expect(h.Get("x-ratelimit-limit-requests")).To(BeEmpty())
		h = post(s, "/api/v3/chat/completions", `{"model":"m","messages":[{"role":"user","content":"x"}]}`,
			"X-Client-Request-Id: abc").Header()
		Expect(h.Get("X-Client-Request-Id")).To(Equal("abc"))
	})

	It("contain ids in the provider's format", func() {
		s := newServer(mocks.Config{})
		const rest = `"messages":[{"role":"user","content":"x"}]}`
		const uuid = `[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`
		Expect(post(s, "/v1/chat/completions", `{"model":"m",`+rest).Body.String()).
			To(MatchRegexp(`^\{"id":"chatcmpl-[0-9A-Za-z]{29}"`))
		Expect(post(s, "/chat/completions", `{"model":"deepseek-chat",`+rest).Body.String()).
			To(MatchRegexp(`^\{"id":"` + uuid + `"`))
		Expect(post(s, "/compatible-mode/v1/chat/completions", `{"model":"m",`+rest).Body.String()).
			To(MatchRegexp(`^\{"id":"chatcmpl-` + uuid + `"`))
		Expect(post(s, "/api/v3/chat/completions", `{"model":"m",`+rest).Body.String()).
			To(MatchRegexp(`^\{"id":"02\d{13}[0-9a-f]{32}"`))
	})

	It("are valid JSON for any text", func() {
		text := "\x00\x1f\"\\\t\r\n\u2028<&>日本\xff\xc3é"
		w := post(newServer(mocks.Config{Model: constantModel(text)}), "/v1/chat/completions",
			`{"model":"m","messages":[{"role":"user","content":"x"}]}`)
		var res struct {
			Choices []struct{ Message struct{ Content string } }
		}
		decode(w.Body.String(), &res)
		Expect(res.Choices[0].Message.Content).
			To(Equal(strings.ToValidUTF8("\x00\x1f\"\\\t\r\n\u2028<&>日本", "") + "\ufffd\ufffdé"))
	})
})
