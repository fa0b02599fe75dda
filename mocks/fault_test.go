package mocks_test

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
	openai "github.com/sashabaranov/go-openai"

	"evalctl/agent/clock"
	"evalctl/mocks"
	"evalctl/mocks/fault"
	"evalctl/mocks/latency"
	"evalctl/mocks/model"
	"evalctl/mocks/wire"
)

const routeJSON = `{"route":"chat","confidence":0.9,"reason":"r"}`

var _ = Describe("an injected fault", func() {
	ctx := context.Background()
	const long = "床前明月光，疑是地上霜。举头望明月，低头思故乡。"

	with := func(spec string, m model.Model) *mocks.Server {
		GinkgoHelper()
		faults, err := fault.Parse(spec, nil)
		Expect(err).NotTo(HaveOccurred())
		return newServer(mocks.Config{Faults: faults, Model: m})
	}

	It("timeout: leaves the request unanswered until the client disconnects", func() {
		s := with("chat:timeout", constantModel(long))
		ctx, cancel := clock.WithTimeout(ctx, 20*time.Millisecond)
		defer cancel()
		_, err := newClient(s, wire.OpenAI).CreateChatCompletion(ctx, ask("m", "x"))
		Expect(err).To(MatchError(context.DeadlineExceeded))
		Expect(s.Log()[0].Status).To(BeZero())
		Expect(s.Log()[0].Faults).To(Equal([]string{"chat:timeout"}))
	})

	It("timeout: closes the connection after ten minutes", func() {
		simulate(with("chat:timeout", constantModel(long)), func(ctx context.Context, doer *http.Client) {
			start := clock.Now(ctx)
			_, err := clientOf("http://mock/v1", doer).CreateChatCompletion(ctx, ask("m", "x"))
			Expect(err).To(HaveOccurred())
			Expect(clock.Since(ctx, start)).To(Equal(10 * time.Minute))
		})
	})

	It("reset: resets the connection, over a socket and in process", func() {
		_, err := newClient(with("chat:reset", nil), wire.OpenAI).CreateChatCompletion(ctx, ask("m", "x"))
		Expect(errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.EOF)).To(BeTrue(), "%v", err)
		simulate(with("chat:reset", nil), func(ctx context.Context, doer *http.Client) {
			_, err := clientOf("http://mock/v1", doer).CreateChatCompletion(ctx, ask("m", "x"))
			Expect(err).To(MatchError(syscall.ECONNRESET))
		})
	})

	DescribeTable("slow: delays the answer",
		func(spec, wait string, want time.Duration) {
			faults, err := fault.Parse(spec, nil)
			Expect(err).NotTo(HaveOccurred())
			l, err := latency.Parse(wait)
			Expect(err).NotTo(HaveOccurred())
			s := newServer(mocks.Config{Faults: faults, Latency: map[string]latency.Latency{"chat": l}})
			simulate(s, func(ctx context.Context, doer *http.Client) {
				start := clock.Now(ctx)
				_, _ = clientOf("http://mock/v1", doer).CreateChatCompletion(ctx, ask("m", "x"))
				Expect(clock.Since(ctx, start)).To(Equal(want))
			})
		},
		Entry("to ten times the latency", "chat:slow", "constant:200ms", 2*time.Second),
		Entry("by a given delay in addition to the latency", "chat:slow=3s", "constant:200ms", 3200*time.Millisecond),
		Entry("by a fixed delay if the component has no latency", "chat:slow", "", fault.DefaultSlowDelay),
		Entry("before an error response of a second fault", "chat:slow=3s+chat:server_error", "", 3*time.Second),
	)

	It("malformed_json: makes the JSON in the answer invalid", func() {
		res, err := newClient(with("router:malformed_json", constantModel(routeJSON)), wire.OpenAI).
			CreateChatCompletion(ctx, askJSON("m", "x"))
		Expect(err).NotTo(HaveOccurred())
		Expect(json.Valid([]byte(res.Choices[0].Message.Content))).To(BeFalse())
	})

	It("wrong_schema: gives a field an invalid value, or removes it", func() {
		c := newClient(with("router:wrong_schema", constantModel(routeJSON)), wire.OpenAI)
		seen := map[string]bool{}
		for range 20 {
			res, err := c.CreateChatCompletion(ctx, askJSON("m", "x"))
			Expect(err).NotTo(HaveOccurred())
			seen[res.Choices[0].Message.Content] = true
		}
		Expect(seen).To(HaveLen(2))
		Expect(seen).To(HaveKey(`{"route":"no_such_value","confidence":0.9,"reason":"r"}`))
		Expect(seen).To(HaveKey(`{"confidence":0.9,"reason":"r"}`))
	})

	It("low_confidence sets the confidence to 0.2; empty_content removes the content", func() {
		c := newClient(with("router:low_confidence@1+router:empty_content@2", constantModel(routeJSON)), wire.OpenAI)
		res, err := c.CreateChatCompletion(ctx, askJSON("m", "x"))
		Expect(err).NotTo(HaveOccurred())
		Expect(res.Choices[0].Message.Content).To(Equal(`{"route":"chat","confidence":0.2,"reason":"r"}`))
		res, err = c.CreateChatCompletion(ctx, askJSON("m", "x"))
		Expect(err).NotTo(HaveOccurred())
		Expect(res.Choices[0].Message.Content).To(BeEmpty())
	})

	It("truncated_stream: ends a stream early; without streaming the finish reason is length", func() {
		c := newClient(with("chat:truncated_stream", constantModel(long)), wire.OpenAI)
		st, err := c.CreateChatCompletionStream(ctx, ask("m", "x"))
		text, last, end := readStream(st, err)
		Expect(end).To(MatchError(io.EOF))
		Expect(text).NotTo(BeEmpty())
		Expect(long).To(HavePrefix(text))
		Expect(len(text)).To(BeNumerically("<", len(long)))
		Expect(last.Choices[0].FinishReason).To(BeEmpty())
		res, err := c.CreateChatCompletion(ctx, ask("m", "x"))
		Expect(err).NotTo(HaveOccurred())
		Expect(res.Choices[0].FinishReason).To(Equal(openai.FinishReasonLength))
		Expect(long).To(HavePrefix(res.Choices[0].Message.Content))
	})

	It("stalled_stream: stops in the middle of the answer, streamed or not", func() {
		s := with("chat:stalled_stream", constantModel(long))
		simulate(s, func(ctx context.Context, doer *http.Client) {
			for _, stream := range []bool{true, false} {
				start := clock.Now(ctx)
				short, cancel := clock.WithTimeout(ctx, 7*time.Second)
				c := clientOf("http://mock/v1", doer)
				var text string
				var end error
				if stream {
					st, err := c.CreateChatCompletionStream(short, ask("m", "x"))
					text, _, end = readStream(st, err)
					Expect(text).NotTo(BeEmpty())
				} else {
					_, end = c.CreateChatCompletion(short, ask("m", "x"))
				}
				cancel()
				Expect(end).To(MatchError(context.DeadlineExceeded))
				Expect(clock.Since(ctx, start)).To(Equal(7 * time.Second))
			}
		})
	})

	DescribeTable("error_in_stream: sends an error event that the go-openai client recognizes",
		func(d wire.Dialect) {
			c := newClient(with("chat:error_in_stream", constantModel(long)), d)
			st, err := c.CreateChatCompletionStream(ctx, ask(chatModels[d], "x"))
			text, _, end := readStream(st, err)
			Expect(text).NotTo(BeEmpty())
			var api *openai.APIError
			Expect(errors.As(end, &api)).To(BeTrue(), "%v", end)
			Expect(api.Message).NotTo(BeEmpty())
		},
		Entry(nil, wire.OpenAI), Entry(nil, wire.DeepSeek), Entry(nil, wire.DashScope), Entry(nil, wire.Ark),
	)

	It("truncated_stream: ends a stream early even if the answer has no text", func() {
		w := post(with("chat:truncated_stream", constantModel("")), "/v1/chat/completions",
			`{"model":"m","stream":true,"messages":[{"role":"user","content":"x"}]}`)
		Expect(w.Body.String()).NotTo(ContainSubstring("[DONE]"))
		Expect(w.Body.String()).NotTo(ContainSubstring("stop"))
	})

	for d := range bases {
		It("error_in_stream: sends the server error of "+string(d)+" without streaming", func() {
			request := `{"model":"` + chatModels[d] + `","messages":[{"role":"user","content":"x"}]}`
			got := post(with("chat:error_in_stream", constantModel(long)), bases[d]+"/chat/completions", request)
			want := post(with("chat:server_error", constantModel(long)), bases[d]+"/chat/completions", request)
			Expect(got.Code).To(Equal(500))
			Expect(withoutIDs(got.Body.String())).To(Equal(withoutIDs(want.Body.String())))
		})
	}

	It("affects only the n-th call of its component", func() {
		s := with("chat:server_error@2", constantModel("x"))
		var got []int
		for range 3 {
			got = append(got, post(s, "/v1/chat/completions",
				`{"model":"m","messages":[{"role":"user","content":"x"}]}`).Code)
			post(s, "/v1/chat/completions",
				`{"model":"m","enable_search":true,"messages":[{"role":"user","content":"x"}]}`)
		}
		Expect(got).To(Equal([]int{200, 500, 200}))
		Expect(s.Calls("search")).To(Equal(3))
	})

	It("affects the configured share of calls, and the same calls for the same seed", func() {
		play := func(seed uint64) string {
			s := newServer(mocks.Config{Seed: seed,
				Faults: []fault.Fault{{Component: "chat", Kind: fault.ServerError, Percent: 30}}})
			var b strings.Builder
			for range 1000 {
				b.WriteByte("-x"[post(s, "/v1/chat/completions",
					`{"model":"m","messages":[{"role":"user","content":"x"}]}`).Code/500])
			}
			return b.String()
		}
		first := play(7)
		Expect(strings.Count(first, "x")).To(BeNumerically("~", 300, 60)) // four standard deviations
		Expect(play(7)).To(Equal(first))
		Expect(play(8)).NotTo(Equal(first))
	})
})
