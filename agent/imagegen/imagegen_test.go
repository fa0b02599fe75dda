package imagegen_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/agent/imagegen"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

type step func(*http.Request) (*http.Response, error)

// service answers one request per step; the last step repeats.
type service struct {
	steps []step
	asked []*http.Request
	body  map[string]any // of the creating call
	at    []time.Duration
}

func (s *service) Do(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodPost {
		s.body = nil
		if err := json.NewDecoder(r.Body).Decode(&s.body); err != nil {
			return nil, err
		}
	}
	n := min(len(s.asked), len(s.steps)-1)
	s.asked, s.at = append(s.asked, r), append(s.at, clock.Since(r.Context(), noon))
	return s.steps[n](r)
}

func status(code int, body string, header ...string) step {
	return func(*http.Request) (*http.Response, error) {
		h := http.Header{}
		for i := 0; i < len(header); i += 2 {
			h.Set(header[i], header[i+1])
		}
		return &http.Response{StatusCode: code, Header: h, Body: io.NopCloser(strings.NewReader(body))}, nil
	}
}

func fails(err error) step {
	return func(*http.Request) (*http.Response, error) { return nil, err }
}

func after(d time.Duration, next step) step {
	return func(r *http.Request) (*http.Response, error) {
		if err := clock.Sleep(r.Context(), d); err != nil {
			return nil, err
		}
		return next(r)
	}
}

// hanging answers with a body that never arrives.
func (s step) hanging() step {
	return func(r *http.Request) (*http.Response, error) {
		resp, err := s(r)
		if err == nil {
			resp.Body = stalled{r.Context()}
		}
		return resp, err
	}
}

// stalled is a body that never arrives.
type stalled struct{ ctx context.Context }

func (b stalled) Read([]byte) (int, error) { return 0, clock.Sleep(b.ctx, time.Hour) }

func (b stalled) Close() error { return nil }

var (
	image     = status(200, `{"output":{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":[{"image":"https://x/a.png"}]}}]},"request_id":"r"}`)
	pending   = status(200, `{"output":{"task_id":"t-1","task_status":"PENDING"},"request_id":"r"}`)
	running   = status(200, `{"output":{"task_id":"t-1","task_status":"RUNNING"},"request_id":"r"}`)
	succeeded = status(200, `{"output":{"task_id":"t-1","task_status":"SUCCEEDED","results":[{"orig_prompt":"p","actual_prompt":"a better p","url":"https://x/b.png"}]}}`)
)

