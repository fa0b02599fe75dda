package mocks_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"runtime"
	"strings"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	openai "github.com/sashabaranov/go-openai"

	"evalctl/agent/clock"
	"evalctl/mocks"
)

var simStart = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

// simple is an exchange whose handler and client know nothing of each other.
func simple(h http.HandlerFunc, c func(context.Context, *session)) func(*session) exchange {
	return func(*session) exchange { return exchange{handler: h, client: c} }
}

var _ = Describe("X5: the transport looks like a socket", func() {
	BeforeEach(func() {
		log.SetOutput(io.Discard) // net/http's server reports the panics
		DeferCleanup(log.SetOutput, log.Writer())
	})

	DescribeTable("for", func(x func(*session) exchange) {
		real := saw(context.Background(), overSocket, x)
		Expect(real).NotTo(BeEmpty())
		Expect(saw(context.Background(), inProcess, x)).To(Equal(real), "on the wall clock")
		var simulated []string
		Expect(clock.Run(context.Background(), simStart, func(ctx context.Context) error {
			simulated = saw(ctx, inProcess, x)
			return nil
		})).To(Succeed())
		Expect(simulated).To(Equal(real), "simulated")
	},
		Entry("JSON", simple(headed("Content-Type", "application/json", write(`{"a":1}`)), get("/v1/x?q=1"))),
		Entry("an empty body", simple(write(""), get("/"))),
		Entry("an empty body, flushed", simple(write("|"), get("/"))),
		Entry("404", simple(http.NotFound, get("/nowhere"))),
		Entry("a status without a name", simple(status(599, write("?")), get("/"))),
		Entry("a stream", simple(headed("Content-Type", "text/event-stream", write("data: 1\n\n|data: 2\n\n|data: [DONE]\n\n")), get("/"))),
		Entry("a sniffed type", simple(write("<html><body>x"), get("/"))),
		Entry("no sniffed type of a coded body", simple(headed("Content-Encoding", "br", write("<html>")), get("/"))),
		Entry("a type that was suppressed", simple(func(w http.ResponseWriter, r *http.Request) {
			w.Header()["Content-Type"] = nil
			write("x")(w, r)
		}, get("/"))),
		Entry("the longest body that gets a length", simple(write(strings.Repeat("x", 2048)), get("/"))),
		Entry("a longer body", simple(write(strings.Repeat("x", 2049)), get("/"))),
		Entry("a stated length", simple(headed("Content-Length", "5", write("12|345")), get("/"))),
		Entry("a stated length, not reached", simple(headed("Content-Length", "9", write("12345")), get("/"))),
		Entry("a stated length, surpassed", simple(headed("Content-Length", "3", write("123|45")), get("/"))),
		Entry("a stated length that is none", simple(headed("Content-Length", "many", write("123")), get("/"))),
		Entry("headers set too late", simple(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Early", "1")
			w.WriteHeader(http.StatusTeapot)
			w.Header().Set("X-Late", "1")
			w.WriteHeader(http.StatusOK)
		}, get("/"))),
		Entry("204", simple(status(204, write("ignored")), get("/"))),
		Entry("304", simple(headed("Content-Type", "text/plain", status(304, write(""))), get("/"))),
		Entry("500 with a body", simple(status(500, write("oh")), get("/"))),
		Entry("HEAD", simple(write("hello"), method("HEAD"))),
		Entry("HEAD of nothing", simple(write(""), method("HEAD"))),
		Entry("HEAD of much", simple(write(strings.Repeat("x", 5000)), method("HEAD"))),
		Entry("HEAD with a stated length", simple(headed("Content-Length", "77", write("")), method("HEAD"))),
		Entry("gzip", simple(headed("Content-Encoding", "gzip", write(zipped("hello"))), get("/"))),
		Entry("gzip, flushed before its first byte", simple(headed("Content-Encoding", "gzip", write("|"+zipped("hello"))), get("/"))),
		Entry("gzip of nothing", simple(headed("Content-Encoding", "gzip", write("")), get("/"))),
		Entry("gzip that is none", simple(headed("Content-Encoding", "gzip", write("not zipped at all")), get("/"))),
		Entry("gzip, cut off", simple(headed("Content-Encoding", "gzip", write(zipped("hello")[:15])), get("/"))),
		Entry("gzip that the client asked for itself", simple(headed("Content-Encoding", "gzip", write(zipped("hello"))),
			func(ctx context.Context, s *session) {
				req := s.request(ctx, "GET", "/", nil)
				req.Header.Set("Accept-Encoding", "gzip")
				s.do(req)
			})),
		Entry("an echo of GET", simple(echo, get("/a%2Fb/c?x=1&y=%20#part"))),
		Entry("an echo of no path", simple(echo, get(""))),
		Entry("an echo of HEAD's headers", simple(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Accept", fmt.Sprint(r.Header))
		}, method("HEAD"))),
		Entry("an echo of DELETE", simple(echo, method("DELETE"))),
		Entry("an echo of POST without a body", simple(echo, method("POST"))),
		Entry("an echo of POST", simple(echo, func(ctx context.Context, s *session) {
			req := s.request(ctx, "POST", "/", strings.NewReader(`{"a":"中文"}`))
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Authorization", "Bearer k")
			req.Header.Set("User-Agent", "test/1")
			req.Header.Set("Range", "bytes=0-5")
			s.do(req)
		})),
		Entry("an echo of a body of unknown length, without a user agent", simple(echo, func(ctx context.Context, s *session) {
			req := s.request(ctx, "PUT", "/", io.MultiReader(strings.NewReader("a"), strings.NewReader("b")))
			req.Header.Set("User-Agent", "")
			s.do(req)
		})),
		Entry("a redirect", simple(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/from" {
				http.Redirect(w, r, "/to", http.StatusFound)
				return
			}
			r.Header.Del("Referer") // has the port
			echo(w, r)
		}, get("/from"))),
		Entry("a handler that does not read its body", simple(write("no"), func(ctx context.Context, s *session) {
			s.do(s.request(ctx, "POST", "/", strings.NewReader(strings.Repeat("x", 1000))))
		})),
		Entry("a panic before the headers", simple(func(http.ResponseWriter, *http.Request) { panic("boom") }, method("POST"))),
		Entry("a panic before a flush", simple(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "unseen")
			panic("boom")
		}, method("POST"))),
		Entry("a panic after the headers", simple(func(w http.ResponseWriter, r *http.Request) {
			write("seen|unseen")(w, r)
			panic("boom")
		}, get("/"))),
		Entry("an aborted answer, before", simple(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, method("POST"))),
		Entry("an aborted answer, after", simple(func(w http.ResponseWriter, r *http.Request) {
			write("seen|")(w, r)
			panic(http.ErrAbortHandler)
		}, get("/"))),
		Entry("an invalid status", simple(status(42, write("")), method("POST"))),
		Entry("a client that closes early", func(s *session) exchange {
			return exchange{
				handler: func(w http.ResponseWriter, r *http.Request) { write("data|")(w, r); linger(s, r) },
				client: func(ctx context.Context, s *session) {
					res, err := s.client.Do(s.request(ctx, "GET", "/", nil))
					Expect(err).NotTo(HaveOccurred())
					s.say("close: %v", res.Body.Close())
					_, err = res.Body.Read(make([]byte, 1))
					s.say("read: %s", errorKind(err))
					word, _, _ := s.served.Recv(ctx)
					s.say("%s", word)
				},
			}
		}),
		Entry("a request canceled before it is sent", simple(write("x"), func(ctx context.Context, s *session) {
			ctx, cancel := context.WithCancel(ctx)
			cancel()
			s.do(s.request(ctx, "GET", "/", nil))
		})),
		Entry("a request that waits too long for its headers", func(s *session) exchange {
			return exchange{
				handler: func(w http.ResponseWriter, r *http.Request) { linger(s, r) },
				client: func(ctx context.Context, s *session) {
					limited, cancel := clock.WithTimeout(ctx, 20*time.Millisecond)
					defer cancel()
					s.do(s.request(limited, "GET", "/", nil))
					word, _, _ := s.served.Recv(ctx)
					s.say("%s", strings.Replace(word, "timeout", "canceled", 1))
				},
			}
		}),
		Entry("a request canceled with a cause while it waits for its headers", func(s *session) exchange {
			return exchange{
				handler: func(w http.ResponseWriter, r *http.Request) { linger(s, r) },
				client: func(ctx context.Context, s *session) {
					child, cancel := context.WithCancelCause(ctx)
					clock.AfterFunc(ctx, 20*time.Millisecond, func() { cancel(errors.New("cause")) })
					_, err := s.client.Do(s.request(child, "GET", "/", nil))
					s.say("%v", errors.Unwrap(err))
					word, _, _ := s.served.Recv(ctx)
					s.say("%s", word)
				},
			}
		}),
		Entry("a request canceled while its body is read", func(s *session) exchange {
			return exchange{
				handler: func(w http.ResponseWriter, r *http.Request) { write("data|")(w, r); linger(s, r) },
				client: func(ctx context.Context, s *session) {
					child, cancel := context.WithCancel(ctx)
					clock.AfterFunc(ctx, 20*time.Millisecond, cancel)
					s.do(s.request(child, "GET", "/", nil))
					word, _, _ := s.served.Recv(ctx)
					s.say("%s", word)
				},
			}
		}),
		Entry("a request canceled while nobody looks", func(s *session) exchange {
			return exchange{
				handler: func(w http.ResponseWriter, r *http.Request) { write("data|")(w, r); linger(s, r) },
				client: func(ctx context.Context, s *session) {
					child, cancel := context.WithCancel(ctx)
					res, err := s.client.Do(s.request(child, "GET", "/", nil))
					Expect(err).NotTo(HaveOccurred())
					defer res.Body.Close()
					cancel()
					word, _, _ := s.served.Recv(ctx)
					s.say("%s", word)
				},
			}
		}),
		Entry("a body of stated length before its handler ends", func(s *session) exchange {
			return exchange{
				handler: headed("Content-Length", "4", func(w http.ResponseWriter, r *http.Request) {
					write("data|")(w, r)
					_ = clock.Sleep(r.Context(), 50*time.Millisecond)
				}),
				client: func(ctx context.Context, s *session) {
					began := clock.Now(ctx)
					s.do(s.request(ctx, "GET", "/", nil))
					s.say("early %v", clock.Since(ctx, began) < 40*time.Millisecond)
				},
			}
		}),
		Entry("a megabyte and a slow client", simple(func(w http.ResponseWriter, r *http.Request) {
			line := strings.Repeat("0123456789abcde\n", 1000)
			for range 64 {
				if _, err := io.WriteString(w, line); err != nil {
					return
				}
			}
		}, func(ctx context.Context, s *session) {
			res, err := s.client.Do(s.request(ctx, "GET", "/", nil))
			Expect(err).NotTo(HaveOccurred())
			defer res.Body.Close()
			total, buf := 0, make([]byte, 100<<10)
			for {
				n, err := io.ReadFull(res.Body, buf)
				total += n
				if err != nil {
					break
				}
				_ = clock.Sleep(ctx, time.Millisecond)
			}
			s.say("%d", total)
		})),
	)
})

