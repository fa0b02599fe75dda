package proxy_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	openai "github.com/sashabaranov/go-openai"

	"evalctl/mocks/component"
	"evalctl/mocks/fault"
	"evalctl/mocks/model"
	"evalctl/mocks/proxy"
)

// serials matches the ids and times that differ between two answers of a mock provider.
var serials = regexp.MustCompile(
	`Expires=\d+|Signature=[^"]*|pictures/\w+|\d\d:\d\d:\d\d\.\d+|chatcmpl-\w+|"created":\d+|call_\w+|req_\w+|[0-9a-f]{8}-[0-9a-f-]{27}`)

// stream returns the text that a go-openai client receives from a stream.
func stream(at string) (said string, err error) {
	r := routerRequest()
	r.Stream = true
	s, err := client(at).CreateChatCompletionStream(context.Background(), r)
	if err != nil {
		return "", err
	}
	defer s.Close()
	finished := false
	for {
		chunk, err := s.Recv()
		switch {
		case errors.Is(err, io.EOF) && !finished:
			return said, errors.New("no finish_reason")
		case errors.Is(err, io.EOF):
			return said, nil
		case err != nil:
			return said, err
		}
		for _, c := range chunk.Choices {
			said += c.Delta.Content
			finished = finished || c.FinishReason != ""
		}
	}
}

