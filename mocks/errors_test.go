package mocks_test

import (
	"context"
	"errors"
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	openai "github.com/sashabaranov/go-openai"

	"evalctl/mocks"
	"evalctl/mocks/fault"
	"evalctl/mocks/model"
	"evalctl/mocks/wire"
)

var _ = Describe("simulated error responses", func() {
	request := map[wire.Dialect]string{}
	for d, m := range chatModels {
		request[d] = `{"model":"` + m + `","messages":[{"role":"user","content":"x"}]}`
	}

	DescribeTable("have the provider's status and body",
		func(d wire.Dialect, kind fault.Kind, status int, body string) {
			s := newServer(mocks.Config{Faults: []fault.Fault{{Component: "chat", Kind: kind}}})
			w := post(s, bases[d]+"/chat/completions", request[d])
			Expect(w.Code).To(Equal(status))
			Expect(w.Header().Get("Content-Type")).To(Equal("application/json"))
			Expect(withoutIDs(w.Body.String())).To(MatchRegexp("^" + body + "$"))
		},
		Entry(nil, wire.OpenAI, fault.RateLimited, 429,
			`{"error":{"message":"[^"]+","type":"requests","param":null,"code":"rate_limit_exceeded"}}`),
		Entry(nil, wire.OpenAI, fault.NoBalance, 429,
			`{"error":{"message":"[^"]+","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`),
		Entry(nil, wire.OpenAI, fault.ServerError, 500,
			`{"error":{"message":"[^"]+","type":"server_error","param":null,"code":null}}`),
		Entry(nil, wire.OpenAI, fault.Overloaded, 503,
			`{"error":{"message":"[^"]+","type":"service_unavailable_error","param":null,"code":"server_is_overloaded"}}`),
		Entry(nil, wire.OpenAI, fault.Auth, 401,
			`{"error":{"message":"[^"]+","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`),
		Entry(nil, wire.OpenAI, fault.ContentBlocked, 400,
			`{"error":{"message":"[^"]+","type":"invalid_request_error","param":null,"code":"[^"]+"}}`),
		Entry(nil, wire.DeepSeek, fault.NoBalance, 402,
			`{"error":{"message":"Insufficient Balance","type":"unknown_error","param":null,"code":"invalid_request_error"}}`),
		Entry(nil, wire.DeepSeek, fault.Auth, 401,
			`{"error":{"message":"Authentication Fails[^"]+1234[^"]*","type":"authentication_error","param":null,"code":"invalid_request_error"}}`),
		Entry(nil, wire.DeepSeek, fault.RateLimitedNoRetryAfter, 429,
			`{"error":{"message":"[^"]+","type":"[^"]+","param":null,"code":"invalid_request_error"}}`),
		Entry(nil, wire.DeepSeek, fault.Overloaded, 503,
			`{"error":{"message":"[^"]+","type":"[^"]+","param":null,"code":"invalid_request_error"}}`),
		Entry(nil, wire.DashScope, fault.RateLimited, 429,
			`{"error":{"message":"[^"]+","type":"limit_requests","param":null,"code":"limit_requests"},"request_id":"I"}`),
		Entry(nil, wire.DashScope, fault.NoBalance, 400,
			`{"error":{"message":"[^"]+","type":"invalid_request_error","param":null,"code":"Arrearage"},"request_id":"I"}`),
		Entry(nil, wire.DashScope, fault.ContentBlocked, 400,
			`{"error":{"message":"[^"]*DataInspectionFailed[^"]*","type":"invalid_request_error","param":null,"code":"data_inspection_failed"},"request_id":"I"}`),
		Entry(nil, wire.DashScope, fault.Auth, 401,
			`{"error":{"message":"[^"]+","type":"invalid_request_error","param":null,"code":"invalid_api_key"},"request_id":"I"}`),
		Entry(nil, wire.DashScope, fault.Overloaded, 503,
			`{"error":{"message":"[^"]+","type":"internal_error","param":null,"code":"internal_error"},"request_id":"I"}`),
		Entry(nil, wire.Ark, fault.Overloaded, 429,
			`{"error":{"code":"ServerOverloaded","message":"[^"]+ Request id: R","param":"","type":"TooManyRequests"}}`),
		Entry(nil, wire.Ark, fault.Auth, 401,
			`{"error":{"code":"AuthenticationError","message":"The API key format is incorrect. Request id: R","param":"","type":"Unauthorized"}}`),
		Entry(nil, wire.Ark, fault.NoBalance, 403,
			`{"error":{"code":"AccountOverdueError","message":"[^"]+","param":"","type":"Forbidden"}}`),
		Entry(nil, wire.Ark, fault.ServerError, 500,
			`{"error":{"code":"InternalServiceError","message":"[^"]+","param":"","type":"InternalServerError"}}`),
		Entry(nil, wire.Ark, fault.ContentBlocked, 400,
			`{"error":{"code":"SensitiveContentDetected","message":"[^"]+","param":"","type":"BadRequest"}}`),
	)

	DescribeTable("to image requests have DashScope's flat format",
		func(kind fault.Kind, status int, code string) {
			s := newServer(mocks.Config{Faults: []fault.Fault{{Component: "image", Kind: kind}}})
			w := post(s, syncPath, draw("qwen-image", `[{"text":"x"}]`, `{}`))
			Expect(w.Code).To(Equal(status))
			Expect(withoutIDs(w.Body.String())).
				To(MatchRegexp(`^{"request_id":"I","code":"` + code + `","message":"[^"]+"}$`))
			Expect(w.Header().Get("X-Request-Id")).NotTo(BeEmpty())
			w = post(s, taskPath, `{"model":"qwen-image","input":{"prompt":"x"}}`, async)
			Expect(w.Code).To(Equal(status))
			Expect(withoutIDs(w.Body.String())).
				To(MatchRegexp(`^{"code":"` + code + `","message":"[^"]+","request_id":"I"}$`))
		},
		Entry(nil, fault.RateLimited, 429, "Throttling.RateQuota"),
		Entry(nil, fault.NoBalance, 400, "Arrearage"),
		Entry(nil, fault.Auth, 401, "InvalidApiKey"),
		Entry(nil, fault.ServerError, 500, "InternalError.Algo"),
		Entry(nil, fault.Overloaded, 503, "ModelServingError"),
		Entry(nil, fault.ContentBlocked, 400, "DataInspectionFailed"),
	)

	DescribeTable("that a script specifies get the provider's usual values for the status",
		func(d wire.Dialect, status int, part string) {
			m := model.Func(func(model.Request) model.Answer {
				return model.Answer{ErrorResponse: &model.ErrorResponse{Status: status}}
			})
			w := post(newServer(mocks.Config{Model: m}), bases[d]+"/chat/completions", request[d])
			Expect(w.Code).To(Equal(status))
			Expect(w.Body.String()).To(ContainSubstring(part))
		},
		Entry(nil, wire.OpenAI, 400, `"type":"invalid_request_error"`),
		Entry(nil, wire.OpenAI, 401, `"code":"invalid_api_key"`),
		Entry(nil, wire.OpenAI, 403, `not supported`),
		Entry(nil, wire.OpenAI, 404, `"code":"model_not_found"`),
		Entry(nil, wire.DeepSeek, 402, `Insufficient Balance`),
		Entry(nil, wire.DeepSeek, 413, `too large`),
		Entry(nil, wire.DashScope, 405, `method_not_allowed`),
		Entry(nil, wire.DashScope, 500, `internal_error`),
		Entry(nil, wire.Ark, 502, `ServerOverloaded`),
		Entry(nil, wire.Ark, 404, `InvalidEndpointOrModel.NotFound`),
	)

	It("reach the go-openai client as API errors, streamed or not", func() {
		s := newServer(mocks.Config{Faults: []fault.Fault{{Component: "chat", Kind: fault.NoBalance}}})
		c := newClient(s, wire.DeepSeek)
		_, err := c.CreateChatCompletion(context.Background(), ask("deepseek-chat", "x"))
		var api *openai.APIError
		Expect(errors.As(err, &api)).To(BeTrue())
		Expect(api.HTTPStatusCode).To(Equal(402))
		Expect(api.Message).To(Equal("Insufficient Balance"))
		_, err = c.CreateChatCompletionStream(context.Background(), ask("deepseek-chat", "x"))
		Expect(errors.As(err, &api)).To(BeTrue())
		Expect(api.HTTPStatusCode).To(Equal(402))
	})

	It("contain Retry-After for the fault rate_limited, but not for rate_limited_no_retry_after", func() {
		s := newServer(mocks.Config{Faults: []fault.Fault{
			{Component: "chat", Kind: fault.RateLimited, CallNumber: 1, Delay: 2500e6},
			{Component: "chat", Kind: fault.RateLimitedNoRetryAfter, CallNumber: 2},
		}})
		c := newClient(s, wire.OpenAI)
		res, err := c.CreateChatCompletion(context.Background(), ask("m", "x"))
		Expect(err).To(HaveOccurred())
		Expect(res.Header().Get("Retry-After")).To(Equal("3"))
		Expect(res.GetRateLimitHeaders().RemainingRequests).To(Equal(0))
		res, err = c.CreateChatCompletion(context.Background(), ask("m", "x"))
		Expect(err).To(HaveOccurred())
		Expect(res.Header().Get("Retry-After")).To(BeEmpty())
		_, err = c.CreateChatCompletion(context.Background(), ask("m", "x"))
		Expect(err).NotTo(HaveOccurred())
	})

	DescribeTable("to unknown paths, wrong methods, invalid JSON and too large bodies have the provider's format",
		func(path, form string) {
			s := newServer(mocks.Config{})
			Expect(post(s, path+"/nonsense", `{}`).Code).To(Equal(404))
			Expect(post(s, path+"/nonsense", `{}`).Body.String()).To(ContainSubstring(form))
		},
		Entry("OpenAI", "/v1", `"type":"invalid_request_error","param":null`),
		Entry("DeepSeek", "", `"param":null,"code":"invalid_request_error"`),
		Entry("DashScope, compatible mode", "/compatible-mode/v1", `},"request_id":"`),
		Entry("DashScope, native", "/api/v1", `{"code":"NotFound","message":"`),
		Entry("Ark", "/api/v3", `"param":"","type":"NotFound"}}`),
	)

	for d := range bases {
		path := bases[d] + "/chat/completions"
		It("are sent by "+string(d)+" for invalid requests, wrong methods and too large bodies", func() {
			s := newServer(mocks.Config{})
			w := send(s, "GET", path, "")
			Expect(w.Code).To(Equal(405))
			Expect(w.Header().Get("Allow")).To(Equal("POST"))
			for _, body := range []string{``, `{`, `[]`, `{"model":1}`,
				`{"model":"m","messages":[{"role":"user","content":7}]}`,
				`{"model":"m","messages":null}`, `{"messages":[{"role":"user","content":"x"}]}`,
				`{"model":"` + chatModels[d] + `","messages":[{"role":"king","content":"x"}]}`} {
				Expect(post(s, path, body).Code).To(Equal(400), body)
			}
			huge := post(s, path, `{"model":"`+strings.Repeat("x", wire.MaxBodyBytes)+`"}`)
			Expect(huge.Code).To(Equal(413))
			Expect(s.Calls("chat")).To(BeZero(), "refused requests are no calls")
		})
	}

	It("have status 404 for embeddings of DeepSeek, which has none", func() {
		Expect(post(newServer(mocks.Config{}), "/embeddings", `{}`).Code).To(Equal(http.StatusNotFound))
	})
})