var _ = Describe("Client", func() {
	var (
		s        *service
		cfg      imagegen.Config
		events   []trace.Event
		duration time.Duration
	)
	BeforeEach(func() {
		s, events = &service{}, nil
		cfg = imagegen.Config{APIKey: "k", HTTP: s, Timeout: 10 * time.Second}
	})
	generate := func(steps ...step) (pic imagegen.Image, err error) {
		GinkgoHelper()
		s.steps = steps
		c, err := imagegen.New(cfg)
		Expect(err).NotTo(HaveOccurred())
		err = clock.Run(context.Background(), noon, func(ctx context.Context) error {
			ctx = trace.WithRecorder(ctx, func(e trace.Event) { events = append(events, e) })
			pic, err = c.Generate(ctx, "一只猫")
			duration = clock.Since(ctx, noon)
			return err
		})
		return pic, err
	}
	failure := func(err error) *llm.Error {
		GinkgoHelper()
		var e *llm.Error
		Expect(errors.As(err, &e)).To(BeTrue(), "%v is no *llm.Error", err)
		return e
	}
	reasons := func(kind trace.Kind) (out []string) {
		for _, e := range events {
			if e.Kind == kind {
				out = append(out, e.Reason)
			}
		}
		return out
	}

	It("T6, X9: generates a picture in one exchange, with the prefixed prompt as {text}", func() {
		pic, err := generate(after(3*time.Second, image))
		Expect(err).NotTo(HaveOccurred())
		Expect(pic).To(Equal(imagegen.Image{URL: "https://x/a.png", RevisedPrompt: "一只猫"}))
		r := s.asked[0]
		Expect(r.URL.String()).To(
			Equal("https://dashscope.aliyuncs.com/api/v1/services/aigc/multimodal-generation/generation"))
		Expect(r.Header).To(HaveKeyWithValue("Authorization", []string{"Bearer k"}))
		Expect(r.Header).NotTo(HaveKey("X-Dashscope-Async"))
		Expect(s.body).To(Equal(map[string]any{
			"model": "qwen-image-max",
			"input": map[string]any{"messages": []any{map[string]any{
				"role": "user", "content": []any{map[string]any{"text": "根据描述生成图片: 一只猫"}},
			}}},
			"parameters": map[string]any{"size": "1328*1328", "n": 1.0},
		}))
		Expect(events).To(Equal(
			[]trace.Event{{Offset: 3 * time.Second, Kind: trace.KindSpan, Node: "image", Span: &trace.Span{
				Provider: "dashscope", Model: "qwen-image-max", Duration: 3 * time.Second, Attempt: 1, Images: 1,
			}}}))
	})

	It("T6, X9: creates a task with a flat prompt, a header and its own model, and polls it", func() {
		cfg.Async = true
		pic, err := generate(pending, running, pending, succeeded)
		Expect(err).NotTo(HaveOccurred())
		Expect(pic).To(Equal(imagegen.Image{URL: "https://x/b.png", RevisedPrompt: "a better p", TaskID: "t-1"}))
		r := s.asked[0]
		Expect(r.URL.Path).To(Equal("/api/v1/services/aigc/text2image/image-synthesis"))
		Expect(r.Header.Get("X-DashScope-Async")).To(Equal("enable"))
		Expect(s.body).To(HaveKeyWithValue("model", "qwen-image-plus"))
		Expect(s.body).To(HaveKeyWithValue("input", map[string]any{"prompt": "根据描述生成图片: 一只猫"}))
		Expect(s.asked[1].Method + s.asked[1].URL.Path).To(Equal("GET/api/v1/tasks/t-1"))
		Expect(s.asked[1].Header.Get("X-DashScope-Async")).To(BeEmpty())
		Expect(s.at).To(Equal([]time.Duration{0, 2 * time.Second, 4 * time.Second, 6 * time.Second}))
		Expect(events).To(HaveLen(4))
	})

	It("T6: polls if the synchronous call created a task", func() {
		pic, err := generate(pending, succeeded)
		Expect(err).NotTo(HaveOccurred())
		Expect(pic.TaskID).To(Equal("t-1"))
	})

	It("T6: stops after 60 polls, at 120 s", func() {
		_, err := generate(pending, running)
		Expect(err).To(MatchError(llm.KindTimeout))
		Expect(failure(err).Code).To(Equal("RUNNING"))
		Expect(s.asked).To(HaveLen(61))
		Expect(duration).To(Equal(120 * time.Second))
		Expect(reasons(trace.KindTimeout)).To(Equal([]string{"polls_exhausted"}))
	})

	It("T6: accepts the picture of the 60th poll", func() {
		steps := []step{pending}
		for range 59 {
			steps = append(steps, running)
		}
		_, err := generate(append(steps, succeeded)...)
		Expect(err).NotTo(HaveOccurred())
		Expect(duration).To(Equal(120 * time.Second))
	})

	It("T6: counts a transient poll failure as one poll, and records it", func() {
		pic, err := generate(pending, status(429, `{"code":"Throttling","message":"m"}`), fails(syscall.ECONNRESET),
			status(200, "<html>"),
			status(500, ""), after(time.Hour, running), succeeded)
		Expect(err).NotTo(HaveOccurred())
		Expect(pic.URL).To(Equal("https://x/b.png"))
		Expect(s.at[1:]).To(Equal([]time.Duration{2e9, 4e9, 6e9, 8e9, 10e9, 12e9}), "the fifth poll hung")
		Expect(reasons(trace.KindRetry)).
			To(Equal([]string{"rate_limited", "reset", "malformed_response", "server_error", "timeout"}))
		Expect(reasons(trace.KindTimeout)).To(Equal([]string{"timeout"}))
	})

	DescribeTable("T6: ends a hanging poll at the time of the next: 120 s in total for any failure",
		func(how step) {
			cfg.Timeout = time.Minute
			_, err := generate(pending, how)
			Expect(err).To(MatchError(llm.KindTimeout))
			Expect(failure(err).Code).To(Equal("PENDING"))
			Expect(s.asked).To(HaveLen(61))
			for n, at := range s.at[1:] {
				Expect(at).To(Equal(time.Duration(n+1)*imagegen.PollEvery), "poll %d", n+1)
			}
			Expect(duration).To(BeNumerically("~", 120*time.Second, time.Second))
			Expect(reasons(trace.KindTimeout)).To(ContainElement("polls_exhausted"))
		},
		Entry("forever", after(time.Hour, running)),
		Entry("longer than until the next", after(3*time.Second, succeeded)),
		Entry("and then a broken connection", after(1900*time.Millisecond, fails(syscall.ECONNRESET))),
		Entry("in the body", status(200, "").hanging()),
		Entry("no delay but an immediate failure", status(503, "")),
	)

	It("T6: accepts a picture after hanging polls", func() {
		pic, err := generate(pending, after(time.Hour, running), after(time.Hour, running),
			after(time.Second, succeeded))
		Expect(err).NotTo(HaveOccurred())
		Expect(pic.URL).To(Equal("https://x/b.png"))
		Expect(duration).To(Equal(7 * time.Second))
	})

	It("T6: polls at even seconds, regardless of their duration", func() {
		_, err := generate(pending, after(300*time.Millisecond, running), after(700*time.Millisecond, succeeded))
		Expect(err).NotTo(HaveOccurred())
		Expect(s.at).To(Equal([]time.Duration{0, 2 * time.Second, 4 * time.Second}))
	})

	DescribeTable("T6: stops polling at a permanent error",
		func(refused step, kind llm.ErrorKind) {
			_, err := generate(pending, refused)
			Expect(err).To(MatchError(kind))
			Expect(s.asked).To(HaveLen(2))
		},
		Entry("400", status(400, `{"code":"InvalidParameter","message":"m"}`), llm.KindBadRequest),
		Entry("401", status(401, `{"code":"InvalidApiKey","message":"m"}`), llm.KindAuth),
		Entry("402", status(402, ""), llm.KindNoBalance),
		Entry("403", status(403, ""), llm.KindAuth),
		Entry("404", status(404, ""), llm.KindNotFound),
		Entry("a redirect", status(302, "", "Location", "https://elsewhere.test/"), llm.KindMalformedResponse),
		Entry("a redirect without a target", status(304, ""), llm.KindMalformedResponse),
	)

	DescribeTable("T6: returns a task without a picture as an error with the provider's code and message",
		func(output string, kind llm.ErrorKind, code, text string) {
			for _, steps := range [][]step{{pending, status(200, output)}, {status(200, output)}} {
				_, err := generate(steps...)
				Expect(err).To(MatchError(kind))
				Expect(failure(err).Code).To(Equal(code))
				Expect(failure(err).Message).To(ContainSubstring(text))
				Expect(s.asked).To(HaveLen(len(steps)))
				s.asked = nil
			}
		},
		Entry(nil, `{"output":{"task_id":"t-1","task_status":"FAILED","code":"InvalidParameter","message":"m"}}`,
			llm.KindTask, "InvalidParameter", "m"),
		Entry(nil, `{"output":{"task_id":"t-1","task_status":"FAILED","code":"InternalError","message":"m"}}`,
			llm.KindTask, "InternalError", "m"),
		Entry(nil, `{"output":{"task_id":"t-1","task_status":"FAILED","code":"DataInspectionFailed","message":"m"}}`,
			llm.KindContentBlocked, "DataInspectionFailed", "m"),
		Entry(nil, `{"output":{"task_id":"t-1","task_status":"CANCELED"}}`, llm.KindTask, "CANCELED", "CANCELED"),
		Entry(nil, `{"output":{"task_id":"t-1","task_status":"UNKNOWN"}}`, llm.KindTask, "UNKNOWN", "UNKNOWN"),
		Entry("all results failed",
			`{"output":{"task_id":"t-1","task_status":"SUCCEEDED","results":[{"code":"InternalError.Timeout","message":"m"}]}}`, llm.KindTask, "InternalError.Timeout", "m"),
		Entry("no results", `{"output":{"task_id":"t-1","task_status":"SUCCEEDED","results":[]}}`, llm.KindTask,
			"SUCCEEDED", "without a picture"),
	)

	It("T6: accepts the successful one of several results", func() {
		pic, err := generate(pending,
			status(200, `{"output":{"task_status":"SUCCEEDED","results":[{"code":"c","message":"m"},{"url":"https://x/c.png"}]}}`))
		Expect(err).NotTo(HaveOccurred())
		Expect(pic).To(Equal(imagegen.Image{URL: "https://x/c.png", RevisedPrompt: "一只猫", TaskID: "t-1"}))
	})

	It("reports for an answer with picture data that URLs are expected", func() {
		_, err := generate(status(200, `{"data":[{"b64_json":"`+strings.Repeat("A", 2_800_000)+`"}]}`))
		Expect(err).To(MatchError(
			ContainSubstring("the answer is longer than 262144 bytes: the addresses of pictures are read, not pictures")))
	})

	DescribeTable("X2: retries the creating call only where that can help",
		func(first step, kind llm.ErrorKind, calls int) {
			_, err := generate(first, image)
			if calls == 2 {
				Expect(err).NotTo(HaveOccurred())
				Expect(reasons(trace.KindRetry)).To(Equal([]string{string(kind)}))
			} else {
				Expect(err).To(MatchError(kind))
				Expect(failure(err).Provider).To(Equal("dashscope"))
			}
			Expect(s.asked).To(HaveLen(calls))
		},
		Entry("429", status(429, `{"code":"Throttling.RateQuota","message":"m"}`), llm.KindRateLimited, 2),
		Entry("503", status(503, `{"code":"ModelUnavailable","message":"m"}`), llm.KindServerError, 2),
		Entry("reset", fails(syscall.ECONNRESET), llm.KindReset, 2),
		Entry("no balance", status(429, `{"code":"PrepaidBillOverdue","message":"m"}`), llm.KindNoBalance, 1),
		Entry("overdue account", status(400, `{"code":"Arrearage","message":"m"}`), llm.KindNoBalance, 1),
		Entry("key", status(401, `{"code":"InvalidApiKey","message":"m"}`), llm.KindAuth, 1),
		Entry("content filter", status(400, `{"code":"DataInspectionFailed","message":"m"}`),
			llm.KindContentBlocked, 1),
		Entry("parameter", status(400, `{"code":"InvalidParameter","message":"m"}`), llm.KindBadRequest, 1),
		Entry("timeout", after(time.Hour, image), llm.KindTimeout, 1),
		Entry("not JSON", status(200, `<html>`), llm.KindMalformedResponse, 1),
		Entry("neither picture nor task", status(200, `{"output":{}}`), llm.KindMalformedResponse, 1),
		Entry("a body that is too long", status(200, strings.Repeat(" ", 2<<20)), llm.KindMalformedResponse, 1),
		Entry("an error with status 200", status(200, `{"code":"InvalidParameter","message":"m"}`),
			llm.KindBadRequest, 1),
	)

	It("X2: waits for the Retry-After delay", func() {
		_, err := generate(status(429, `{"code":"Throttling","message":"m"}`, "Retry-After", "7"), image)
		Expect(err).NotTo(HaveOccurred())
		Expect(duration).To(Equal(7 * time.Second))
	})

	It("X6: ends with the caller, also between polls", func() {
		s.steps = []step{pending, running}
		c, err := imagegen.New(cfg)
		Expect(err).NotTo(HaveOccurred())
		Expect(clock.Run(context.Background(), noon, func(ctx context.Context) error {
			limited, cancel := clock.WithTimeout(ctx, 5*time.Second)
			defer cancel()
			_, err := c.Generate(limited, "x")
			Expect(err).To(MatchError(llm.KindTimeout))
			Expect(clock.Since(ctx, noon)).To(Equal(5 * time.Second))
			gone, cancel := context.WithCancel(ctx)
			clock.AfterFunc(ctx, 3*time.Second, cancel)
			_, err = c.Generate(gone, "x")
			Expect(err).To(MatchError(llm.KindCanceled))
			return nil
		})).To(Succeed())
	})

	It("rejects an empty prompt without a call", func() {
		c, err := imagegen.New(cfg)
		Expect(err).NotTo(HaveOccurred())
		_, err = c.Generate(context.Background(), " \n")
		Expect(err).To(MatchError(llm.KindBadRequest))
		Expect(s.asked).To(BeEmpty())
	})

	DescribeTable("names the invalid field",
		func(field string, change func(*imagegen.Config)) {
			change(&cfg)
			_, err := imagegen.New(cfg)
			Expect(err).To(MatchError(HavePrefix("imagegen.Config." + field + ":")))
		},
		Entry(nil, "APIKey", func(c *imagegen.Config) { c.APIKey = "" }),
		Entry(nil, "BaseURL", func(c *imagegen.Config) { c.BaseURL = "x" }),
		Entry(nil, "Size", func(c *imagegen.Config) { c.Size = "1328x1328" }),
		Entry(nil, "Timeout", func(c *imagegen.Config) { c.Timeout = -1 }),
		Entry(nil, "Retries", func(c *imagegen.Config) { c.Retries = 99 }),
	)
})