var _ = Describe("The proxy", func() {
	It("forwards every answer unchanged if no fault is configured", func() {
		direct, s := setUp("", nil), setUp("", nil) // two mock providers, because each numbers its calls
		for _, asked := range [][2]string{
			{"/v1/chat/completions", plainBody}, {"/v1/chat/completions?x=1", streamBody},
			{"/chat/completions", toolBody}, {"/v1/models"},
			{"/v1/embeddings", `{"model":"m","input":"x"}`}, {"/nowhere", `{`},
			{"/compatible-mode/v1/chat/completions", `{"model":`},
		} {
			path, body := asked[0], asked[1]
			direct, want := post(direct.provider+path, body)
			through, got := post(s.proxy+path, body)
			Expect(serials.ReplaceAllString(got, "")).To(Equal(serials.ReplaceAllString(want, "")), path)
			Expect(through.StatusCode).To(Equal(direct.StatusCode), path)
			for _, h := range []http.Header{direct.Header, through.Header} {
				h.Del("Date")
				for name, v := range h {
					h[name] = []string{serials.ReplaceAllString(v[0], "")}
				}
			}
			Expect(through.Header).To(Equal(direct.Header), path)
			Expect(through.ContentLength).To(Equal(direct.ContentLength), path)
		}
		for _, c := range s.logged(7) {
			Expect(c.Faults).To(BeEmpty())
			Expect(fmt.Sprint(c)).NotTo(ContainSubstring("sk-the-key"))
		}
	})

	It("forwards each chunk of a stream as soon as it arrives", func() {
		next := make(chan string)
		upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			Expect(r.Header.Get("Authorization")).To(Equal("Bearer sk-the-key"), "keys pass")
			w.Header().Set("Content-Type", "text/event-stream")
			for piece := range next {
				_, _ = io.WriteString(w, piece)
				w.(http.Flusher).Flush()
			}
		}))
		DeferCleanup(upstream.Close)
		s := (&testSetup{}).before(upstream.URL, "chat:truncated_stream@2", nil)
		r, err := http.NewRequest("POST", s.proxy+"/v1/chat/completions", strings.NewReader(plainBody))
		Expect(err).NotTo(HaveOccurred())
		r.Header.Set("Authorization", "Bearer sk-the-key")
		go func() { next <- "data: 1\n\n" }()
		resp, err := http.DefaultClient.Do(r)
		Expect(err).NotTo(HaveOccurred())
		defer resp.Body.Close()
		for _, piece := range []string{"data: 2\n\n", "data: 3\n\n"} {
			buf := make([]byte, 9)
			_, err = io.ReadFull(resp.Body, buf)
			Expect(err).NotTo(HaveOccurred(), "it is here before the next one is sent")
			next <- piece
		}
		close(next)
	})

	DescribeTable("returns error responses in the provider's format without calling the provider",
		func(kind string, status int, code string) {
			s := setUp("router:"+kind+"@1", nil)
			_, err := client(s.proxy).CreateChatCompletion(context.Background(), routerRequest())
			var output *openai.APIError
			Expect(errors.As(err, &output)).To(BeTrue(), "%v", err)
			Expect(output.HTTPStatusCode).To(Equal(status))
			Expect(fmt.Sprint(output.Code, output.Type)).To(ContainSubstring(code))
			Expect(s.asked.Log()).To(BeEmpty())
			_, err = client(s.proxy).CreateChatCompletion(context.Background(), routerRequest())
			Expect(err).NotTo(HaveOccurred(), "@1 is the first call alone")
			calls := s.logged(2)
			Expect(calls[0].Faults).To(Equal([]string{"router:" + kind + "@1"}))
			Expect([]int{calls[0].Status, calls[0].CallNumber, calls[1].Status, calls[1].CallNumber}).
				To(Equal([]int{status, 1, 200, 2}))
		},
		Entry(nil, "rate_limited", 429, "rate_limit"), Entry(nil, "rate_limited_no_retry_after", 429, "rate_limit"),
		Entry(nil, "server_error", 500, "server_error"),
		Entry(nil, "overloaded", 503, ""), Entry(nil, "auth", 401, "invalid_api_key"),
		Entry(nil, "no_balance", 429, "insufficient_quota"),
		Entry(nil, "content_blocked", 400, ""),
	)

	It("returns the delay of a rate limit in each provider's format", func() {
		s := setUp("router:rate_limited=7s@1+embedding:rate_limited_no_retry_after", nil)
		resp, _ := post(s.proxy+"/v1/chat/completions", plainBody)
		Expect(resp.Header.Get("Retry-After")).To(Equal("7"))
		Expect(resp.Header.Get("X-Ratelimit-Remaining-Requests")).To(Equal("0"))
		resp, body := post(s.proxy+"/api/v3/embeddings", `{}`)
		Expect(resp.Header).NotTo(HaveKey("Retry-After"))
		Expect(body).To(ContainSubstring("Request id: "), "as Ark says")
	})

	It("drops the connection under the fault reset, and hangs under timeout", func() {
		s := setUp("router:reset@1+router:timeout@2", nil)
		_, err := client(s.proxy).CreateChatCompletion(context.Background(), routerRequest())
		Expect(err).To(HaveOccurred())
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		_, err = client(s.proxy).CreateChatCompletion(ctx, routerRequest())
		Expect(err).To(MatchError(context.DeadlineExceeded))
		Expect(s.asked.Log()).To(BeEmpty())
		Expect(s.logged(2)).To(HaveEach(HaveField("Status", 0)))
	})

	It("delays the answer under the fault slow", func() {
		s := setUp("router:slow=40ms", nil)
		began := time.Now()
		_, err := client(s.proxy).CreateChatCompletion(context.Background(), routerRequest())
		Expect(err).NotTo(HaveOccurred())
		Expect(time.Since(began)).To(BeNumerically(">=", 40*time.Millisecond))
	})

	DescribeTable("changes the provider's answer, streamed or not", func(kind string, is func(string) bool) {
		s := setUp("router:"+kind, nil)
		whole, err := client(s.proxy).CreateChatCompletion(context.Background(), routerRequest())
		Expect(err).NotTo(HaveOccurred())
		Expect(is(whole.Choices[0].Message.Content)).To(BeTrue(), whole.Choices[0].Message.Content)
		Expect(whole.Usage.TotalTokens).To(BeNumerically(">", 0), "the rest stays")
		said, err := stream(s.proxy)
		Expect(err).NotTo(HaveOccurred())
		Expect(is(said)).To(BeTrue(), said)
		Expect(s.asked.Log()).To(HaveLen(2), "the provider is asked")
	},
		Entry(nil, "low_confidence", func(s string) bool { return s == strings.Replace(answer, "0.9", "0.2", 1) }),
		Entry(nil, "empty_content", func(s string) bool { return s == "" }),
		Entry(nil, "malformed_json", func(s string) bool { return s != "" && s != answer && !json.Valid([]byte(s)) }),
		Entry(nil, "wrong_schema",
			func(s string) bool { return s != answer && strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") }),
	)

	It("changes the arguments of tool calls, or removes the tool calls, streamed or not", func() {
		weather := openai.Tool{Type: "function", Function: &openai.FunctionDefinition{Name: "weather"}}
		for kind, want := range map[string]string{"low_confidence": `{"city":"Oslo","confidence":0.2}`,
			"empty_content": ""} {
			s := setUp("router:"+kind, func(c *proxy.Config) { c.ComponentName = "router" })
			r := openai.ChatCompletionRequest{Model: "m", Messages: routerRequest().Messages,
				Tools: []openai.Tool{weather}}
			whole, err := client(s.proxy).CreateChatCompletion(context.Background(), r)
			Expect(err).NotTo(HaveOccurred())
			r.Stream = true
			st, err := client(s.proxy).CreateChatCompletionStream(context.Background(), r)
			Expect(err).NotTo(HaveOccurred())
			streamed, reason := "", ""
			for {
				chunk, err := st.Recv()
				if errors.Is(err, io.EOF) {
					break
				}
				Expect(err).NotTo(HaveOccurred())
				for _, t := range chunk.Choices[0].Delta.ToolCalls {
					streamed += t.Function.Arguments
				}
				reason += string(chunk.Choices[0].FinishReason)
			}
			Expect(streamed).To(Equal(want))
			if want == "" {
				Expect(whole.Choices[0].Message.ToolCalls).To(BeEmpty())
				Expect([]string{string(whole.Choices[0].FinishReason), reason}).To(Equal([]string{"stop", "stop"}))
				continue
			}
			Expect(whole.Choices[0].Message.ToolCalls[0].Function.Arguments).To(Equal(want))
			Expect(whole.Choices[0].Message.ToolCalls[0].Function.Name).To(Equal("weather"))
		}
	})

	DescribeTable("ends a stream after a few chunks, and changes an answer without streaming",
		func(kind, streamed string, status int, whole string) {
			s := setUp("router:"+kind, nil)
			ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
			defer cancel()
			r, err := http.NewRequestWithContext(ctx, "POST", s.proxy+"/v1/chat/completions",
				strings.NewReader(streamBody))
			Expect(err).NotTo(HaveOccurred())
			r.Header.Set("Authorization", "Bearer k")
			resp, err := http.DefaultClient.Do(r)
			Expect(err).NotTo(HaveOccurred())
			b, err := io.ReadAll(resp.Body)
			Expect(fmt.Sprint(err)).To(ContainSubstring(streamed))
			Expect(string(b)).NotTo(ContainSubstring("[DONE]"))
			Expect(strings.Count(string(b), `"delta":{"content":`)).To(BeNumerically("~", 4, 1))
			Expect(strings.Contains(string(b), `data: {"error":{`)).To(Equal(kind == "error_in_stream"))

			again, cancelAgain := context.WithTimeout(context.Background(), 100*time.Millisecond)
			defer cancelAgain()
			r, err = http.NewRequestWithContext(again, "POST", s.proxy+"/v1/chat/completions",
				strings.NewReader(plainBody))
			Expect(err).NotTo(HaveOccurred())
			r.Header.Set("Authorization", "Bearer k")
			resp, err = http.DefaultClient.Do(r)
			Expect(err).NotTo(HaveOccurred())
			Expect(resp.StatusCode).To(Equal(status))
			b, err = io.ReadAll(resp.Body)
			Expect(string(b) + fmt.Sprint(err)).To(ContainSubstring(whole))
		},
		Entry(nil, "truncated_stream", "nil", 200, `"finish_reason":"length"`),
		Entry(nil, "stalled_stream", "deadline", 200, "deadline"),
		Entry(nil, "error_in_stream", "nil", 500, `"type":"server_error"`),
	)

	DescribeTable("changes the status of an image task", func(kind, status string) {
		s := setUp("image:"+kind+"@1", nil)
		const create = "/api/v1/services/aigc/text2image/image-synthesis"
		ask := func() string {
			r, err := http.NewRequest("POST", s.proxy+create,
				strings.NewReader(`{"model":"wanx-v1","input":{"prompt":"a cat"}}`))
			Expect(err).NotTo(HaveOccurred())
			r.Header.Set("Authorization", "Bearer k")
			r.Header.Set("X-DashScope-Async", "enable")
			resp, err := http.DefaultClient.Do(r)
			Expect(err).NotTo(HaveOccurred())
			b, err := io.ReadAll(resp.Body)
			Expect(err).NotTo(HaveOccurred())
			return regexp.MustCompile(`"task_id":"([^"]+)"`).FindStringSubmatch(string(b))[1]
		}
		affected, spared := ask(), ask()
		time.Sleep(20 * time.Millisecond)
		_, body := post(s.proxy+"/api/v1/tasks/"+affected, "")
		Expect(body).To(And(ContainSubstring(`"task_status":"`+status+`"`), ContainSubstring(affected),
			Not(ContainSubstring(`"url"`))))
		_, body = post(s.proxy+"/api/v1/tasks/"+spared, "")
		Expect(body).To(ContainSubstring(`"task_status":"SUCCEEDED"`))
	},
		Entry(nil, "task_failed", "FAILED"), Entry(nil, "task_endless", "RUNNING"),
	)

	It("removes the results of a search under the fault empty_content", func() {
		s := setUp("search_engine:empty_content", nil)
		direct, want := post(s.provider+"/search", `{"query":"x"}`)
		Expect(direct.StatusCode).To(Equal(200))
		Expect(want).To(ContainSubstring(`"url"`))
		_, got := post(s.proxy+"/search", `{"query":"x"}`)
		Expect(got).To(And(ContainSubstring(`"results":[]`), ContainSubstring(`"query":"x"`)))
	})

	It("injects random faults into the same calls for the same seed", func() {
		affected := func(seed uint64) (nth []int) {
			s := setUp("router:auth%30", func(c *proxy.Config) { c.Seed = seed })
			for range 40 {
				post(s.proxy+"/v1/chat/completions", plainBody)
			}
			for _, c := range s.logged(40) {
				if len(c.Faults) > 0 {
					nth = append(nth, c.CallNumber)
				}
			}
			return nth
		}
		one := affected(1)
		Expect(len(one)).To(BeNumerically("~", 12, 8))
		Expect(affected(1)).To(Equal(one))
		Expect(affected(2)).NotTo(Equal(one))
	})

	It("derives the calling component from the prompt, or assigns all calls to one component", func() {
		s := setUp("", func(c *proxy.Config) {
			c.Components = component.Components{"planner": component.Router, "chat": component.Chat}
			c.ComponentOfPrompt = func(r model.Request) string {
				if strings.Contains(r.Text, "hello") {
					return "planner"
				}
				return ""
			}
		})
		post(s.proxy+"/v1/chat/completions",
			strings.Replace(plainBody, `,"response_format":{"type":"json_object"}`, "", 1))
		post(s.proxy+"/v1/chat/completions", toolBody)
		calls := s.logged(2)
		Expect([]string{calls[0].Component, calls[1].Component}).To(Equal([]string{"planner", "chat"}))
		s = setUp("", func(c *proxy.Config) { c.ComponentName = "critic" })
		post(s.proxy+"/v1/chat/completions", toolBody)
		Expect(s.logged(1)[0].Component).To(Equal("critic"))
	})

	It("reports an unreachable provider; the report contains none of the client's API keys", func() {
		s := (&testSetup{}).before("http://127.0.0.1:1", "", nil)
		resp, body := post(s.proxy+"/v1/chat/completions?key=sk-query", plainBody)
		Expect(resp.StatusCode).To(Equal(502))
		Expect(body).To(Equal("evalctl proxy: the provider did not answer\n"))
		Expect(fmt.Sprintf("%+v", s.logged(1)[0])).To(And(ContainSubstring("refused"), Not(ContainSubstring("sk-"))))
	})

	It("returns an error if an answer is too long to be changed", func() {
		upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			for range 17 << 10 {
				_, _ = w.Write(make([]byte, 1<<10))
			}
		}))
		DeferCleanup(upstream.Close)
		s := (&testSetup{}).before(upstream.URL, "router:low_confidence", nil)
		resp, _ := post(s.proxy+"/v1/chat/completions", plainBody)
		Expect(resp.StatusCode).To(Equal(502))
		Expect(s.logged(1)[0].Note).To(ContainSubstring("more than 16777216 bytes"))
	})

	DescribeTable("is not created from an invalid configuration", func(change func(*proxy.Config), message string) {
		cfg := proxy.Config{Target: &url.URL{Scheme: "https", Host: "x"}}
		change(&cfg)
		_, err := proxy.New(cfg)
		Expect(err).To(MatchError(ContainSubstring(message)))
	},
		Entry(nil, func(c *proxy.Config) { c.Target = nil }, "Config.Target: is not an http URL"),
		Entry(nil, func(c *proxy.Config) { c.Target.User = url.User("k") }, "Config.Target: contains a password"),
		Entry(nil, func(c *proxy.Config) { c.ComponentName = "nobody" },
			`Config.ComponentName: unknown component "nobody"`),
		Entry(nil, func(c *proxy.Config) { c.Faults = []fault.Fault{{Component: "router", Kind: fault.FallbackLabel}} },
			"Config.Faults[0]: router:fallback_label: the labels"),
		Entry(nil, func(c *proxy.Config) { c.Faults = []fault.Fault{{Component: "store", Kind: fault.Timeout}} },
			"not called over HTTP"),
		Entry(nil, func(c *proxy.Config) { c.Faults = []fault.Fault{{Component: "chat", Kind: fault.TaskFailed}} },
			"makes no sense for chat"),
	)
})
