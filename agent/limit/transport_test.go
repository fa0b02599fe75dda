package limit_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/agent/limit"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// minAnswers is a transport that returns its replies in order and repeats the last one.
type minAnswers struct {
	replies []func() *http.Response
	bodies  []string
}

func (a *minAnswers) RoundTrip(r *http.Request) (*http.Response, error) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	a.bodies = append(a.bodies, string(text))
	return a.replies[min(len(a.bodies), len(a.replies))-1](), clock.Sleep(r.Context(), time.Second)
}

// response returns a function that creates a reply with a status, a text and an optional
// Retry-After.
func response(status int, text, retryAfter string) func() *http.Response {
	return func() *http.Response {
		r := reply(status, text)
		if retryAfter != "" {
			r.Header.Set("Retry-After", retryAfter)
		}
		return r
	}
}

const (
	slowDown = `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`
	fine     = `{"choices":[{"message":{"content":"好"},"finish_reason":"stop"}],"usage":{"total_tokens":3}}`
)

func transportFor(limits *limit.Limiter, a http.RoundTripper) http.RoundTripper {
	p, _ := llm.LookupProvider("openai")
	return limits.Transport(p, "example.com", "key", a)
}

// simulate runs f in simulated time and returns its duration.
func simulate(f func(ctx context.Context)) (duration time.Duration) {
	GinkgoHelper()
	Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
		defer func() { duration = clock.Since(ctx, noon) }()
		f(ctx)
		return nil
	})).To(Succeed())
	return duration
}

