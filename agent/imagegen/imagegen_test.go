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

// service is a mock that answers one request per step and repeats the last step.
type service struct {
	steps []step
	asked []*http.Request
	body  map[string]any // body of the last request for an image
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

// hanging returns the step with a body that never arrives.
func (s step) hanging() step {
	return func(r *http.Request) (*http.Response, error) {
		resp, err := s(r)
		if err == nil {
			resp.Body = stalled{r.Context()}
		}
		return resp, err
	}
}

// stalled is a response body that never arrives.
type stalled struct{ ctx context.Context }

func (b stalled) Read([]byte) (int, error) { return 0, clock.Sleep(b.ctx, time.Hour) }

func (b stalled) Close() error { return nil }

var (
	image     = status(200, `{"output":{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":[{"image":"https://x/a.png"}]}}]},"request_id":"r"}`)
	pending   = status(200, `{"output":{"task_id":"t-1","task_status":"PENDING"},"request_id":"r"}`)
	running   = status(200, `{"output":{"task_id":"t-1","task_status":"RUNNING"},"request_id":"r"}`)
	succeeded = status(200, `{"output":{"task_id":"t-1","task_status":"SUCCEEDED","results":[{"orig_prompt":"p","actual_prompt":"a better p","url":"https://x/b.png"}]}}`)
)

var _ = Describe("The image client", func() {
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
		err = clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
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

	It("T6, X9: generates an image in one exchange, with the prefixed prompt as message text", func() {
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

	It("T6, X9: with Async, creates a task with a plain prompt, a header and another model, and polls it", func() {
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

	It("T6: polls if the service creates a task without Async", func() {
		pic, err := generate(pending, succeeded)
		Expect(err).NotTo(HaveOccurred())
		Expect(pic.TaskID).To(Equal("t-1"))
	})

	It("T6: returns a timeout error after 60 polls, at 120 s", func() {
		_, err := generate(pending, running)
		Expect(err).To(MatchError(llm.KindTimeout))
		Expect(failure(err).Code).To(Equal("RUNNING"))
		Expect(s.asked).To(HaveLen(61))
		Expect(duration).To(Equal(120 * time.Second))
		Expect(reasons(trace.KindTimeout)).To(Equal([]string{"polls_exhausted"}))
	})

	It("T6: returns an image that the 60th poll finds", func() {
		steps := []step{pending}
		for range 59 {
			steps = append(steps, running)
		}
		_, err := generate(append(steps, succeeded)...)
		Expect(err).NotTo(HaveOccurred())
		Expect(duration).To(Equal(120 * time.Second))
	})

	It("T6: counts a transient failure as one poll, and records it as a retry", func() {
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

	DescribeTable("T6: aborts a slow poll when the next one is due, so that polling takes 120 s in total",
		func(how step) {
			cfg.Timeout = time.Minute
			_, err := generate(pending, how)
			Expect(err).To(MatchError(llm.KindTimeout))
			Expect(failure(err).Code).To(Equal("PENDING"))
			Expect(s.asked).To(HaveLen(61))
			for n, at := range s.at[1:] {
				Expect(at).To(Equal(time.Duration(n+1)*imagegen.PollInterval), "poll %d", n+1)
			}
			Expect(duration).To(BeNumerically("~", 120*time.Second, time.Second))
			Expect(reasons(trace.KindTimeout)).To(ContainElement("polls_exhausted"))
		},
		Entry("if every poll hangs", after(time.Hour, running)),
		Entry("if every poll takes longer than the interval", after(3*time.Second, succeeded)),
		Entry("if every poll ends late with a broken connection",
			after(1900*time.Millisecond, fails(syscall.ECONNRESET))),
		Entry("if the body of every poll hangs", status(200, "").hanging()),
		Entry("if every poll fails immediately", status(503, "")),
	)

	It("T6: returns an image after polls that hang", func() {
		pic, err := generate(pending, after(time.Hour, running), after(time.Hour, running),
			after(time.Second, succeeded))
		Expect(err).NotTo(HaveOccurred())
		Expect(pic.URL).To(Equal("https://x/b.png"))
		Expect(duration).To(Equal(7 * time.Second))
	})

	It("T6: polls at even seconds, regardless of the duration of a poll", func() {
		_, err := generate(pending, after(300*time.Millisecond, running), after(700*time.Millisecond, succeeded))
		Expect(err).NotTo(HaveOccurred())
		Expect(s.at).To(Equal([]time.Duration{0, 2 * time.Second, 4 * time.Second}))
	})

	DescribeTable("T6: stops polling after a permanent error",
		func(refused step, kind llm.ErrorKind) {
			_, err := generate(pending, refused)
			Expect(err).To(MatchError(kind))
			Expect(s.asked).To(HaveLen(2))
		},
		Entry("with status 400", status(400, `{"code":"InvalidParameter","message":"m"}`), llm.KindBadRequest),
		Entry("with status 401", status(401, `{"code":"InvalidApiKey","message":"m"}`), llm.KindAuth),
		Entry("with status 402", status(402, ""), llm.KindNoBalance),
		Entry("with status 403", status(403, ""), llm.KindAuth),
		Entry("with status 404", status(404, ""), llm.KindNotFound),
		Entry("with a redirect", status(302, "", "Location", "https://elsewhere.test/"), llm.KindMalformedResponse),
		Entry("with a redirect without a target", status(304, ""), llm.KindMalformedResponse),
	)

	DescribeTable("T6: returns an error with the provider's code and message if a task ends without an image",
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
			llm.KindTaskFailed, "InvalidParameter", "m"),
		Entry(nil, `{"output":{"task_id":"t-1","task_status":"FAILED","code":"InternalError","message":"m"}}`,
			llm.KindTaskFailed, "InternalError", "m"),
		Entry(nil, `{"output":{"task_id":"t-1","task_status":"FAILED","code":"DataInspectionFailed","message":"m"}}`,
			llm.KindContentBlocked, "DataInspectionFailed", "m"),
		Entry(nil, `{"output":{"task_id":"t-1","task_status":"CANCELED"}}`, llm.KindTaskFailed, "CANCELED", "CANCELED"),
		Entry(nil, `{"output":{"task_id":"t-1","task_status":"UNKNOWN"}}`, llm.KindTaskFailed, "UNKNOWN", "UNKNOWN"),
		Entry("because all its results failed",
			`{"output":{"task_id":"t-1","task_status":"SUCCEEDED","results":[{"code":"InternalError.Timeout","message":"m"}]}}`, llm.KindTaskFailed, "InternalError.Timeout", "m"),
		Entry("because it has no results", `{"output":{"task_id":"t-1","task_status":"SUCCEEDED","results":[]}}`,
			llm.KindTaskFailed,
			"SUCCEEDED", "without an image"),
	)

	It("T6: returns the image of the first successful result", func() {
		pic, err := generate(pending,
			status(200, `{"output":{"task_status":"SUCCEEDED","results":[{"code":"c","message":"m"},{"url":"https://x/c.png"}]}}`))
		Expect(err).NotTo(HaveOccurred())
		Expect(pic).To(Equal(imagegen.Image{URL: "https://x/c.png", RevisedPrompt: "一只猫", TaskID: "t-1"}))
	})

	It("returns an error that explains that URLs are expected if the answer contains image data", func() {
		_, err := generate(status(200, `{"data":[{"b64_json":"`+strings.Repeat("A", 2_800_000)+`"}]}`))
		Expect(err).To(MatchError(
			ContainSubstring("the answer is longer than 262144 bytes: it must contain the URLs of images, not the images")))
	})

	DescribeTable("X2: repeats the request for an image only after an error that a retry can fix",
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
		Entry("for status 429", status(429, `{"code":"Throttling.RateQuota","message":"m"}`), llm.KindRateLimited, 2),
		Entry("for status 503", status(503, `{"code":"ModelUnavailable","message":"m"}`), llm.KindServerError, 2),
		Entry("for a reset connection", fails(syscall.ECONNRESET), llm.KindConnectionReset, 2),
		Entry("not for an account without balance", status(429, `{"code":"PrepaidBillOverdue","message":"m"}`),
			llm.KindNoBalance, 1),
		Entry("not for an overdue account", status(400, `{"code":"Arrearage","message":"m"}`), llm.KindNoBalance, 1),
		Entry("not for an invalid API key", status(401, `{"code":"InvalidApiKey","message":"m"}`), llm.KindAuth, 1),
		Entry("not for the content filter", status(400, `{"code":"DataInspectionFailed","message":"m"}`),
			llm.KindContentBlocked, 1),
		Entry("not for an invalid parameter", status(400, `{"code":"InvalidParameter","message":"m"}`),
			llm.KindBadRequest, 1),
		Entry("not for a timeout", after(time.Hour, image), llm.KindTimeout, 1),
		Entry("not for an answer that is not JSON", status(200, `<html>`), llm.KindMalformedResponse, 1),
		Entry("not for an answer without image and task", status(200, `{"output":{}}`), llm.KindMalformedResponse, 1),
		Entry("not for a body that is too long", status(200, strings.Repeat(" ", 2<<20)), llm.KindMalformedResponse, 1),
		Entry("not for an error with status 200", status(200, `{"code":"InvalidParameter","message":"m"}`),
			llm.KindBadRequest, 1),
	)

	It("X2: waits for the Retry-After delay before it retries", func() {
		_, err := generate(status(429, `{"code":"Throttling","message":"m"}`, "Retry-After", "7"), image)
		Expect(err).NotTo(HaveOccurred())
		Expect(duration).To(Equal(7 * time.Second))
	})

	It("X6: ends when the caller's context ends, even between polls", func() {
		s.steps = []step{pending, running}
		c, err := imagegen.New(cfg)
		Expect(err).NotTo(HaveOccurred())
		Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
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

	DescribeTable("is not created with an invalid configuration, and the error names the field",
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
