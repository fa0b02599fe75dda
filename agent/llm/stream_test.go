package llm_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// body is a step that returns text unchanged as the response body.
func body(text string) step {
	return func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(text))}, nil
	}
}

// open is a response body that never ends: after its parts, it blocks for an hour.
type open struct{ drip }

func (b *open) Read(p []byte) (int, error) {
	if len(b.parts) == 0 {
		return 0, clock.Sleep(b.ctx, time.Hour)
	}
	n, err := b.drip.Read(p)
	b.every = time.Second
	return n, err
}

var _ = Describe("Client.Stream", func() {
	play := func(c *llm.Client) (a llm.Response, chunks []string, events []trace.Event, duration time.Duration,
		err error) {
		GinkgoHelper()
		events, duration = simulate(func(ctx context.Context) {
			a, err = c.Stream(ctx, ask("hi"), func(s string) error { chunks = append(chunks, s); return nil })
		})
		return a, chunks, events, duration, err
	}

	It("X2: emits the chunks in order and measures the time to the first chunk", func() {
		s := &script{steps: []step{frames(time.Second, nil, delta(""), delta("你"), delta("好"), stop, tail, done)}}
		a, chunks, events, _, err := play(client(s, of("openai")))
		Expect(err).NotTo(HaveOccurred())
		Expect(chunks).To(Equal([]string{"你", "好"}))
		Expect(a.Content).To(Equal("你好"))
		Expect(a.FinishReason).To(Equal("stop"))
		Expect(a.TTFT).To(Equal(2 * time.Second))
		Expect(a.Duration).To(Equal(6 * time.Second))
		Expect(a.Usage).To(Equal(llm.Usage{PromptTokens: 10, CompletionTokens: 5, Total: 15, CachedTokens: 8}))
		Expect(spans(events)[0].TTFT).To(Equal(2 * time.Second))
		Expect(spans(events)[0].Tokens).To(Equal(trace.Tokens{In: 10, Out: 5, CachedIn: 8}))
		Expect(s.body(0)["stream_options"]).To(Equal(map[string]any{"include_usage": true}))
	})

	It("X2: returns reasoning separately and does not count it as the first chunk", func() {
		s := &script{steps: []step{frames(time.Second, nil,
			`{"choices":[{"index":0,"delta":{"role":"assistant","content":null,"reasoning_content":""}}]}`,
			`{"choices":[{"index":0,"delta":{"content":null,"reasoning_content":"hm"}}]}`,
			`{"choices":[{"index":0,"delta":{"content":"4","reasoning_content":null}}]}`,
			`{"choices":[{"index":0,"delta":{"content":""},"finish_reason":"stop"}],`+usage+`}`, done)}}
		a, chunks, _, _, err := play(client(s))
		Expect(err).NotTo(HaveOccurred())
		Expect(chunks).To(Equal([]string{"4"}))
		Expect(a.Reasoning).To(Equal("hm"))
		Expect(a.TTFT).To(Equal(3 * time.Second))
		Expect(a.Usage.Total).To(Equal(15))
		Expect(s.body(0)).NotTo(HaveKey("stream_options"))
	})

	It("X2: emits reasoning as it arrives, redacted and before the content that follows it", func() {
		muse := func(text string) string {
			return `{"choices":[{"index":0,"delta":{"content":null,"reasoning_content":"` + text + `"}}]}`
		}
		broken := frames(time.Second, syscall.ECONNRESET, muse("first."))
		s := &script{steps: []step{broken,
			frames(time.Second, nil, muse("my key is "+longKey[:5]), muse(longKey[5:]), muse(" or "+longKey[:5]),
				delta("4"), stop, done)}}
		var heard []string
		note := func(mark string) func(string) error {
			return func(text string) error { heard = append(heard, mark+text); return nil }
		}
		simulate(func(ctx context.Context) {
			a, err := client(s, func(c *llm.Config) { c.APIKey = longKey }).StreamReasoning(ctx, ask("hi"),
				note("said "), note("thought "))
			Expect(err).NotTo(HaveOccurred())
			Expect(a.Content + a.Reasoning).To(Equal("4my key is [redacted] or " + longKey[:5]))
			Expect(a.Attempts).To(Equal(2))
		})
		Expect(strings.Join(heard, "|")).
			To(Equal("thought first.|thought my key is |thought [redacted]|thought  or |thought " +
				longKey[:5] + "|said 4"))
	})

	It("T9: stops when the callback for reasoning returns an error", func() {
		s := &script{steps: []step{frames(0, nil, `{"choices":[{"index":0,"delta":{"reasoning_content":"hm"}}]}`,
			delta("a"), stop, done)}}
		gone := errors.New("gone")
		simulate(func(ctx context.Context) {
			_, err := client(s).StreamReasoning(ctx, ask("hi"), nil, func(string) error { return gone })
			Expect(err).To(And(MatchError(gone), MatchError(llm.KindCanceled)))
		})
		Expect(s.asked).To(HaveLen(1))
	})

	DescribeTable("15.25: emits refusals, and content that is a list of parts",
		func(content, thoughts string, refused bool, pieces ...string) {
			var data []string
			for _, piece := range pieces {
				data = append(data, `{"choices":[{"index":0,"delta":{`+piece+`}}]}`)
			}
			s := &script{steps: []step{frames(0, nil, append(data, stop, done)...)}}
			a, chunks, _, _, err := play(client(s))
			Expect(err).NotTo(HaveOccurred())
			Expect([]any{a.Content, strings.Join(chunks, ""), a.Reasoning, a.Refused}).
				To(Equal([]any{content, content, thoughts, refused}))
			Expect(llm.KindOf(client(s).CheckAnswer(a)) == llm.KindRefusal).To(Equal(refused))
		},
		Entry("a refusal in two pieces", "I cannot.", "", true, `"refusal":"I can"`, `"content":null,"refusal":"not."`),
		Entry("a refusal after content", "ok", "", false, `"content":"ok"`, `"refusal":"no"`),
		Entry("content in parts", "ok then", "", false, `"content":[{"type":"text","text":"ok"}]`,
			`"content":[{"type":"text","text":" "},{"type":"text","text":"then"}]`),
		Entry("reasoning and a refusal as parts", "no", "hm", true,
			`"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]`,
			`"content":[{"type":"refusal","refusal":"no"}]`),
		Entry("reasoning in the field reasoning", "ok", "hm", false, `"reasoning":"hm"`,
			`"content":"ok","reasoning":{"a":1}`),
	)

	It("returns an empty answer without an error", func() {
		s := &script{steps: []step{frames(0, nil, stop, done)}}
		a, chunks, _, _, err := play(client(s))
		Expect(err).NotTo(HaveOccurred())
		Expect(chunks).To(BeEmpty())
		Expect(a.IsEmpty()).To(BeTrue())
	})

	It("X2: includes failed attempts in the answer's time to the first chunk, but not in the span's", func() {
		s := &script{steps: []step{status(429, limit, "Retry-After", "5"),
			frames(time.Second, nil, delta("a"), stop, done)}}
		a, _, events, _, err := play(client(s))
		Expect(err).NotTo(HaveOccurred())
		Expect(a.TTFT).To(Equal(6 * time.Second))
		Expect(spans(events)[1].TTFT).To(Equal(time.Second))
	})

	DescribeTable("returns an error for an incomplete stream, or retries before the first chunk",
		func(first step, kind llm.ErrorKind, calls int, content string) {
			s := &script{steps: []step{first, frames(0, nil, delta("b"), stop, done)}}
			a, chunks, _, _, err := play(client(s, of("dashscope")))
			Expect(s.asked).To(HaveLen(calls))
			if kind == "" {
				Expect(err).NotTo(HaveOccurred())
			} else {
				Expect(err).To(MatchError(kind))
				Expect(failure(err).Message + failure(err).Error()).NotTo(BeEmpty())
			}
			Expect(a.Content).To(Equal(content))
			Expect(strings.Join(chunks, "")).To(Equal(content))
		},
		Entry("X2: a stream that ends without a finish_reason", frames(0, nil, delta("a"), done),
			llm.KindTruncated, 1, "a"),
		Entry("X2: a connection that breaks after a chunk, so there is no retry",
			frames(0, syscall.ECONNRESET, delta("a")),
			llm.KindTruncated, 1, "a"),
		Entry("X2: a connection that breaks before a chunk, so there is a retry",
			frames(0, syscall.ECONNRESET, delta("")), llm.ErrorKind(""), 2, "b"),
		Entry("X2: an answer that is aborted before a chunk, so there is a retry",
			frames(0, nil, `{"choices":[{"index":0,"delta":{},"finish_reason":"insufficient_system_resource"}]}`, done),
			llm.ErrorKind(""), 2, "b"),
		Entry("X2: an answer that is aborted after a chunk",
			frames(0, nil, delta("a"),
				`{"choices":[{"index":0,"delta":{},"finish_reason":"insufficient_system_resource"}]}`, done),
			llm.KindServerError, 1, "a"),
		Entry("an error event after a chunk", frames(0, nil, delta("a"), limit), llm.KindRateLimited, 1, "a"),
		Entry("an error event before a chunk, so there is a retry", frames(0, nil, limit), llm.ErrorKind(""), 2, "b"),
		Entry("an error event with a space in its JSON",
			body("data: { \"error\": {\"message\":\"m\",\"code\":\"invalid_api_key\"}}\n\n"), llm.KindAuth, 1, ""),
		Entry("an error event with further members",
			body(`data: {"error":{"message":"m","code":"data_inspection_failed"},"request_id":"r"}`+"\n\n"),
			llm.KindContentBlocked, 1, ""),
		Entry("an error event after comments",
			body(": keep-alive\n\nevent: error\nid: 1\ndata: {\"error\":{\"message\":\"m\",\"type\":\"invalid_request_error\"}}\n\n"), llm.KindBadRequest, 1, ""),
		Entry("an error event in DashScope's own format",
			body("id:1\nevent:error\n:HTTP_STATUS/400\ndata:{\"code\":\"InvalidParameter\",\"message\":\"m\"}\n\n"),
			llm.KindBadRequest, 1, ""),
		Entry("a JSON error where the stream belongs, without a newline",
			body(`{"error":{"message":"m","code":"invalid_api_key"}}`), llm.KindAuth, 1, ""),
		Entry("a JSON answer where the stream belongs", body("{\"choices\":[]}\n"), llm.KindMalformedResponse, 1, ""),
		Entry("an event with invalid JSON", frames(0, nil, delta("a"), `{"choices":[`),
			llm.KindMalformedResponse, 1, "a"),
		Entry("an empty body", body(""), llm.KindTruncated, 1, ""),
		Entry("a last event without its blank line", body("data: "+delta("a")+"\n\ndata: "+stop),
			llm.KindTruncated, 1, "a"),
		Entry("an answer that the content filter cut", frames(0, nil, delta("a"),
			`{"choices":[{"index":0,"delta":{},"finish_reason":"content_filter"}]}`, done),
			llm.KindContentBlocked, 1, "a"),
	)

	DescribeTable("reads events in every form that the standard or a service allows",
		func(text string) {
			a, _, _, _, err := play(client(&script{steps: []step{body(text)}}))
			Expect(err).NotTo(HaveOccurred())
			Expect(a.Content).To(Equal("ab"))
			Expect(a.Usage.Total).To(Equal(15))
		},
		Entry("events without a space after the colon",
			"data:"+delta("ab")+"\n\ndata:"+stop+"\n\ndata:"+tail+"\n\ndata:[DONE]\n\n"),
		Entry("lines that end in CRLF",
			"data: "+delta("ab")+"\r\n\r\ndata: "+stop+"\r\n\r\ndata: "+tail+"\r\n\r\ndata: [DONE]\r\n\r\n"),
		Entry("lines that end in CR", "data: "+delta("ab")+"\r\rdata: "+stop+"\r\rdata: "+tail+"\r\rdata: [DONE]\r\r"),
		Entry("a stream with a byte order mark",
			"\uFEFFdata: "+delta("a")+"\n\ndata: "+delta("b")+"\n\ndata: "+stop+"\n\ndata: "+tail+"\n\n"),
		Entry("an event of several lines", "data: "+strings.Replace(delta("ab"), ",", ",\ndata: ", 1)+"\n\ndata: "+
			stop+"\n\ndata: "+tail+"\n\n"),
		Entry("events without blank lines between them",
			"data: "+delta("ab")+"\ndata: "+stop+"\ndata: "+tail+"\ndata: [DONE]\n"),
		Entry("a final [DONE] without a newline",
			"data: "+delta("ab")+"\n\ndata: "+stop+"\n\ndata: "+tail+"\n\ndata: [DONE]"),
		Entry("1000 comments before the first event",
			strings.Repeat(": keep-alive\n\n", 1000)+"data: "+delta("ab")+"\n\ndata: "+stop+
				"\n\ndata: "+tail+"\n\ndata: [DONE]\n\n"),
		Entry("two events with usage; the last one counts",
			"data: "+delta("ab")+"\n\ndata: {\"choices\":[],\"usage\":{\"total_tokens\":1}}\n\ndata: "+stop+
				"\n\ndata: "+tail+"\n\n"),
		Entry("an error after [DONE], which is ignored",
			"data: "+delta("ab")+"\n\ndata: "+stop+"\n\ndata: "+tail+"\n\ndata: [DONE]\n\ndata: "+limit+"\n\n"),
		Entry("a chunk after [DONE], which is ignored",
			"data: "+delta("ab")+"\n\ndata: "+stop+"\n\ndata: "+tail+"\n\ndata: [DONE]\n\ndata: "+delta("c")+"\n\n"),
		Entry("ignored fields of unusual types",
			"data: "+strings.Replace(delta("ab"), "{", `{"id":7,"created":"now","model":null,`, 1)+"\n\ndata: "+stop+
				"\n\ndata: "+tail+"\n\n"),
		Entry("a duplicate member name",
			"data: "+strings.Replace(delta("ab"), "{", `{"choices":[],`, 1)+"\n\ndata: "+stop+
				"\n\ndata: "+tail+"\n\n"),
		Entry("an invalid usage next to text",
			"data: "+strings.Replace(delta("ab"), "{", `{"usage":"much",`, 1)+"\n\ndata: "+
				stop+"\n\ndata: "+tail+"\n\n"),
		Entry("a stream that breaks off after its finish_reason and usage",
			"data: "+delta("ab")+"\n\ndata: "+stop+"\n\ndata: "+tail+"\n\ndata: {\"cho"),
	)

	It("X2: ignores a connection reset after the finish_reason", func() {
		a, _, _, _, err := play(client(&script{steps: []step{frames(0, syscall.ECONNRESET, delta("a"), stop)}}))
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Content).To(Equal("a"))
	})

	DescribeTable("X2: ignores errors after the finish_reason, because the answer is complete",
		func(rest ...string) {
			s := &script{steps: []step{frames(time.Second, nil, append([]string{delta("a"), stop}, rest...)...)}}
			a, chunks, events, _, err := play(client(s, of("dashscope")))
			Expect(err).NotTo(HaveOccurred())
			Expect(chunks).To(Equal([]string{"a"}))
			Expect(a.Content + a.FinishReason).To(Equal("astop"))
			Expect(s.asked).To(HaveLen(1))
			Expect(spans(events)[0].Error).To(BeEmpty())
		},
		Entry("the end of the stream"),
		Entry("a usage event without a final [DONE]", tail),
		Entry("an error event", limit, done),
		Entry("an error event of the type server_error",
			`{"error":{"message":"m","type":"server_error","code":"internal_error"}}`),
		Entry("an error event after the usage", tail, limit),
		Entry("an error event in DashScope's own format", `{"code":"InternalError.Timeout","message":"m"}`),
		Entry("a usage that is not an object", `{"choices":[],"usage":"much"}`, done),
		Entry("a usage with counts of the wrong type", `{"choices":[],"usage":{"prompt_tokens":"ten"}}`, done),
		Entry("an event that breaks off", `{"choices":[`),
		Entry("an event that is not JSON", `<html>`, done),
	)

	It("X2: returns the error of an answer that the content filter cut, even if an error event follows", func() {
		cut := `{"choices":[{"index":0,"delta":{},"finish_reason":"content_filter"}]}`
		_, _, _, _, err := play(client(&script{steps: []step{frames(0, nil, delta("a"), cut, limit)}}))
		Expect(err).To(MatchError(llm.KindContentBlocked))
	})

	It("X2: waits at most 5 s for the end of the stream after the finish_reason", func() {
		for _, rest := range [][]string{nil, slices.Repeat([]string{": keep-alive\n\n"}, 100)} {
			s := &script{steps: []step{func(r *http.Request) (*http.Response, error) {
				whole := "data: " + delta("a") + "\n\ndata: " + stop + "\n\n"
				return &http.Response{StatusCode: 200,
					Body: &open{drip{ctx: r.Context(), parts: append([]string{whole}, rest...)}}}, nil
			}}}
			a, _, _, duration, err := play(client(s))
			Expect(err).NotTo(HaveOccurred())
			Expect(a.Content).To(Equal("a"))
			Expect(duration).To(Equal(5 * time.Second))
		}
	})

	It("X2: returns a timeout error for a stream that stalls, with or without comments", func() {
		for _, part := range []string{": keep-alive\n\n", ""} {
			s := &script{steps: []step{func(r *http.Request) (*http.Response, error) {
				parts := append([]string{"data: " + delta("a") + "\n\n"},
					strings.SplitAfter(strings.Repeat(part, 100), "\n\n")...)
				return &http.Response{StatusCode: 200,
					Body: &drip{ctx: r.Context(), every: 7 * time.Second, parts: parts}}, nil
			}}}
			if part == "" {
				s.steps[0] = func(r *http.Request) (*http.Response, error) {
					return &http.Response{StatusCode: 200, Body: &drip{ctx: r.Context(), every: time.Hour}}, nil
				}
			}
			_, _, _, duration, err := play(client(s))
			Expect(err).To(MatchError(llm.KindTimeout))
			Expect(err).To(MatchError(context.DeadlineExceeded))
			Expect(duration).To(Equal(20 * time.Second))
			Expect(s.asked).To(HaveLen(1))
		}
	})

	It("T9: stops and closes the body when the callback for chunks returns an error", func() {
		var opened *drip
		s := &script{steps: []step{func(r *http.Request) (*http.Response, error) {
			opened = &drip{ctx: r.Context(),
				parts: []string{"data: " + delta("a") + "\n\n", "data: " + delta("b") + "\n\n"}}
			return &http.Response{StatusCode: 200, Body: opened}, nil
		}}}
		gone := errors.New("gone")
		simulate(func(ctx context.Context) {
			a, err := client(s).Stream(ctx, ask("hi"), func(string) error { return gone })
			Expect(err).To(MatchError(gone))
			Expect(err).To(MatchError(llm.KindCanceled))
			Expect(a.Content).To(Equal("a"))
		})
		Expect(opened.closed).To(BeTrue())
		Expect(s.asked).To(HaveLen(1))
	})
})

var _ = Describe("The connection of a stream", func() {
	It("X2: is reused, because Client.Stream reads the end of the body after [DONE]", func() {
		var opened atomic.Int32
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
		}))
		server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
			if s == http.StateNew {
				opened.Add(1)
			}
		}
		server.Start()
		defer server.Close()
		c, err := llm.New(llm.Config{Model: "m", BaseURL: server.URL, HTTP: server.Client()})
		Expect(err).NotTo(HaveOccurred())
		for range 5 {
			a, err := c.Stream(context.Background(), llm.Request{Messages: []llm.Message{llm.UserMessage("hi")}}, nil)
			Expect(err).NotTo(HaveOccurred())
			Expect(a.Content).To(Equal("hi"))
		}
		Expect(opened.Load()).To(BeEquivalentTo(1))
	})
})