var _ = Describe("A rate-limited request", func() {
	It("waits for the Retry-After delay and is sent again within the same attempt", func() {
		a := &minAnswers{replies: []func() *http.Response{response(429, slowDown, "7"),
			response(503, `{"error":{"code":"server_overloaded"}}`, ""), response(200, fine, "")}}
		client, err := llm.New(llm.Config{Provider: "openai", Model: "m", APIKey: "k", Timeout: 4 * time.Second,
			HTTP: &http.Client{Transport: transportFor(limit.New(limit.Config{}), a)}})
		Expect(err).NotTo(HaveOccurred())
		var spans []trace.Span
		duration := simulate(func(ctx context.Context) {
			ctx, cancel := clock.WithTimeout(ctx, 5*time.Second)
			defer cancel()
			ctx, waits := trace.WithQueueTimer(ctx)
			ctx = trace.WithRecorder(ctx, func(e trace.Event) {
				Expect(e.Kind).To(Equal(trace.KindSpan))
				Expect(e.Offset).To(Equal(3 * time.Second))
				spans = append(spans, *e.Span)
			})
			got, err := client.Chat(ctx, llm.Request{Messages: []llm.Message{llm.UserMessage("在吗")}})
			Expect(err).NotTo(HaveOccurred())
			Expect(got.Content).To(Equal("好"))
			Expect(waits.TotalQueued(ctx)).To(BeNumerically("~", 9*time.Second, 2*time.Second))
		})
		Expect(spans).To(HaveLen(1))
		Expect(spans[0].Duration).To(Equal(3*time.Second), "three requests of a second, under a limit of four")
		Expect(spans[0].QueueTime).To(Equal(duration - 3*time.Second))
		Expect(duration).To(BeNumerically(">", 10*time.Second))
		Expect(a.bodies).To(HaveLen(3))
		Expect(a.bodies[2]).To(And(Equal(a.bodies[0]), ContainSubstring("在吗")))
	})

	DescribeTable("is not sent again if a wait cannot help, and the agent receives the response",
		func(status int, text, retryAfter string) {
			a := &minAnswers{replies: []func() *http.Response{response(status, text, retryAfter)}}
			duration := simulate(func(ctx context.Context) {
				resp, err := transportFor(limit.New(limit.Config{}), a).RoundTrip(request(ctx, "{}"))
				Expect(err).NotTo(HaveOccurred())
				Expect(resp.StatusCode).To(Equal(status))
				Expect(io.ReadAll(resp.Body)).To(BeEquivalentTo(text))
				Expect(resp.Body.Close()).To(Succeed())
			})
			Expect(duration).To(Equal(time.Second))
		},
		Entry("because the quota is exhausted", 429, `{"error":{"code":"insufficient_quota"}}`, "1"),
		Entry("because the server reports an error other than a rate limit", 503,
			`{"error":{"message":"maintenance"}}`, ""),
		Entry("because the response is an answer with status 200", 200, fine, ""),
		Entry("because the body of the response is too large", 429, strings.Repeat("x", 1<<17), "1"),
		Entry("because the wait would be too long", 429, slowDown, "601"),
	)

	DescribeTable("15.5: fails in all calls at once, two minutes after the endpoint's last answer; before that, Watch reports the state", func(calls int, cfg limit.Config, retryAfter string) {
		a := &minAnswers{replies: []func() *http.Response{response(200, fine, ""), response(429, slowDown, retryAfter)}}
		limits := limit.New(cfg)
		var states []string
		limits.Watch(func(s limit.EndpointState) { states = append(states, s.String()) })
		client, err := llm.New(llm.Config{Provider: "openai", Model: "m", APIKey: "k",
			HTTP: &http.Client{Transport: transportFor(limits, a)}})
		Expect(err).NotTo(HaveOccurred())
		chat := func(ctx context.Context) error {
			_, err := client.Chat(ctx, llm.Request{Messages: []llm.Message{llm.UserMessage("在吗")}})
			return err
		}
		var notices []string
		duration := simulate(func(ctx context.Context) {
			Expect(chat(ctx)).To(Succeed())
			ctx = trace.WithRecorder(ctx, func(e trace.Event) {
				if e.Kind == trace.KindNotice {
					notices = append(notices, e.Text)
				}
			})
			all, _ := clock.NewGroup(ctx, 0)
			for i := range calls {
				all.Go(fmt.Sprint(i), func(ctx context.Context) error {
					err := chat(ctx)
					Expect(err).To(MatchError(llm.KindRateLimited))
					Expect(err).To(MatchError(ContainSubstring("no answer for 2m0s, so its calls fail")))
					return nil
				})
			}
			Expect(all.Wait()).To(Succeed())
			begin := clock.Now(ctx)
			Expect(chat(ctx)).To(MatchError(llm.KindRateLimited))
			Expect(clock.Since(ctx, begin)).To(BeNumerically("<=", time.Second),
				"the next call asks once, or not at all")
		})
		first := time.Second
		if len(cfg.Requests.ByEndpoint) > 0 {
			first = 31 * time.Second // the first call of the group is queued
		}
		Expect(duration).To(And(BeNumerically(">=", limit.MaxWaitWithoutSuccess),
			BeNumerically("<=", limit.MaxWaitWithoutSuccess+first+4*time.Second)))
		Expect(states[0]).To(MatchRegexp(
			`^openai at example.com has been rate-limited since 12:00:\d\d: no answer for 3s, waiting up to 2m0s$`))
		Expect(states).To(HaveLen(5))
		Expect(states[4]).To(HaveSuffix("no answer for 2m0s, so its calls fail"))
		if cfg.Notices {
			Expect(notices[0]).To(HavePrefix("openai at example.com has been rate-limited since 12:00:"))
		} else {
			Expect(notices).To(BeEmpty())
		}
	},
		Entry("for one call", 1, limit.Config{}, ""),
		Entry("for one call with notices for the user", 1, limit.Config{Notices: true}, ""),
		Entry("for four calls", 4, limit.Config{}, ""),
		Entry("for four calls with Retry-After", 4, limit.Config{}, "50"),
		Entry("for twenty calls, some of them queued", 20, limit.Config{}, "1"),
		Entry("for four calls with a limit of two per minute", 4,
			limit.Config{Requests: limit.Rates{ByEndpoint: map[string]float64{"openai": 2}}}, "1"),
	)

	It("15.5: may wait again if no call was made for a minute", func() {
		a := &minAnswers{replies: []func() *http.Response{response(429, slowDown, "10"), response(200, fine, ""),
			response(429, slowDown, "1000")}}
		limits := limit.New(limit.Config{})
		var states []limit.EndpointState
		limits.Watch(func(s limit.EndpointState) { states = append(states, s) })
		simulate(func(ctx context.Context) {
			get := func(status int) {
				resp, err := transportFor(limits, a).RoundTrip(request(ctx, "{}"))
				Expect(err).NotTo(HaveOccurred())
				Expect(resp.StatusCode).To(Equal(status))
				Expect(resp.Body.Close()).To(Succeed())
			}
			get(200)
			Expect(states).To(HaveLen(2))
			Expect(states[1].IsRecovered).To(BeTrue())
			Expect(states[1].String()).To(Equal("openai at example.com answers again, after 11s"))
			get(429) // the Retry-After delay is longer than a call may wait
			Expect(clock.Sleep(ctx, 5*time.Minute)).To(Succeed())
			a.replies = append(a.replies, response(429, slowDown, "5"), response(200, fine, ""))
			get(200)
		})
	})

	It("is returned to the agent after ten minutes if other requests succeed meanwhile", func() {
		limits := limit.New(limit.Config{})
		duration := simulate(func(ctx context.Context) {
			others, _ := clock.NewGroup(ctx, 0)
			others.Go("others", func(ctx context.Context) error {
				for range 20 {
					resp, err := transportFor(limits,
						&minAnswers{replies: []func() *http.Response{response(200, fine, "")}}).
						RoundTrip(request(ctx, "{}"))
					if err != nil {
						return err
					}
					if err := errors.Join(resp.Body.Close(), clock.Sleep(ctx, 30*time.Second)); err != nil {
						return err
					}
				}
				return nil
			})
			resp, err := transportFor(limits,
				&minAnswers{replies: []func() *http.Response{response(429, slowDown, "")}}).
				RoundTrip(request(ctx, "{}"))
			Expect(err).NotTo(HaveOccurred())
			Expect(resp.StatusCode).To(Equal(429))
			Expect(others.Wait()).To(Succeed())
		})
		Expect(duration).To(And(BeNumerically(">", 9*time.Minute), BeNumerically("<", 15*time.Minute)))
	})

	It("ends when its caller is canceled, and does not block others", func() {
		a := &minAnswers{replies: []func() *http.Response{response(200, fine, "")}}
		way := transportFor(limit.New(limit.Config{Requests: limit.Rates{ByEndpoint: map[string]float64{"openai": 1}}}),
			a)
		simulate(func(ctx context.Context) {
			get := func(ctx context.Context) error {
				resp, err := way.RoundTrip(request(ctx, "{}"))
				if err == nil {
					err = resp.Body.Close()
				}
				return err
			}
			Expect(get(ctx)).To(Succeed())
			gone, cancel := context.WithCancel(ctx)
			clock.AfterFunc(ctx, 10*time.Second, cancel)
			Expect(get(gone)).To(MatchError(context.Canceled))
			Expect(clock.Since(ctx, noon)).To(Equal(11 * time.Second))
			Expect(get(ctx)).To(Succeed())
			Expect(clock.Since(ctx, noon)).To(BeNumerically("~", 61*time.Second, time.Second))
		})
	})
})

var _ = Describe("A request budget", func() {
	It("is never exceeded, even by retries", func() {
		a := &minAnswers{replies: []func() *http.Response{response(429, slowDown, "1")}}
		limits := limit.New(limit.Config{})
		limits.SetRequestBudget(3)
		simulate(func(ctx context.Context) {
			for range 2 {
				_, err := transportFor(limits, a).RoundTrip(request(ctx, "{}"))
				Expect(err).To(MatchError(limit.ErrRequestBudget))
			}
		})
		Expect(a.bodies).To(HaveLen(3))
		Expect(limits.RequestsSent()).To(BeEquivalentTo(3))
		Expect(limits.Stats()).To(
			ConsistOf(And(HaveField("Host", "example.com"), HaveField("RateLimited", BeEquivalentTo(3)))))
	})
})
