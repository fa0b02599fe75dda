package transport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	openai "github.com/sashabaranov/go-openai"

	"evalctl/agent/clock"
	"evalctl/mocks/transport"
)

var simStart = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

var _ = Describe("the in-process transport", func() {
	It("returns a connection reset if the handler aborts, before or after the headers", func() {
		for _, h := range []http.HandlerFunc{write(""), write("x|")} {
			client := http.Client{Transport: transport.Transport{Handler: http.HandlerFunc(func(w http.ResponseWriter,
				r *http.Request) {
				if r.URL.Path == "/after" {
					h(w, r)
				}
				panic(http.ErrAbortHandler)
			})}}
			_, err := client.Get("http://x/before")
			Expect(err).To(MatchError(syscall.ECONNRESET))
		}
		client := http.Client{Transport: transport.Transport{Handler: http.HandlerFunc(func(w http.ResponseWriter,
			r *http.Request) {
			write("x|")(w, r)
			panic(http.ErrAbortHandler)
		})}}
		res, err := client.Get("http://x/after")
		Expect(err).NotTo(HaveOccurred())
		b, err := io.ReadAll(res.Body)
		Expect(string(b)).To(Equal("x"))
		Expect(err).To(MatchError(syscall.ECONNRESET))
	})

	It("returns an error that contains the handler's panic", func() {
		client := http.Client{Transport: transport.Transport{Handler: http.HandlerFunc(func(http.ResponseWriter,
			*http.Request) {
			panic("boom")
		})}}
		_, err := client.Get("http://x/")
		Expect(err).To(MatchError(io.EOF))
		Expect(err).To(MatchError(ContainSubstring("boom")))
	})

	It("X5: lets a handler write at most 64 KiB before its client reads, in chunks of any size", func() {
		for _, size := range []int{100, 4096, 1 << 20} {
			ahead := 0
			handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				for {
					if _, err := w.Write(make([]byte, size)); err != nil {
						return
					}
					w.(http.Flusher).Flush()
					ahead += size
				}
			})
			Expect(clock.RunSimulated(context.Background(), simStart, func(ctx context.Context) error {
				client := http.Client{Transport: transport.Transport{Handler: handler}}
				req, _ := http.NewRequestWithContext(ctx, "GET", "http://x/", nil)
				res, err := client.Do(req)
				Expect(err).NotTo(HaveOccurred())
				_ = clock.Sleep(ctx, time.Second)
				Expect(ahead).To(And(BeNumerically("<=", 64<<10), BeNumerically(">=", min(64<<10-size, 64<<10))))
				return res.Body.Close()
			})).To(Succeed())
		}
	})

	It("X5: delivers a stream at the same times as a socket, also to a client that reads late", func() {
		handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			for i := range 40 {
				_ = clock.Sleep(r.Context(), 100*time.Millisecond)
				fmt.Fprintf(w, "%02d", i)
				w.(http.Flusher).Flush()
			}
		})
		Expect(clock.RunSimulated(context.Background(), simStart, func(ctx context.Context) error {
			client := http.Client{Transport: transport.Transport{Handler: handler}}
			req, _ := http.NewRequestWithContext(ctx, "GET", "http://x/", nil)
			res, err := client.Do(req)
			Expect(err).NotTo(HaveOccurred())
			Expect(clock.Since(ctx, simStart)).To(Equal(100 * time.Millisecond))
			_ = clock.Sleep(ctx, 10*time.Second) // the handler ends meanwhile
			_, err = io.Copy(io.Discard, res.Body)
			Expect(clock.Since(ctx, simStart)).To(Equal(10100 * time.Millisecond))
			return err
		})).To(Succeed())
	})

	It("permits a client to close the body while it reads", func() {
		for range 50 {
			client := http.Client{Transport: transport.Transport{Handler: http.HandlerFunc(func(w http.ResponseWriter,
				r *http.Request) {
				write("x|")(w, r)
				_ = clock.Sleep(r.Context(), time.Millisecond)
				panic("late")
			})}}
			res, err := client.Get("http://x/")
			Expect(err).NotTo(HaveOccurred())
			clock.AfterFunc(context.Background(), 900*time.Microsecond, func() { _ = res.Body.Close() })
			_, _ = io.ReadAll(res.Body)
		}
	})
})

// chatStream returns a handler that answers like a chat model: it thinks for 2 s, then sends a word
// every 50 ms.
func chatStream(words int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		_ = clock.Sleep(r.Context(), 2*time.Second)
		for i := range words {
			_ = clock.Sleep(r.Context(), 50*time.Millisecond)
			fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"w%d \"}}]}\n\n", i)
			w.(http.Flusher).Flush()
		}
		fmt.Fprint(w, "data: [DONE]\n\n")
	}
}

// runChat runs a whole chat with the go-openai client and returns the received words with their
// times.
func runChat(timeout time.Duration) (log []string, err error) {
	err = clock.RunSimulated(context.Background(), simStart, func(ctx context.Context) error {
		cfg := openai.DefaultConfig("k")
		cfg.HTTPClient = &http.Client{Transport: transport.Transport{Handler: chatStream(20)}}
		client := openai.NewClientWithConfig(cfg)
		g, _ := clock.NewGroup(ctx, 2)
		for i := range 3 {
			g.Go("chat", func(ctx context.Context) error {
				ctx, cancel := clock.WithTimeout(ctx, timeout)
				defer cancel()
				s, err := client.CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{Model: "m", Stream: true})
				if err != nil {
					return err
				}
				defer s.Close()
				for {
					chunk, err := s.Recv()
					if errors.Is(err, io.EOF) {
						return nil
					}
					if err != nil {
						return err
					}
					log = append(log, fmt.Sprintf("%v %d %s", clock.Since(ctx, simStart), i,
						chunk.Choices[0].Delta.Content))
				}
			})
		}
		return g.Wait()
	})
	return log, err
}

var _ = Describe("X5: an unmodified go-openai client in simulated time", func() {
	It("streams identically in every run and at GOMAXPROCS 1, 2 and 4", func() {
		want, err := runChat(time.Minute)
		Expect(err).NotTo(HaveOccurred())
		Expect(want).To(HaveLen(60))
		Expect(want[0]).To(Equal("2.05s 0 w0 "))
		Expect(want[59]).To(Equal("6s 2 w19 "))
		for _, procs := range []int{1, 2, 4} {
			was := runtime.GOMAXPROCS(procs)
			for range 20 {
				Expect(runChat(time.Minute)).To(Equal(want))
			}
			runtime.GOMAXPROCS(was)
		}
	})

	It("X2: times out at its deadline, before and during the answer", func() {
		diary, err := runChat(time.Second)
		Expect(diary).To(BeEmpty())
		Expect(err).To(MatchError(context.DeadlineExceeded))
		diary, err = runChat(2500 * time.Millisecond)
		Expect(diary).To(HaveLen(2 * 9))
		Expect(err).To(MatchError(context.DeadlineExceeded))
	})

	It("leaks no goroutine", func() {
		before := runtime.NumGoroutine()
		for range 100 {
			_, _ = runChat(2500 * time.Millisecond)
		}
		Eventually(runtime.NumGoroutine).Should(BeNumerically("<=", before))
	})
})
