package mocks_test

import (
	"context"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	openai "github.com/sashabaranov/go-openai"

	"evalctl/agent/clock"
	"evalctl/mocks"
	"evalctl/mocks/latency"
	"evalctl/mocks/wire"
)

var _ = Describe("the latency of a simulated provider", func() {
	times := func(l latency.Latency, seed uint64, n int) (out []time.Duration) {
		GinkgoHelper()
		s := newServer(mocks.Config{Seed: seed, Latency: map[string]latency.Latency{"chat": l}})
		simulate(s, func(ctx context.Context, doer *http.Client) {
			c := clientOf("http://mock/v1", doer)
			for range n {
				start := clock.Now(ctx)
				_, err := c.CreateChatCompletion(ctx, ask("m", "x"))
				Expect(err).NotTo(HaveOccurred())
				out = append(out, clock.Since(ctx, start))
			}
		})
		return out
	}

	It("is log-normal around its median, and equal for equal seeds", func() {
		got := times(latency.LogNormal(800*time.Millisecond, 0.4), 3, 1001)
		Expect(times(latency.LogNormal(800*time.Millisecond, 0.4), 3, 20)).To(Equal(got[:20]))
		Expect(times(latency.LogNormal(800*time.Millisecond, 0.4), 4, 20)).NotTo(Equal(got[:20]))
		sum := 0.0
		for _, d := range got {
			sum += math.Pow(math.Log(d.Seconds()/0.8), 2)
		}
		Expect(math.Sqrt(sum / 1001)).To(BeNumerically("~", 0.4, 0.04))
		slices.Sort(got)
		Expect(got[500].Seconds()).To(BeNumerically("~", 0.8, 0.05))
	})

	It("is constant if so configured, and zero by default", func() {
		Expect(times(latency.Constant(50*time.Millisecond), 0, 2)).
			To(Equal([]time.Duration{50 * time.Millisecond, 50 * time.Millisecond}))
		Expect(times(latency.Latency{}, 0, 1)).To(Equal([]time.Duration{0}))
	})

	It("delays the first token and each chunk of a stream", func() {
		s := newServer(mocks.Config{
			Model:   constantModel(strings.Repeat("字", 60)),
			Latency: map[string]latency.Latency{"chat": latency.PerToken(300*time.Millisecond, 20*time.Millisecond)},
		})
		simulate(s, func(ctx context.Context, doer *http.Client) {
			c := clientOf("http://mock/v1", doer)
			start := clock.Now(ctx)
			st, err := c.CreateChatCompletionStream(ctx, ask("m", "x"))
			Expect(err).NotTo(HaveOccurred())
			Expect(clock.Since(ctx, start)).To(Equal(300 * time.Millisecond))
			chunks := 0
			for {
				chunk, err := st.Recv()
				if err != nil {
					break
				}
				if chunk.Choices[0].Delta.Content != "" {
					Expect(clock.Since(ctx, start)).
						To(Equal(300*time.Millisecond + time.Duration(chunks)*20*time.Millisecond))
					chunks++
				}
			}
			Expect(st.Close()).To(Succeed())
			Expect(chunks).To(BeNumerically("~", 17, 5))
		})
	})

	DescribeTable("is bridged by DeepSeek's keep-alive lines",
		func(stream bool, sign string) {
			s := newServer(mocks.Config{Latency: map[string]latency.Latency{
				"chat": {Kind: latency.KindConstant, Base: time.Second, KeepAliveLines: 3},
			}})
			simulate(s, func(ctx context.Context, doer *http.Client) {
				body := `{"model":"deepseek-chat","stream":false,"messages":[{"role":"user","content":"x"}]}`
				if stream {
					body = strings.Replace(body, "false", "true", 1)
				}
				start := clock.Now(ctx)
				status, text := fetch(ctx, doer, "POST", "/chat/completions", body)
				Expect(status).To(Equal(200))
				Expect(text).To(HavePrefix(strings.Repeat(sign, 3)))
				Expect(clock.Since(ctx, start)).To(Equal(time.Second))
				_, err := clientOf("http://mock", doer).CreateChatCompletion(ctx, ask("deepseek-chat", "x"))
				Expect(err).NotTo(HaveOccurred())
				_, text = fetch(ctx, doer, "POST", "/v1/chat/completions", body)
				Expect(text).NotTo(HavePrefix(sign), "DeepSeek only")
			})
		},
		Entry("comments in a stream", true, ": keep-alive\n\n"),
		Entry("blank lines without streaming", false, "\n"),
	)

	It("makes the go-openai client fail after 151 keep-alive comments, as the real service does", func() {
		s := newServer(mocks.Config{Latency: map[string]latency.Latency{"chat": {KeepAliveLines: 151}}})
		st, err := newClient(s, wire.DeepSeek).CreateChatCompletionStream(context.Background(),
			ask("deepseek-chat", "x"))
		_, _, end := readStream(st, err)
		Expect(end).To(MatchError(openai.ErrTooManyEmptyStreamMessages))
	})
})