var _ = Describe("the validation of chat requests", func() {
	const user = `"messages":[{"role":"user","content":"x"}]`
	const thinkingTurn = `"messages":[{"role":"user","content":"x"},{"role":"assistant","content":"","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","content":"1"}]`

	DescribeTable("refuses a request if the provider refuses it, and accepts it otherwise",
		func(path, request, message string) {
			w := post(newServer(mocks.Config{}), path+"/chat/completions", request)
			if message == "" {
				Expect(w.Code).To(Equal(200), w.Body.String())
				return
			}
			Expect(w.Code).To(Equal(400))
			Expect(w.Body.String()).To(ContainSubstring(message))
		},
		Entry("OpenAI: JSON mode without the word json", "/v1",
			`{"model":"m","response_format":{"type":"json_object"},`+user+`}`,
			`must contain the word 'json'`),
		Entry("OpenAI: JSON mode with the word JSon is accepted", "/v1",
			`{"model":"m","response_format":{"type":"json_object"},"messages":[{"role":"user","content":"给我 JSon"}]}`,
			``),
		Entry("OpenAI: json_schema without the word json is accepted", "/v1",
			`{"model":"m","response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{}}},`+user+`}`,
			``),
		Entry("OpenAI: the role developer is accepted", "/v1",
			`{"model":"m","messages":[{"role":"developer","content":"x"}]}`, ``),
		Entry("DeepSeek: JSON mode without the word json", "",
			`{"model":"deepseek-chat","response_format":{"type":"json_object"},`+user+`}`,
			`Prompt must contain the word 'json'`),
		Entry("DeepSeek: json_schema is not supported", "",
			`{"model":"deepseek-chat","response_format":{"type":"json_schema"},`+user+`}`,
			`response_format`),
		Entry("DeepSeek: the role developer is unknown", "",
			`{"model":"deepseek-chat","messages":[{"role":"developer","content":"x"}]}`,
			"unknown variant `developer`"),
		Entry("DeepSeek: an unknown model", "", `{"model":"gpt-4o",`+user+`}`, `but you passed gpt-4o.`),
		Entry("DeepSeek: tool_choice required while thinking", "",
			`{"model":"deepseek-flash","tool_choice":"required",`+user+`}`,
			`thinking mode`),
		Entry("DeepSeek: tool_choice required without thinking is accepted", "",
			`{"model":"deepseek-flash","thinking":{"type":"disabled"},"tool_choice":"required",`+user+`}`, ``),
		Entry("DeepSeek: a content with parts for an old model", "",
			`{"model":"deepseek-chat","messages":[{"role":"user","content":[{"type":"text","text":"x"}]}]}`,
			`invalid type: sequence, expected a string`),
		Entry("DeepSeek: a thinking turn without reasoning_content", "", `{"model":"deepseek-flash",`+thinkingTurn+`}`,
			"The `reasoning_content` in the thinking mode must be passed back"),
		Entry("DeepSeek: a tool name with a space", "",
			`{"model":"deepseek-flash","tools":[{"type":"function","function":{"name":"a b"}}],`+user+`}`,
			`function name`),
		Entry("DashScope: JSON mode without the word json", "/compatible-mode/v1",
			`{"model":"q","response_format":{"type":"json_object"},`+
				user+`}`, `<400> InternalError.Algo.InvalidParameter: 'messages' must contain the word 'json'`),
		Entry("DashScope: JSON mode while thinking", "/compatible-mode/v1",
			`{"model":"q","enable_thinking":true,"response_format":{"type":"json_object"},"messages":[{"role":"user","content":"json"}]}`, `enable_thinking`),
		Entry("DashScope: a message without content", "/compatible-mode/v1",
			`{"model":"q","messages":[{"role":"user"}]}`,
			`content field is a required field`),
		Entry("DashScope: an empty content is accepted", "/compatible-mode/v1",
			`{"model":"q","messages":[{"role":"user","content":""}]}`, ``),
		Entry("DashScope: tool_choice required", "/compatible-mode/v1",
			`{"model":"q","tool_choice":"required",`+user+`}`, `tool_choice`),
		Entry("DashScope: temperature 2", "/compatible-mode/v1", `{"model":"q","temperature":2,`+user+`}`,
			`[0.0, 2.0)`),
		Entry("DashScope: top_p 0", "/compatible-mode/v1", `{"model":"q","top_p":0,`+user+`}`, `top_p`),
		Entry("DashScope: a tool named search", "/compatible-mode/v1",
			`{"model":"q","tools":[{"type":"function","function":{"name":"search"}}],`+user+`}`, `search`),
		Entry("DashScope: enable_search with a vision model", "/compatible-mode/v1",
			`{"model":"qwen-vl-plus","enable_search":true,`+user+`}`, `This model does not support enable_search.`),
		Entry("DashScope: an image for a text model", "/compatible-mode/v1",
			`{"model":"qwen-turbo","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"http://x"}}]}]}`, `input content must be a string.`),
		Entry("DashScope: n above 4", "/compatible-mode/v1", `{"model":"q","n":5,`+user+`}`, `[1, 4]`),
		Entry("DashScope: n above 1 with tools", "/compatible-mode/v1",
			`{"model":"q","n":2,"tools":[{"type":"function","function":{"name":"f"}}],`+user+`}`, `n parameter`),
		Entry("DashScope: top_logprobs above 5", "/compatible-mode/v1", `{"model":"q","top_logprobs":6,`+user+`}`,
			`top_logprobs`),
		Entry("DashScope: tool_choice of a function while thinking", "/compatible-mode/v1",
			`{"model":"q","enable_thinking":true,"tool_choice":{"type":"function"},`+user+`}`, `thinking mode`),
		Entry("DeepSeek: top_logprobs above 20", "", `{"model":"deepseek-chat","top_logprobs":21,`+user+`}`,
			`top_logprobs`),
		Entry("DeepSeek: a user_id of more than 512 bytes", "",
			`{"model":"deepseek-chat","user_id":"`+strings.Repeat("u", 513)+`",`+user+`}`,
			`user_id`),
		Entry("DashScope: an open-weight model without enable_thinking false", "/compatible-mode/v1",
			`{"model":"qwen3-8b",`+user+`}`,
			`enable_thinking must be set to false`),
		Entry("DashScope: an unknown key is accepted and ignored", "/compatible-mode/v1",
			`{"model":"q","strange":1,`+user+`}`, ``),
		Entry("Ark: a message without content", "/api/v3", `{"model":"ep-1","messages":[{"role":"user"}]}`,
			`"code":"MissingParameter"`),
		Entry("Ark: both max_tokens and max_completion_tokens", "/api/v3",
			`{"model":"ep-1","max_tokens":1,"max_completion_tokens":1,`+user+`}`,
			`"param":"max_tokens","type":"BadRequest"`),
		Entry("Ark: five stop sequences", "/api/v3", `{"model":"ep-1","stop":["1","2","3","4","5"],`+user+`}`, `stop`),
		Entry("OpenAI: max_tokens 0", "/v1", `{"model":"m","max_tokens":0,`+user+`}`,
			`{"error":{"message":"Invalid 'max_tokens': integer below minimum value. Expected a value >= 1, but got 0 instead.","type":"invalid_request_error","param":"max_tokens","code":"integer_below_min_value"}}`),
		Entry("OpenAI: negative max_completion_tokens", "/v1", `{"model":"m","max_completion_tokens":-1,`+user+`}`,
			`"param":"max_completion_tokens","code":"integer_below_min_value"`),
		Entry("DeepSeek: negative max_tokens", "", `{"model":"deepseek-flash","max_tokens":-5,`+user+`}`, `max_tokens`),
		Entry("DashScope: max_tokens 0", "/compatible-mode/v1", `{"model":"q","max_tokens":0,`+user+`}`,
			`InvalidParameter: Invalid 'max_tokens'`),
		Entry("Ark: max_tokens 0", "/api/v3", `{"model":"ep-1","max_tokens":0,`+user+`}`, `max_tokens`),
		Entry("Ark: max_completion_tokens 0 is accepted, meaning no limit", "/api/v3",
			`{"model":"ep-1","max_completion_tokens":0,`+user+`}`, ``),
		Entry("OpenAI: a user message with content null", "/v1",
			`{"model":"m","messages":[{"role":"user","content":null}]}`,
			`"param":"messages.[0].content"`),
		Entry("OpenAI: a user message without content", "/v1",
			`{"model":"m","messages":[{"role":"user","content":"x"},{"role":"user"}]}`,
			`"param":"messages.[1].content"`),
		Entry("OpenAI: an assistant message without content is accepted", "/v1",
			`{"model":"m","messages":[{"role":"assistant","content":null},{"role":"user","content":"x"}]}`, ``),
		Entry("Ark: JSON mode without the word json", "/api/v3",
			`{"model":"ep-1","response_format":{"type":"json_object"},`+user+`}`, `json`),
	)

	DescribeTable("refuses models that are not listed only if Config.Strict is set", func(path, known, code string) {
		for name, status := range map[string]int{known: 200, "gpt-99": 404} {
			chat, vectors := `{"model":"`+name+`",`+user+`}`, `{"model":"text-`+name+`","input":"x"}`
			Expect(post(newServer(mocks.Config{}), path+"/chat/completions", chat).Code).To(Equal(200))
			Expect(post(newServer(mocks.Config{}), path+"/embeddings", vectors).Code).To(Equal(200))
			w := post(newServer(mocks.Config{Strict: true}), path+"/chat/completions", chat)
			Expect(w.Code).To(Equal(status), w.Body.String())
			if status == 404 {
				Expect(w.Body.String()).To(ContainSubstring(code))
				w = post(newServer(mocks.Config{Strict: true}), path+"/embeddings", vectors)
				Expect(w.Code).To(Equal(404))
			}
		}
	},
		Entry("OpenAI", "/v1", "gpt-4o",
			"`gpt-99` does not exist or you do not have access to it.\",\"type\":\"invalid_request_error\",\"param\":null,\"code\":\"model_not_found\""),
		Entry("DashScope", "/compatible-mode/v1", "qwen-plus", `"model_not_found"`),
	)

	It("refuses deprecated model names only if Config.Strict is set", func() {
		s := newServer(mocks.Config{Strict: true})
		w := post(s, "/chat/completions", `{"model":"deepseek-chat",`+user+`}`)
		Expect(w.Code).To(Equal(400))
		Expect(w.Body.String()).
			To(Equal(`{"error":{"message":"The supported API model names are deepseek-flash, deepseek-v4-flash and deepseek-v4-pro, but you passed deepseek-chat.","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}`))
	})
})
