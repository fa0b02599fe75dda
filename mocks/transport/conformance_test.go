package transport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
)

// simple returns an exchange of a handler and a client that do not synchronize otherwise.
func simple(h http.HandlerFunc, c func(context.Context, *session)) func(*session) exchange {
	return func(*session) exchange { return exchange{handler: h, client: c} }
}

var _ = Describe("X5: the in-process transport behaves like a socket", func() {
	BeforeEach(func() {
		log.SetOutput(io.Discard) // net/http's server logs panics
		DeferCleanup(log.SetOutput, log.Writer())
	})

	DescribeTable("for", func(x func(*session) exchange) {
		socket := observe(context.Background(), overSocket, x)
		Expect(socket).NotTo(BeEmpty())
		Expect(observe(context.Background(), inProcess, x)).To(Equal(socket), "on the wall clock")
		var simulated []string
		Expect(clock.RunSimulated(context.Background(), simStart, func(ctx context.Context) error {
			simulated = observe(ctx, inProcess, x)
			return nil
		})).To(Succeed())
		Expect(simulated).To(Equal(socket), "simulated")
	},
		Entry("an answer with JSON",
			simple(headed("Content-Type", "application/json", write(`{"a":1}`)), get("/v1/x?q=1"))),
		Entry("an empty body", simple(write(""), get("/"))),
		Entry("an empty body that is flushed", simple(write("|"), get("/"))),
		Entry("status 404", simple(http.NotFound, get("/nowhere"))),
		Entry("a status without a name", simple(status(599, write("?")), get("/"))),
		Entry("a stream", simple(headed("Content-Type", "text/event-stream",
			write("data: 1\n\n|data: 2\n\n|data: [DONE]\n\n")), get("/"))),
		Entry("a content type that net/http detects", simple(write("<html><body>x"), get("/"))),
		Entry("an encoded body, whose content type is not detected",
			simple(headed("Content-Encoding", "br", write("<html>")), get("/"))),
		Entry("a content type that the handler suppresses", simple(func(w http.ResponseWriter, r *http.Request) {
			w.Header()["Content-Type"] = nil
			write("x")(w, r)
		}, get("/"))),
		Entry("the longest body with an automatic Content-Length", simple(write(strings.Repeat("x", 2048)), get("/"))),
		Entry("a longer body", simple(write(strings.Repeat("x", 2049)), get("/"))),
		Entry("a body with a Content-Length", simple(headed("Content-Length", "5", write("12|345")), get("/"))),
		Entry("a body shorter than its Content-Length",
			simple(headed("Content-Length", "9", write("12345")), get("/"))),
		Entry("a body longer than its Content-Length",
			simple(headed("Content-Length", "3", write("123|45")), get("/"))),
		Entry("an invalid Content-Length", simple(headed("Content-Length", "many", write("123")), get("/"))),
		Entry("headers that are set after the status", simple(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Early", "1")
			w.WriteHeader(http.StatusTeapot)
			w.Header().Set("X-Late", "1")
			w.WriteHeader(http.StatusOK)
		}, get("/"))),
		Entry("status 204", simple(status(204, write("ignored")), get("/"))),
		Entry("status 304", simple(headed("Content-Type", "text/plain", status(304, write(""))), get("/"))),
		Entry("status 500 with a body", simple(status(500, write("oh")), get("/"))),
		Entry("a HEAD request", simple(write("hello"), method("HEAD"))),
		Entry("a HEAD request for an empty body", simple(write(""), method("HEAD"))),
		Entry("a HEAD request for a long body", simple(write(strings.Repeat("x", 5000)), method("HEAD"))),
		Entry("a HEAD request with a Content-Length",
			simple(headed("Content-Length", "77", write("")), method("HEAD"))),
		Entry("a gzip body", simple(headed("Content-Encoding", "gzip", write(zipped("hello"))), get("/"))),
		Entry("a gzip body that is flushed before its first byte",
			simple(headed("Content-Encoding", "gzip", write("|"+zipped("hello"))), get("/"))),
		Entry("an empty gzip body", simple(headed("Content-Encoding", "gzip", write("")), get("/"))),
		Entry("an invalid gzip body", simple(headed("Content-Encoding", "gzip", write("not zipped at all")), get("/"))),
		Entry("a truncated gzip body",
			simple(headed("Content-Encoding", "gzip", write(zipped("hello")[:15])), get("/"))),
		Entry("a gzip body that the client itself requests",
			simple(headed("Content-Encoding", "gzip", write(zipped("hello"))),
				func(ctx context.Context, s *session) {
					req := s.request(ctx, "GET", "/", nil)
					req.Header.Set("Accept-Encoding", "gzip")
					s.do(req)
				})),
		Entry("a GET request as the handler receives it", simple(echo, get("/a%2Fb/c?x=1&y=%20#part"))),
		Entry("a request without a path as the handler receives it", simple(echo, get(""))),
		Entry("a HEAD request's headers as the handler receives them",
			simple(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("X-Accept", fmt.Sprint(r.Header))
			}, method("HEAD"))),
		Entry("a DELETE request as the handler receives it", simple(echo, method("DELETE"))),
		Entry("a POST request without a body as the handler receives it", simple(echo, method("POST"))),
		Entry("a POST request as the handler receives it", simple(echo, func(ctx context.Context, s *session) {
			req := s.request(ctx, "POST", "/", strings.NewReader(`{"a":"中文"}`))
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Authorization", "Bearer k")
			req.Header.Set("User-Agent", "test/1")
			req.Header.Set("Range", "bytes=0-5")
			s.do(req)
		})),
		Entry("a request with a body of unknown length and no user agent as the handler receives it",
			simple(echo, func(ctx context.Context, s *session) {
				req := s.request(ctx, "PUT", "/", io.MultiReader(strings.NewReader("a"), strings.NewReader("b")))
				req.Header.Set("User-Agent", "")
				s.do(req)
			})),
		Entry("a redirect", simple(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/from" {
				http.Redirect(w, r, "/to", http.StatusFound)
				return
			}
			r.Header.Del("Referer") // the header contains the port
			echo(w, r)
		}, get("/from"))),
		Entry("a handler that does not read the request body",
			simple(write("no"), func(ctx context.Context, s *session) {
				s.do(s.request(ctx, "POST", "/", strings.NewReader(strings.Repeat("x", 1000))))
			})),
		Entry("a panic before the headers",
			simple(func(http.ResponseWriter, *http.Request) { panic("boom") }, method("POST"))),
		Entry("a panic before a flush", simple(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "unseen")
			panic("boom")
		}, method("POST"))),
		Entry("a panic after the headers", simple(func(w http.ResponseWriter, r *http.Request) {
			write("seen|unseen")(w, r)
			panic("boom")
		}, get("/"))),
		Entry("an aborted answer, before the headers",
			simple(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, method("POST"))),
		Entry("an aborted answer, after the headers", simple(func(w http.ResponseWriter, r *http.Request) {
			write("seen|")(w, r)
			panic(http.ErrAbortHandler)
		}, get("/"))),
		Entry("an invalid status", simple(status(42, write("")), method("POST"))),
		Entry("a client that closes the body early", func(s *session) exchange {
			return exchange{
				handler: func(w http.ResponseWriter, r *http.Request) { write("data|")(w, r); waitForDisconnect(s, r) },
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
		Entry("a request that times out before the headers", func(s *session) exchange {
			return exchange{
				handler: func(w http.ResponseWriter, r *http.Request) { waitForDisconnect(s, r) },
				client: func(ctx context.Context, s *session) {
					limited, cancel := clock.WithTimeout(ctx, 20*time.Millisecond)
					defer cancel()
					s.do(s.request(limited, "GET", "/", nil))
					word, _, _ := s.served.Recv(ctx)
					s.say("%s", strings.Replace(word, "timeout", "canceled", 1))
				},
			}
		}),
		Entry("a request canceled with a cause before the headers", func(s *session) exchange {
			return exchange{
				handler: func(w http.ResponseWriter, r *http.Request) { waitForDisconnect(s, r) },
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
				handler: func(w http.ResponseWriter, r *http.Request) { write("data|")(w, r); waitForDisconnect(s, r) },
				client: func(ctx context.Context, s *session) {
					child, cancel := context.WithCancel(ctx)
					clock.AfterFunc(ctx, 20*time.Millisecond, cancel)
					s.do(s.request(child, "GET", "/", nil))
					word, _, _ := s.served.Recv(ctx)
					s.say("%s", word)
				},
			}
		}),
		Entry("a request canceled while its body is not read", func(s *session) exchange {
			return exchange{
				handler: func(w http.ResponseWriter, r *http.Request) { write("data|")(w, r); waitForDisconnect(s, r) },
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
		Entry("a body with a Content-Length that is complete before its handler ends", func(s *session) exchange {
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
		Entry("a body of a megabyte and a slow client", simple(func(w http.ResponseWriter, r *http.Request) {
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