var _ = Describe("the transport", func() {
	It("resets the connection where the handler aborts, before and after the headers", func() {
		for _, h := range []http.HandlerFunc{write(""), write("x|")} {
			client := http.Client{Transport: mocks.Transport{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/after" {
					h(w, r)
				}
				panic(http.ErrAbortHandler)
			})}}
			_, err := client.Get("http://x/before")
			Expect(err).To(MatchError(syscall.ECONNRESET))
		}
		client := http.Client{Transport: mocks.Transport{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			write("x|")(w, r)
			panic(http.ErrAbortHandler)
		})}}
		res, err := client.Get("http://x/after")
		Expect(err).NotTo(HaveOccurred())
		b, err := io.ReadAll(res.Body)
		Expect(string(b)).To(Equal("x"))
		Expect(err).To(MatchError(syscall.ECONNRESET))
	})

	It("tells whoever mends a handler what it panicked with", func() {
		client := http.Client{Transport: mocks.Transport{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("boom") })}}
		_, err := client.Get("http://x/")
		Expect(err).To(MatchError(io.EOF))
		Expect(err).To(MatchError(ContainSubstring("boom")))
	})

	It("X5: lets a handler be 64 KiB ahead of its client and no more, in pieces of any size", func() {
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
			Expect(clock.Run(context.Background(), simStart, func(ctx context.Context) error {
				client := http.Client{Transport: mocks.Transport{Handler: handler}}
				req, _ := http.NewRequestWithContext(ctx, "GET", "http://x/", nil)
				res, err := client.Do(req)
				Expect(err).NotTo(HaveOccurred())
				_ = clock.Sleep(ctx, time.Second)
				Expect(ahead).To(And(BeNumerically("<=", 64<<10), BeNumerically(">=", min(64<<10-size, 64<<10))))
				return res.Body.Close()
			})).To(Succeed())
		}
	})

	It("X5: tells time in a stream as it would be over a socket, also to a client that is busy", func() {
		handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			for i := range 40 {
				_ = clock.Sleep(r.Context(), 100*time.Millisecond)
				fmt.Fprintf(w, "%02d", i)
				w.(http.Flusher).Flush()
			}
		})
		Expect(clock.Run(context.Background(), simStart, func(ctx context.Context) error {
			client := http.Client{Transport: mocks.Transport{Handler: handler}}
			req, _ := http.NewRequestWithContext(ctx, "GET", "http://x/", nil)
			res, err := client.Do(req)
			Expect(err).NotTo(HaveOccurred())
			Expect(clock.Since(ctx, simStart)).To(Equal(100 * time.Millisecond))
			_ = clock.Sleep(ctx, 10*time.Second) // meanwhile the handler ends
			_, err = io.Copy(io.Discard, res.Body)
			Expect(clock.Since(ctx, simStart)).To(Equal(10100 * time.Millisecond))
			return err
		})).To(Succeed())
	})

	It("does not race a client that closes while it reads", func() {
		for range 50 {
			client := http.Client{Transport: mocks.Transport{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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

// chatStream answers like a chat model that thinks for 2 s, then says a word every 50 ms.
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

// chatting plays a whole chat with an unmodified client and tells what came when.
func chatting(patience time.Duration) (diary []string, err error) {
	err = clock.Run(context.Background(), simStart, func(ctx context.Context) error {
		cfg := openai.DefaultConfig("k")
		cfg.HTTPClient = &http.Client{Transport: mocks.Transport{Handler: chatStream(20)}}
		client := openai.NewClientWithConfig(cfg)
		g, _ := clock.NewGroup(ctx, 2)
		for i := range 3 {
			g.Go("chat", func(ctx context.Context) error {
				ctx, cancel := clock.WithTimeout(ctx, patience)
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
					diary = append(diary, fmt.Sprintf("%v %d %s", clock.Since(ctx, simStart), i, chunk.Choices[0].Delta.Content))
				}
			})
		}
		return g.Wait()
	})
	return diary, err
}

var _ = Describe("X5: an unmodified go-openai client in simulated time", func() {
	It("streams, the same at every run and at GOMAXPROCS 1, 2 and 4", func() {
		want, err := chatting(time.Minute)
		Expect(err).NotTo(HaveOccurred())
		Expect(want).To(HaveLen(60))
		Expect(want[0]).To(Equal("2.05s 0 w0 "))
		Expect(want[59]).To(Equal("6s 2 w19 "))
		for _, procs := range []int{1, 2, 4} {
			was := runtime.GOMAXPROCS(procs)
			for range 20 {
				Expect(chatting(time.Minute)).To(Equal(want))
			}
			runtime.GOMAXPROCS(was)
		}
	})

	It("X2: gives up at its deadline, before and amid the answer", func() {
		diary, err := chatting(time.Second)
		Expect(diary).To(BeEmpty())
		Expect(err).To(MatchError(context.DeadlineExceeded))
		diary, err = chatting(2500 * time.Millisecond)
		Expect(diary).To(HaveLen(2 * 9))
		Expect(err).To(MatchError(context.DeadlineExceeded))
	})

	It("leaves no goroutine behind", func() {
		before := runtime.NumGoroutine()
		for range 100 {
			_, _ = chatting(2500 * time.Millisecond)
		}
		Eventually(runtime.NumGoroutine).Should(BeNumerically("<=", before))
	})
})
