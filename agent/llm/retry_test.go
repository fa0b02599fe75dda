package llm_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

func failure(err error) *llm.Error {
	GinkgoHelper()
	var e *llm.Error
	Expect(errors.As(err, &e)).To(BeTrue(), "%v is no *llm.Error", err)
	return e
}

var _ = Describe("A retry", func() {
	DescribeTable("X2: follows a failed attempt only if it can help",
		func(provider string, first step, kind llm.ErrorKind, calls int) {
			s := &script{steps: []step{first, says("ok")}}
			c := client(s, of(provider))
			simulate(func(ctx context.Context) {
				a, err := c.Chat(ctx, ask("hi"))
				if calls == 2 {
					Expect(err).NotTo(HaveOccurred())
					Expect(a.Content).To(Equal("ok"))
				} else {
					Expect(err).To(MatchError(kind))
					Expect(failure(err).Provider).To(Equal(provider))
				}
				Expect(a.Attempts).To(Equal(calls))
			})
			Expect(s.asked).To(HaveLen(calls))
		},
		Entry("after status 429", "openai", status(429, limit), llm.KindRateLimited, 2),
		Entry("after status 500", "deepseek", status(500, `{"error":{"message":"x"}}`), llm.KindServerError, 2),
		Entry("after status 503 with an HTML page", "deepseek", status(503, `<html>busy</html>`),
			llm.KindServerError, 2),
		Entry("after status 504 without a body", "generic", status(504, ``), llm.KindServerError, 2),
		Entry("after status 429 for an overload of Ark", "ark",
			status(429, `{"error":{"code":"ServerOverloaded","message":"x","param":"","type":"TooManyRequests"}}`),
			llm.KindRateLimited, 2),
		Entry("after a connection that is reset", "openai", fails(&net.OpError{Op: "read", Err: syscall.ECONNRESET}),
			llm.KindConnectionReset, 2),
		Entry("after a connection that is closed without an answer", "openai", fails(io.EOF),
			llm.KindConnectionReset, 2),
		Entry("after a body that breaks off", "openai", frames(0, io.ErrUnexpectedEOF), llm.KindConnectionReset, 2),
		Entry("after the finish_reason insufficient_system_resource", "deepseek",
			finishes("par", "insufficient_system_resource"),
			llm.KindServerError, 2),
		Entry("not after status 400", "openai", status(400,
			`{"error":{"message":"x","type":"invalid_request_error","param":null,"code":null}}`),
			llm.KindBadRequest, 1),
		Entry("not after status 401", "openai", status(401,
			`{"error":{"message":"x","type":"invalid_request_error","code":"invalid_api_key"}}`), llm.KindAuth, 1),
		Entry("not after status 402", "deepseek",
			status(402, `{"error":{"message":"Insufficient Balance","type":"unknown_error","param":null,"code":"invalid_request_error"}}`), llm.KindNoBalance, 1),
		Entry("not after status 403", "openai", status(403, `{}`), llm.KindAuth, 1),
		Entry("not after status 403 for an unpaid bill at Ark", "ark",
			status(403, `{"error":{"code":"AccountOverdueError","message":"x","type":"Forbidden"}}`),
			llm.KindNoBalance, 1),
		Entry("not after status 404", "openai", status(404,
			`{"error":{"message":"x","type":"invalid_request_error","code":"model_not_found"}}`), llm.KindNotFound, 1),
		Entry("not after status 432, which means that there is no balance", "generic",
			status(432, `{"detail":{"error":"x"}}`),
			llm.KindNoBalance, 1),
		Entry("not after status 422", "deepseek", status(422, `{"detail":[{"msg":"x"}]}`), llm.KindBadRequest, 1),
		Entry("not after status 429 for an exhausted quota at OpenAI", "openai",
			status(429, `{"error":{"message":"x","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`), llm.KindNoBalance, 1),
		Entry("not after status 429 for an unpaid bill at DashScope", "dashscope",
			status(429, `{"code":"PostpaidBillOverdue","message":"x","request_id":"r"}`), llm.KindNoBalance, 1),
		Entry("not after status 400 for an unpaid bill at DashScope", "dashscope",
			status(400, `{"error":{"message":"x","type":"Arrearage","code":"Arrearage"},"request_id":"r"}`),
			llm.KindNoBalance, 1),
		Entry("not after status 429 for an exhausted quota at Ark", "ark",
			status(429, `{"error":{"code":"QuotaExceeded","message":"x","param":"","type":"TooManyRequests"}}`),
			llm.KindNoBalance, 1),
		Entry("not after DashScope's content filter", "dashscope",
			status(400, `{"error":{"message":"x","type":"invalid_request_error","code":"data_inspection_failed"}}`),
			llm.KindContentBlocked, 1),
		Entry("not after Ark's content filter", "ark",
			status(400, `{"error":{"code":"SensitiveContentDetected.Violence","message":"x","type":"BadRequest"}}`),
			llm.KindContentBlocked, 1),
		Entry("not after the finish_reason content_filter", "openai", finishes("", "content_filter"),
			llm.KindContentBlocked, 1),
		Entry("not after a body that is not complete JSON", "openai", status(200, `{"choices":[`),
			llm.KindMalformedResponse, 1),
		Entry("not after an empty body", "openai", status(200, ``), llm.KindMalformedResponse, 1),
		Entry("not after an answer without choices", "openai", status(200, `{"choices":[]}`),
			llm.KindMalformedResponse, 1),
		Entry("not after an error with status 200", "dashscope",
			status(200, `{"error":{"message":"x","code":"invalid_parameter_error"}}`), llm.KindBadRequest, 1),
		Entry("not after a replay without a recording of the request", "openai", fails(errors.New("no recording")),
			llm.KindTransport, 1),
		Entry("not after an unknown host name", "openai",
			fails(&net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", IsNotFound: true}}),
			llm.KindTransport, 1),
	)

	It("X2: never follows a timeout of an attempt", func() {
		s := &script{steps: []step{after(time.Hour, says("late"))}}
		events, duration := simulate(func(ctx context.Context) {
			_, err := client(s).Chat(ctx, ask("hi"))
			Expect(err).To(MatchError(llm.KindTimeout))
			Expect(err).To(MatchError(context.DeadlineExceeded))
		})
		Expect(duration).To(Equal(20 * time.Second))
		Expect(s.asked).To(HaveLen(1))
		Expect(reasons(events, trace.KindTimeout)).To(Equal([]string{"timeout"}))
		Expect(spans(events)[0].Error).To(Equal("timeout"))
	})

	It("X2: waits 0.5 s, doubled each time, with a jitter that depends on the seed", func() {
		run := func(seed uint64) []time.Duration {
			s := &script{steps: []step{status(503, "")}}
			events, _ := simulate(func(ctx context.Context) {
				_, err := client(s, func(c *llm.Config) { c.Seed, c.Retries = seed, 3 }).Chat(ctx, ask("hi"))
				Expect(err).To(MatchError(llm.KindServerError))
				Expect(failure(err).Attempt).To(Equal(4))
			})
			Expect(s.asked).To(HaveLen(4))
			var waits []time.Duration
			for i, sp := range spans(events)[1:] {
				waits = append(waits, sp.Start-spans(events)[i].Start)
			}
			return waits
		}
		waits := run(1)
		for i, base := range []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second} {
			Expect(waits[i]).To(BeNumerically("~", base, base/4))
		}
		Expect(run(1)).To(Equal(waits))
		Expect(run(2)).NotTo(Equal(waits))
	})

	It("X2: is made at most twice by default, and never with NoRetries", func() {
		for retries, calls := range map[int]int{0: 3, llm.NoRetries: 1, 1: 2} {
			s := &script{steps: []step{status(500, "")}}
			simulate(func(ctx context.Context) {
				_, err := client(s, func(c *llm.Config) { c.Retries = retries }).Chat(ctx, ask("hi"))
				Expect(err).To(MatchError(llm.KindServerError))
			})
			Expect(s.asked).To(HaveLen(calls))
		}
	})

	DescribeTable("X2: waits for the Retry-After delay",
		func(stream bool, header, value string, wait time.Duration) {
			ok := says("ok")
			if stream {
				ok = frames(0, nil, delta("ok"), stop, done)
			}
			s := &script{steps: []step{status(429, limit, header, value), ok}}
			_, duration := simulate(func(ctx context.Context) {
				var err error
				if stream {
					_, err = client(s).Stream(ctx, ask("hi"), nil)
				} else {
					_, err = client(s).Chat(ctx, ask("hi"))
				}
				Expect(err).NotTo(HaveOccurred())
			})
			Expect(duration).To(Equal(wait))
		},
		Entry("a delay in seconds", false, "Retry-After", "7", 7*time.Second),
		Entry("a delay in seconds for a stream", true, "Retry-After", "7", 7*time.Second),
		Entry("a delay in milliseconds", false, "retry-after-ms", "1500", 1500*time.Millisecond),
		Entry("a date", false, "Retry-After", "Fri, 20 Nov 2026 12:00:09 GMT", 9*time.Second),
	)

	DescribeTable("X2: ignores an invalid Retry-After value", func(value string) {
		s := &script{steps: []step{status(429, limit, "Retry-After", value)}}
		_, err := client(s, func(c *llm.Config) { c.Retries = llm.NoRetries }).Chat(context.Background(), ask("hi"))
		Expect(failure(err).RetryAfter).To(BeZero())
	}, Entry(nil, "NaN"), Entry(nil, "soon"), Entry(nil, "-7"))

	It("X2: computes the delay until a Retry-After date in real time, not in simulated time", func() {
		s := &script{steps: []step{status(429, limit, "Retry-After",
			time.Now().Add(time.Hour).UTC().Format(http.TimeFormat))}}
		ctx := clock.WithStart(context.Background(), time.Now().Add(time.Hour))
		_, err := client(s).Chat(ctx, ask("hi"))
		Expect(failure(err).RetryAfter).To(BeNumerically("~", time.Hour, time.Minute))
	})

	It("X2: is not made if the Retry-After delay exceeds 30 s", func() {
		s := &script{steps: []step{status(429, limit, "Retry-After", "31")}}
		_, duration := simulate(func(ctx context.Context) {
			_, err := client(s).Chat(ctx, ask("hi"))
			Expect(failure(err).RetryAfter).To(Equal(31 * time.Second))
		})
		Expect(duration).To(BeZero())
		Expect(s.asked).To(HaveLen(1))
	})

	It("X2, X4: emits an event, and each attempt emits a span", func() {
		s := &script{steps: []step{
			after(time.Second, status(429, limit, "Retry-After", "2")),
			after(3*time.Second, says("ok")),
		}}
		events, _ := simulate(func(ctx context.Context) {
			a, err := client(s).Chat(ctx, ask("hi"))
			Expect(err).NotTo(HaveOccurred())
			Expect(a.Duration).To(Equal(6 * time.Second))
			Expect(a.Usage).To(Equal(llm.Usage{PromptTokens: 10, CompletionTokens: 5, Total: 15, CachedTokens: 8}))
		})
		Expect(events).To(HaveLen(3))
		Expect(events[0]).To(Equal(trace.Event{Offset: time.Second, Kind: trace.KindSpan, Node: "router",
			Span: &trace.Span{
				Provider: "deepseek", Model: "deepseek-flash", Duration: time.Second, Attempt: 1, Error: "rate_limited",
				Message:      "slow down",
				SentMessages: []trace.SentMessage{{Role: "user", Text: "hi"}},
			}}))
		Expect(events[1]).To(Equal(trace.Event{Offset: time.Second, Kind: trace.KindRetry, Node: "router",
			Reason: "rate_limited", Text: "2s"}))
		Expect(events[2].Span).To(Equal(&trace.Span{
			Provider: "deepseek", Model: "deepseek-flash", Start: 3 * time.Second, Duration: 3 * time.Second,
			Attempt: 2, Backoff: 2 * time.Second,
			Tokens: trace.Tokens{In: 10, Out: 5, CachedIn: 8},
		}))
	})

	It("X2: is not made after the caller's deadline, even if that passes during the wait", func() {
		s := &script{steps: []step{status(429, limit, "Retry-After", "20")}}
		events, duration := simulate(func(ctx context.Context) {
			ctx, cancel := clock.WithTimeout(ctx, 5*time.Second)
			defer cancel()
			_, err := client(s).Chat(ctx, ask("hi"))
			Expect(err).To(MatchError(llm.KindTimeout))
			Expect(err).To(MatchError(context.DeadlineExceeded))
			Expect(err).To(MatchError(ContainSubstring("slow down")))
		})
		Expect(duration).To(Equal(5 * time.Second))
		Expect(reasons(events, trace.KindTimeout)).To(Equal([]string{"deadline"}))
	})

	It("X6: is not made after the caller has canceled; the error is KindCanceled", func() {
		s := &script{steps: []step{after(time.Minute, says("late"))}}
		simulate(func(ctx context.Context) {
			ctx, cancel := context.WithCancel(ctx)
			clock.AfterFunc(ctx, time.Second, cancel)
			_, err := client(s).Chat(ctx, ask("hi"))
			Expect(err).To(MatchError(llm.KindCanceled))
			Expect(err).To(MatchError(context.Canceled))
			_, err = client(s).Chat(ctx, ask("hi"))
			Expect(err).To(MatchError(llm.KindCanceled))
		})
		Expect(s.asked).To(HaveLen(1))
	})

	It("X2: is not made for a bad request, whose error contains the provider's message", func() {
		for body, want := range map[string]string{
			`{"error":{"message":"m","type":"t","param":null,"code":null}}`:                                            "openai: bad_request (400 t): m",
			`{"error":{"message":["a","b"],"type":"t","param":null,"code":7}}`:                                         "openai: bad_request (400 7): a, b",
			`{"error":{"message":null,"type":"t"}}`:                                                                    "openai: bad_request (400 t): Bad Request",
			`{"error":"plain"}`:                                                                                        "openai: bad_request (400): plain",
			`{"error":{"message":"m","param":7,"code":"c"}}`:                                                           "openai: bad_request (400 c): m",
			`{"code":"c","message":"m","request_id":"r"}`:                                                              "openai: bad_request (400 c): m",
			`{"detail":[{"type":"missing","loc":["body","query"],"msg":"m","input":{}},{"loc":["body",0],"msg":"n"}]}`: "openai: bad_request (400): body.query: m, body.0: n",
			`{"detail":{"error":"m"}}`:                                                                                 "openai: bad_request (400): m",
			`{}`:                                                                                                       "openai: bad_request (400): Bad Request",
			"<html>\xff</html>":                                                                                        "openai: bad_request (400): <html>\uFFFD</html>",
		} {
			s := &script{steps: []step{status(400, body)}}
			_, err := client(s, of("openai")).Chat(context.Background(), ask("hi"))
			Expect(fmt.Sprint(err)).To(Equal(want), body)
			Expect(failure(err).Status).To(Equal(400))
		}
	})
})
