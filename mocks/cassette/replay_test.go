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

// stream sends pieces, with pauses before them.
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

var _ = Describe("what was recorded", func() {
	var path string
	BeforeEach(func() { path = tape() })

	It("comes again as it came: the same pieces, after the same time", func() {
		var first, again got
		recording(path, nil, func(record func(cassette.TrialRef, int, http.RoundTripper) http.RoundTripper) {
			simulated(func(ctx context.Context) {
				first = ask(ctx, record(alice, 1, stream(70*time.Millisecond, "data: 你", "好\n\n", "data: [DONE]\n\n")), at, `{"model":"m","b":1}`)
			})
		})
		Expect(first.Pieces).To(HaveLen(3))
		p := &cassette.Player{Cassette: load(path)}
		simulated(func(ctx context.Context) {
			again = ask(ctx, p.Transport(alice, 1, nil), "http://elsewhere.test/v1/chat/completions", `{ "b": 1, "model": "m" }`)
		})
		Expect(again).To(Equal(first))
		misses, _ := p.Misses()
		Expect(misses).To(BeZero())
	})

	DescribeTable("breaks as it broke", func(broken error, is func(error) bool) {
		recording(path, nil, func(record func(cassette.TrialRef, int, http.RoundTripper) http.RoundTripper) {
			simulated(func(ctx context.Context) {
				ask(ctx, record(alice, 1, roundTrip(func(r *http.Request) (*http.Response, error) {
					_ = clock.Sleep(r.Context(), time.Second)
					return nil, fmt.Errorf("read: %w", broken)
				})), at, `{}`)
			})
		})
		simulated(func(ctx context.Context) {
			g := ask(ctx, (&cassette.Player{Cassette: load(path)}).Transport(alice, 1, nil), at, `{}`)
			Expect(is(g.Err)).To(BeTrue(), fmt.Sprint(g.Err))
			Expect(g.Err.Error()).To(Equal("read: " + broken.Error()))
			Expect(g.Ended).To(Equal(time.Second))
		})
	},
		Entry("a reset", syscall.ECONNRESET, func(err error) bool { return errors.Is(err, syscall.ECONNRESET) }),
		Entry("a refusal", syscall.ECONNREFUSED, func(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }),
		Entry("an end too soon", io.ErrUnexpectedEOF, func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }),
		Entry("no answer", io.EOF, func(err error) bool { return errors.Is(err, io.EOF) }),
		Entry("time", os.ErrDeadlineExceeded, func(err error) bool { return errors.Is(err, os.ErrDeadlineExceeded) }),
		Entry("another", errors.New("no such host"), func(err error) bool { return err != nil }),
	)

	It("is left by who left it, and has nothing for who waits longer", func() {
		within := func(ctx context.Context, d time.Duration, way http.RoundTripper) got {
			ctx, cancel := clock.WithTimeout(ctx, d)
			defer cancel()
			return ask(ctx, way, at, `{}`)
		}
		recording(path, nil, func(record func(cassette.TrialRef, int, http.RoundTripper) http.RoundTripper) {
			simulated(func(ctx context.Context) {
				Expect(within(ctx, 3*time.Second, record(alice, 1, stream(2*time.Second, "a", "b", "c"))).Err).To(MatchError(context.DeadlineExceeded))
			})
		})
		p := &cassette.Player{Cassette: load(path)}
		simulated(func(ctx context.Context) {
			g := within(ctx, 3*time.Second, p.Transport(alice, 1, nil))
			Expect(g.Err).To(MatchError(context.DeadlineExceeded))
			Expect(g.text()).To(Equal("a"))
			misses, _ := p.Misses()
			Expect(misses).To(BeZero())

			var miss *cassette.Miss
			g = within(ctx, time.Hour, p.Transport(alice, 1, nil))
			Expect(errors.As(g.Err, &miss)).To(BeTrue(), fmt.Sprint(g.Err))
			Expect(miss.Nearest).To(Equal("who was recorded left after 3s, and the recording ends there"))
		})
	})

	It("has its answers in turn where the same is asked again, in each epoch its own, and of another trial those of the most alike", func() {
		n := 0
		count := server(func(w http.ResponseWriter, _ *http.Request) { n++; fmt.Fprint(w, n) })
		bob := cassette.TrialRef{Suite: "s", Variant: "v", Case: "c2", Component: "router"}
		recording(path, nil, func(record func(cassette.TrialRef, int, http.RoundTripper) http.RoundTripper) {
			simulated(func(ctx context.Context) {
				for _, way := range []http.RoundTripper{record(alice, 1, count), record(bob, 1, count), record(alice, 2, count)} {
					ask(ctx, way, at, `{}`)
					ask(ctx, way, at, `{}`)
				}
			})
		})
		p := &cassette.Player{Cassette: load(path)}
		simulated(func(ctx context.Context) {
			texts := func(who cassette.TrialRef, epoch int) (list []string) {
				way := p.Transport(who, epoch, nil)
				for range 2 {
					list = append(list, ask(ctx, way, at, `{}`).text())
				}
				return list
			}
			Expect(texts(alice, 1)).To(Equal([]string{"1", "2"}))
			Expect(texts(bob, 1)).To(Equal([]string{"3", "4"}))
			Expect(texts(alice, 2)).To(Equal([]string{"5", "6"}))
			Expect(texts(cassette.TrialRef{Suite: "s", Variant: "w", Case: "c2", Component: "router"}, 1)).To(Equal([]string{"3", "4"}))
			Expect(texts(cassette.TrialRef{Suite: "s", Variant: "w", Case: "new", Component: "router"}, 1)).To(Equal([]string{"1", "2"}))

			way := p.Transport(alice, 1, nil)
			for range 2 {
				Expect(ask(ctx, way, at, `{}`).Err).NotTo(HaveOccurred())
			}
			Expect(ask(ctx, way, at, `{}`).Err).To(MatchError(ContainSubstring("it was recorded 2 times in epoch 1, and this is time 3")))
			Expect(ask(ctx, p.Transport(alice, 3, nil), at, `{}`).Err).To(HaveOccurred(), "epochs never share")
		})
	})

	It("is that of the last recording of a trial", func() {
		for _, text := range []string{"old", "new"} {
			recording(path, nil, func(record func(cassette.TrialRef, int, http.RoundTripper) http.RoundTripper) {
				simulated(func(ctx context.Context) { ask(ctx, record(alice, 1, says(text)), at, `{}`) })
			})
		}
		simulated(func(ctx context.Context) {
			Expect(ask(ctx, (&cassette.Player{Cassette: load(path)}).Transport(alice, 1, nil), at, `{}`).text()).To(Equal("new"))
		})
	})

	It("is found at another time of day, by the same part of the same trial alone", func() {
		recording(path, nil, func(record func(cassette.TrialRef, int, http.RoundTripper) http.RoundTripper) {
			simulated(func(ctx context.Context) { ask(ctx, record(alice, 1, says("x")), at, `{"now":"2026-11-20 12:01"}`) })
		})
		c := load(path)
		simulated(func(ctx context.Context) {
			Expect(ask(ctx, (&cassette.Player{Cassette: c}).Transport(alice, 1, nil), at, `{"now":"2026-11-20 12:02"}`).text()).To(Equal("x"))
			Expect(ask(ctx, (&cassette.Player{Cassette: c}).Transport(alice, 1, nil), at, `{"now":"2026-11-21 12:01"}`).Err).To(HaveOccurred())
			other := alice
			other.Case = "c2"
			Expect(ask(ctx, (&cassette.Player{Cassette: c}).Transport(other, 1, nil), at, `{"now":"2026-11-20 12:02"}`).Err).To(HaveOccurred())
		})
		began, ok := c.StartTime(alice, 1)
		Expect(ok).To(BeTrue())
		Expect(began).To(BeTemporally("==", noon))
	})

	It("says of what it does not have what comes nearest, and where that differs", func() {
		recording(path, nil, func(record func(cassette.TrialRef, int, http.RoundTripper) http.RoundTripper) {
			simulated(func(ctx context.Context) {
				way := record(alice, 1, says("x"))
				ask(ctx, way, at, `{"messages":[{"role":"system","content":"Route it well, as JSON."},{"role":"user","content":"画一只猫"}]}`)
				ask(ctx, way, at, `{"messages":[{"role":"user","content":"something else"}]}`)
			})
		})
		var heard []*cassette.Miss
		p := &cassette.Player{Cassette: load(path)}
		simulated(func(ctx context.Context) {
			way := p.Transport(alice, 1, func(m *cassette.Miss) { heard = append(heard, m) })
			g := ask(ctx, way, at, `{"messages":[{"role":"system","content":"Route it badly, as JSON."},{"role":"user","content":"画一只猫"}]}`)
			Expect(g.Err).To(MatchError(And(HavePrefix("no recording of POST /v1/chat/completions, which router asks in case c1 (variant v, epoch 1): the nearest is "+path+":2 (router of case c1, variant v, epoch 1), where "),
				HaveSuffix(`messages[0].content is "Route it well, as JSON.", and now "Route it badly, as JSON."`))))
			Expect(ask(ctx, way, "http://h/v2/other", `{}`).Err).To(MatchError(HaveSuffix("nothing at /v2/other was ever recorded")))
		})
		Expect(heard).To(HaveLen(2))
		n, first := p.Misses()
		Expect(n).To(BeEquivalentTo(2))
		Expect(first).To(Equal(heard[0]))
	})

	It("is the same where bodies are no text, or none", func() {
		raw := string([]byte{0xff, 0xd8, 0, 1, '\n', 0xe4})
		var first, again got
		recording(path, nil, func(record func(cassette.TrialRef, int, http.RoundTripper) http.RoundTripper) {
			simulated(func(ctx context.Context) { first = ask(ctx, record(alice, 1, says(raw)), at, raw) })
		})
		simulated(func(ctx context.Context) {
			again = ask(ctx, (&cassette.Player{Cassette: load(path)}).Transport(alice, 1, nil), at, raw)
		})
		Expect(again.text()).To(Equal(raw))
		Expect(again).To(Equal(first))
	})

	It("tells when to come again by how long that was", func() {
		recording(path, nil, func(record func(cassette.TrialRef, int, http.RoundTripper) http.RoundTripper) {
			simulated(func(ctx context.Context) {
				ask(ctx, record(alice, 1, server(func(w http.ResponseWriter, r *http.Request) {
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
