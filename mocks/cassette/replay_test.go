package cassette_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/mocks/cassette"
)

// stream returns an http.RoundTripper that answers with the given chunks, each after a pause.
func stream(pause time.Duration, pieces ...string) http.RoundTripper {
	return server(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, p := range pieces {
			if clock.Sleep(r.Context(), pause) != nil {
				return
			}
			_, _ = io.WriteString(w, p)
			w.(http.Flusher).Flush()
		}
	})
}

var _ = Describe("a replayed answer", func() {
	var path string
	BeforeEach(func() { path = newPath() })

	It("has the same chunks at the same times as the recorded one", func() {
		var first, again received
		recordTransport(path, nil, func(record func(cassette.TrialRef, int, http.RoundTripper) http.RoundTripper) {
			inSimulatedTime(func(ctx context.Context) {
				first = post(ctx, record(alice, 1, stream(70*time.Millisecond, "data: 你", "好\n\n", "data: [DONE]\n\n")),
					at, `{"model":"m","b":1}`)
			})
		})
		Expect(first.Pieces).To(HaveLen(3))
		p := &cassette.Player{Cassette: load(path)}
		inSimulatedTime(func(ctx context.Context) {
			again = post(ctx, p.Transport(alice, 1, nil), "http://elsewhere.test/v1/chat/completions",
				`{ "b": 1, "model": "m" }`)
		})
		Expect(again).To(Equal(first))
		misses, _ := p.Misses()
		Expect(misses).To(BeZero())
	})

	DescribeTable("fails with the recorded error", func(broken error, is func(error) bool) {
		recordTransport(path, nil, func(record func(cassette.TrialRef, int, http.RoundTripper) http.RoundTripper) {
			inSimulatedTime(func(ctx context.Context) {
				post(ctx, record(alice, 1, roundTrip(func(r *http.Request) (*http.Response, error) {
					_ = clock.Sleep(r.Context(), time.Second)
					return nil, fmt.Errorf("read: %w", broken)
				})), at, `{}`)
			})
		})
		inSimulatedTime(func(ctx context.Context) {
			g := post(ctx, (&cassette.Player{Cassette: load(path)}).Transport(alice, 1, nil), at, `{}`)
			Expect(is(g.Err)).To(BeTrue(), fmt.Sprint(g.Err))
			Expect(g.Err.Error()).To(Equal("read: " + broken.Error()))
			Expect(g.Ended).To(Equal(time.Second))
		})
	},
		Entry("a reset connection", syscall.ECONNRESET,
			func(err error) bool { return errors.Is(err, syscall.ECONNRESET) }),
		Entry("a refused connection", syscall.ECONNREFUSED,
			func(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }),
		Entry("an incomplete body", io.ErrUnexpectedEOF,
			func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }),
		Entry("a connection closed without an answer", io.EOF, func(err error) bool { return errors.Is(err, io.EOF) }),
		Entry("a timeout", os.ErrDeadlineExceeded,
			func(err error) bool { return errors.Is(err, os.ErrDeadlineExceeded) }),
		Entry("an error that is neither a timeout nor a broken connection", errors.New("no such host"),
			func(err error) bool { return err != nil }),
	)

	It("ends where the recorded client canceled; a client that waits longer gets an error", func() {
		within := func(ctx context.Context, d time.Duration, next http.RoundTripper) received {
			ctx, cancel := clock.WithTimeout(ctx, d)
			defer cancel()
			return post(ctx, next, at, `{}`)
		}
		recordTransport(path, nil, func(record func(cassette.TrialRef, int, http.RoundTripper) http.RoundTripper) {
			inSimulatedTime(func(ctx context.Context) {
				Expect(within(ctx, 3*time.Second, record(alice, 1, stream(2*time.Second, "a", "b", "c"))).Err).
					To(MatchError(context.DeadlineExceeded))
			})
		})
		p := &cassette.Player{Cassette: load(path)}
		inSimulatedTime(func(ctx context.Context) {
			g := within(ctx, 3*time.Second, p.Transport(alice, 1, nil))
			Expect(g.Err).To(MatchError(context.DeadlineExceeded))
			Expect(g.text()).To(Equal("a"))
			misses, _ := p.Misses()
			Expect(misses).To(BeZero())

			var miss *cassette.Miss
			g = within(ctx, time.Hour, p.Transport(alice, 1, nil))
			Expect(errors.As(g.Err, &miss)).To(BeTrue(), fmt.Sprint(g.Err))
			Expect(miss.NearestRecording).To(Equal("who was recorded left after 3s, and the recording ends there"))
		})
	})

	It("is the recording with the same number, epoch and trial, or else that of the most similar trial", func() {
		n := 0
		count := server(func(w http.ResponseWriter, _ *http.Request) { n++; fmt.Fprint(w, n) })
		bob := cassette.TrialRef{Suite: "s", Variant: "v", Case: "c2", Component: "router"}
		recordTransport(path, nil, func(record func(cassette.TrialRef, int, http.RoundTripper) http.RoundTripper) {
			inSimulatedTime(func(ctx context.Context) {
				for _, next := range []http.RoundTripper{record(alice, 1, count), record(bob, 1, count),
					record(alice, 2, count)} {
					post(ctx, next, at, `{}`)
					post(ctx, next, at, `{}`)
				}
			})
		})
		p := &cassette.Player{Cassette: load(path)}
		inSimulatedTime(func(ctx context.Context) {
			texts := func(who cassette.TrialRef, epoch int) (list []string) {
				next := p.Transport(who, epoch, nil)
				for range 2 {
					list = append(list, post(ctx, next, at, `{}`).text())
				}
				return list
			}
			Expect(texts(alice, 1)).To(Equal([]string{"1", "2"}))
			Expect(texts(bob, 1)).To(Equal([]string{"3", "4"}))
			Expect(texts(alice, 2)).To(Equal([]string{"5", "6"}))
			Expect(texts(cassette.TrialRef{Suite: "s", Variant: "w", Case: "c2", Component: "router"}, 1)).
				To(Equal([]string{"3", "4"}))
			Expect(texts(cassette.TrialRef{Suite: "s", Variant: "w", Case: "new", Component: "router"}, 1)).
				To(Equal([]string{"1", "2"}))

			next := p.Transport(alice, 1, nil)
			for range 2 {
				Expect(post(ctx, next, at, `{}`).Err).NotTo(HaveOccurred())
			}
			Expect(post(ctx, next, at, `{}`).Err).
				To(MatchError(ContainSubstring("it was recorded 2 times in epoch 1, and this is time 3")))
			Expect(post(ctx, p.Transport(alice, 3, nil), at, `{}`).Err).To(HaveOccurred(), "epochs never share")
		})
	})

	It("is the last recording if a trial was recorded several times", func() {
		for _, text := range []string{"old", "new"} {
			recordTransport(path, nil, func(record func(cassette.TrialRef, int, http.RoundTripper) http.RoundTripper) {
				inSimulatedTime(func(ctx context.Context) { post(ctx, record(alice, 1, textServer(text)), at, `{}`) })
			})
		}
		inSimulatedTime(func(ctx context.Context) {
			Expect(post(ctx, (&cassette.Player{Cassette: load(path)}).Transport(alice, 1, nil), at, `{}`).text()).
				To(Equal("new"))
		})
	})

	It("also answers a request that differs only in a time of day, if the component and the trial are the same",
		func() {
			recordTransport(path, nil, func(record func(cassette.TrialRef, int, http.RoundTripper) http.RoundTripper) {
				inSimulatedTime(func(ctx context.Context) {
					post(ctx, record(alice, 1, textServer("x")), at, `{"now":"2026-11-20 12:01"}`)
				})
			})
			c := load(path)
			inSimulatedTime(func(ctx context.Context) {
				Expect(post(ctx, (&cassette.Player{Cassette: c}).Transport(alice, 1, nil), at,
					`{"now":"2026-11-20 12:02"}`).text()).To(Equal("x"))
				Expect(post(ctx, (&cassette.Player{Cassette: c}).Transport(alice, 1, nil), at,
					`{"now":"2026-11-21 12:01"}`).Err).To(HaveOccurred())
				other := alice
				other.Case = "c2"
				Expect(post(ctx, (&cassette.Player{Cassette: c}).Transport(other, 1, nil), at,
					`{"now":"2026-11-20 12:02"}`).Err).To(HaveOccurred())
			})
			began, ok := c.StartTime(alice, 1)
			Expect(ok).To(BeTrue())
			Expect(began).To(BeTemporally("==", noon))
		})

	It("is an error for an unrecorded request; the error shows the most similar recording and the difference", func() {
		recordTransport(path, nil, func(record func(cassette.TrialRef, int, http.RoundTripper) http.RoundTripper) {
			inSimulatedTime(func(ctx context.Context) {
				next := record(alice, 1, textServer("x"))
				post(ctx, next, at, `{"messages":[{"role":"system","content":"Route it well, as JSON."},{"role":"user","content":"画一只猫"}]}`)
				post(ctx, next, at, `{"messages":[{"role":"user","content":"something else"}]}`)
			})
		})
		var missed []*cassette.Miss
		p := &cassette.Player{Cassette: load(path)}
		inSimulatedTime(func(ctx context.Context) {
			next := p.Transport(alice, 1, func(m *cassette.Miss) { missed = append(missed, m) })
			g := post(ctx, next, at,
				`{"messages":[{"role":"system","content":"Route it badly, as JSON."},{"role":"user","content":"画一只猫"}]}`)
			Expect(g.Err).To(MatchError(
				And(HavePrefix("no recording of POST /v1/chat/completions, which router asks in case c1 (variant v, epoch 1): the nearest is "+path+":2 (router of case c1, variant v, epoch 1), where "),
					HaveSuffix(`messages[0].content is "Route it well, as JSON.", and now "Route it badly, as JSON."`))))
			Expect(post(ctx, next, "http://h/v2/other", `{}`).Err).
				To(MatchError(HaveSuffix("nothing at /v2/other was ever recorded")))
		})
		Expect(missed).To(HaveLen(2))
		n, first := p.Misses()
		Expect(n).To(BeEquivalentTo(2))
		Expect(first).To(Equal(missed[0]))
	})

	It("may be binary, and so may the request", func() {
		raw := string([]byte{0xff, 0xd8, 0, 1, '\n', 0xe4})
		var first, again received
		recordTransport(path, nil, func(record func(cassette.TrialRef, int, http.RoundTripper) http.RoundTripper) {
			inSimulatedTime(func(ctx context.Context) { first = post(ctx, record(alice, 1, textServer(raw)), at, raw) })
		})
		inSimulatedTime(func(ctx context.Context) {
			again = post(ctx, (&cassette.Player{Cassette: load(path)}).Transport(alice, 1, nil), at, raw)
		})
		Expect(again.text()).To(Equal(raw))
		Expect(again).To(Equal(first))
	})

	It("has a delay in Retry-After instead of the recorded date, and no cookies", func() {
		recordTransport(path, nil, func(record func(cassette.TrialRef, int, http.RoundTripper) http.RoundTripper) {
			inSimulatedTime(func(ctx context.Context) {
				post(ctx, record(alice, 1, server(func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Retry-After", noon.Add(20*time.Second).Format(http.TimeFormat))
					w.Header().Set("Set-Cookie", "session=1")
					w.WriteHeader(http.StatusTooManyRequests)
				})), at, `{}`)
			})
		})
		for x, err := range load(path).Exchanges("") {
			Expect(err).NotTo(HaveOccurred())
			Expect(x.Response.Status).To(Equal(429))
			Expect(x.Response.Headers).To(Equal(map[string]string{"Retry-After": "20"}))
		}
	})
})
