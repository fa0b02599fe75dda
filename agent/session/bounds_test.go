package session_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/session"
	"evalctl/agent/trace"
)

func put(ctx context.Context, s *session.Store, id string, list ...agent.Message) {
	GinkgoHelper()
	Expect(s.WithSession(ctx, id, func(_ context.Context, s *session.Session) error {
		s.History = list
		return nil
	})).To(Succeed())
}

func text(mark string, n int) agent.Message {
	return agent.Message{Content: mark + strings.Repeat(".", n-len(mark))}
}

func sizedSession(ctx context.Context, s *session.Store, id string) (list []agent.Message) {
	GinkgoHelper()
	Expect(s.WithSession(ctx, id, func(_ context.Context, s *session.Session) error {
		list = s.History
		return nil
	})).To(Succeed())
	return list
}

func marks(ctx context.Context, s *session.Store, id string) (line string) {
	GinkgoHelper()
	for _, m := range sizedSession(ctx, s, id) {
		line += m.Content[:1]
	}
	return line
}

var _ = Describe("The memory limit of one session", func() {
	ctx := context.Background()

	DescribeTable("drops the oldest messages",
		func(limit int64, want string, list ...agent.Message) {
			s := made(session.Config{MaxBytes: limit})
			put(ctx, s, "a", list...)
			Expect(marks(ctx, s, "a")).To(Equal(want))
			Expect(marks(ctx, s, "a")).To(Equal(want), "and still do after another turn")
		},
		Entry("no message is dropped if all fit", int64(30), "abc", text("a", 10), text("b", 10), text("c", 10)),
		Entry("the oldest message is dropped if the limit is exceeded by one byte", int64(29), "bc", text("a", 10),
			text("b", 10), text("c", 10)),
		Entry("all messages before a dropped one are dropped, even if they would fit", int64(25), "cd",
			text("a", 1), text("b", 20),
			text("c", 10), text("d", 10)),
		Entry("a message larger than the limit is dropped, and the others remain", int64(20), "ac", text("a", 10),
			text("b", 21), text("c", 10)),
		Entry("the newest message is dropped if it is larger than the limit", int64(20), "a",
			text("a", 10), text("b", 21)),
		Entry("the only message is dropped if it is larger than the limit", int64(20), "", text("a", 21)),
		Entry("the default limit is 256 KiB", int64(0), "bc", text("a", 1), text("b", 100<<10), text("c", 156<<10)),
	)

	It("includes the role, the text and the image addresses of a message", func() {
		m := agent.Message{Role: "user", Content: "猫", Images: []string{"http://a", "http://bc"},
			GeneratedImageURL: "http://d"}
		const size = 4 + 3 + 8 + 9 + 8
		for limit, want := range map[int64]int{size: 1, size - 1: 0} {
			s := made(session.Config{MaxBytes: limit})
			put(ctx, s, "a", m)
			Expect(s.Len(ctx)).To(Equal(want))
			Expect(sizedSession(ctx, s, "a")).To(HaveLen(want))
		}
	})

	It("X6: is also applied after a panic of the agent", func() {
		s := made(session.Config{MaxBytes: 10})
		Expect(clock.CatchPanic("f", func() error {
			return s.WithSession(ctx, "a", func(_ context.Context, s *session.Session) error {
				s.History = []agent.Message{text("a", 10), text("b", 10)}
				panic("boom")
			})
		})).To(MatchError("panic in f: boom"))
		Expect(marks(ctx, s, "a")).To(Equal("b"))
	})
})

func image(n int) string {
	const head = "data:image/png;base64,"
	return head + strings.Repeat("A", n-len(head))
}

var _ = Describe("An image stored as a data URL", func() {
	ctx := context.Background()

	It("T10: is stored in the session, as images with addresses are", func() {
		var turns []agent.Turn
		a := &session.Agent{Store: made(session.Config{}), Next: agent.Func(
			func(_ context.Context, t agent.Turn, _ func(trace.Event)) (agent.Reply, error) {
				turns = append(turns, t)
				return agent.Reply{Content: "ok"}, nil
			})}
		images := []string{image(1 << 20), "https://e.x/1"}
		for _, t := range []agent.Turn{{Images: images}, {Text: "two"}} {
			t.Session = "a"
			_, err := a.Respond(ctx, t, nil)
			Expect(err).NotTo(HaveOccurred())
		}
		Expect(turns[1].History[0].Images).To(HaveLen(2))
		Expect(turns[1].History[0].Images[0] == images[0]).To(BeTrue())
	})

	DescribeTable("T10: is dropped if newer images use up the limit, and its message is marked",
		func(limit int64, want string, sizes ...int) {
			s := made(session.Config{MaxImageBytes: limit, MaxBytes: 50})
			var list []agent.Message
			for _, n := range sizes {
				list = append(list, agent.Message{Content: "a", Images: []string{"https://e.x/1", image(n)}})
			}
			put(ctx, s, "a", list...)
			for range 2 { // the result does not change in another turn
				line := ""
				for _, m := range sizedSession(ctx, s, "a") {
					Expect(m.Images).To(ContainElement("https://e.x/1"))
					line += map[bool]string{true: "-", false: fmt.Sprint(len(m.Images))}[m.ImagesExpired]
				}
				Expect(line).To(Equal(want))
			}
		},
		Entry("no image is dropped if all fit", int64(90), "222", 30, 30, 30),
		Entry("the oldest image is dropped", int64(89), "-22", 30, 30, 30),
		Entry("only the image that is larger than the limit is dropped", int64(80), "2-2", 30, 81, 30),
		Entry("a newer image is kept in place of an older one", int64(60), "-22", 60, 30, 30),
		Entry("the default limit is 8 MiB", int64(0), "-22", 40, 4<<20, 4<<20),
	)

	It("T10: is also marked as dropped if the agent generated it or its message has no text", func() {
		s := made(session.Config{MaxImageBytes: 30})
		put(ctx, s, "a", agent.Message{Role: "assistant", GeneratedImageURL: "DATA:" + image(40)})
		Expect(sizedSession(ctx, s, "a")).To(Equal([]agent.Message{{Role: "assistant", ImagesExpired: true}}))
	})

	It("T10: does not count toward the limit on text", func() {
		s := made(session.Config{MaxBytes: 10})
		put(ctx, s, "a", agent.Message{Content: "0123456789", Images: []string{image(1000)}})
		Expect(sizedSession(ctx, s, "a")).To(HaveLen(1))
		Expect(sizedSession(ctx, s, "a")[0].Images).To(HaveLen(1))
	})

	It("counts toward the limit of all sessions, beyond which the session idle for longest is removed", func() {
		s := made(session.Config{MaxTotalBytes: 100})
		for _, id := range []string{"a", "b", "c"} {
			put(ctx, s, id, agent.Message{Images: []string{image(40)}})
		}
		Expect(s.Len(ctx)).To(Equal(2))
		Expect(sizedSession(ctx, s, "a")).To(BeEmpty())
	})

	It("X6: is dropped if the sessions in use exceed the limit of all sessions", func() {
		s := made(session.Config{MaxTotalBytes: 100})
		put(ctx, s, "a", agent.Message{Images: []string{image(80)}})
		Expect(s.WithSession(ctx, "a", func(ctx context.Context, _ *session.Session) error {
			put(ctx, s, "b", agent.Message{Content: "b", Images: []string{image(80)}})
			Expect(sizedSession(ctx, s, "b")).To(Equal([]agent.Message{{Content: "b", ImagesExpired: true}}))
			return nil
		})).To(Succeed())
		Expect(sizedSession(ctx, s, "a")[0].Images).To(HaveLen(1))
	})
})

var _ = Describe("The memory limit of all sessions", func() {
	ctx := context.Background()

	It("removes the session that is idle for longest", func() {
		s := made(session.Config{MaxTotalBytes: 30})
		for _, id := range []string{"a", "b", "c", "a"} {
			put(ctx, s, id, text(id, 10))
		}
		Expect(s.Len(ctx)).To(Equal(3), "they just fit")
		put(ctx, s, "d", text("d", 11))
		Expect(s.Len(ctx)).To(Equal(2), "one was not enough")
		Expect(marks(ctx, s, "a")).To(Equal("a"))
		Expect(marks(ctx, s, "d")).To(Equal("d"))
	})

	It("is 64 MiB by default", func() {
		s := made(session.Config{})
		const fit = session.DefaultMaxTotalBytes / session.DefaultMaxBytes
		long := text("a", session.DefaultMaxBytes)
		for i := range fit + 10 {
			put(ctx, s, fmt.Sprint(i), long)
		}
		Expect(s.Len(ctx)).To(Equal(fit))
		Expect(sizedSession(ctx, s, "9")).To(BeEmpty())
		Expect(sizedSession(ctx, s, "10")).To(HaveLen(1))
	})

	It("never removes a session in use, and is enforced again after its turn", func() {
		s := made(session.Config{MaxTotalBytes: 25})
		for _, id := range []string{"a", "b"} {
			put(ctx, s, id, text(id, 10))
		}
		Expect(s.WithSession(ctx, "a", func(ctx context.Context, _ *session.Session) error {
			return s.WithSession(ctx, "b", func(ctx context.Context, _ *session.Session) error {
				put(ctx, s, "c", text("c", 10))
				Expect(s.Len(ctx)).To(Equal(2), "the one that nobody uses has gone")
				return nil
			})
		})).To(Succeed())
		Expect(marks(ctx, s, "a") + marks(ctx, s, "b")).To(Equal("ab"))
	})

	It("includes sessions with waiting turns", func() {
		s := made(session.Config{MaxTotalBytes: 20})
		play(func(ctx context.Context) {
			put(ctx, s, "idle", text("i", 10))
			g, _ := clock.NewGroup(ctx, 0)
			for range 2 {
				g.Go("turn", func(ctx context.Context) error {
					return s.WithSession(ctx, "a", func(ctx context.Context, s *session.Session) error {
						s.History = append(s.History, text("a", 11))
						return clock.Sleep(ctx, time.Second)
					})
				})
			}
			Expect(clock.Sleep(ctx, 1500*time.Millisecond)).To(Succeed())
			Expect(s.Len(ctx)).To(Equal(1), "after the first turn, during the second")
			Expect(g.Wait()).To(Succeed())
		})
	})

	DescribeTable("counts zero bytes after all sessions have been removed",
		func(cfg session.Config, use func(ctx context.Context, s *session.Store, id string)) {
			cfg.MaxTotalBytes = 100
			s := made(cfg)
			play(func(ctx context.Context) {
				for i := range 50 {
					use(ctx, s, fmt.Sprint(i))
				}
				Expect(clock.Sleep(ctx, session.DefaultIdleTimeout)).To(Succeed())
				Expect(s.Len(ctx)).To(BeZero())
				put(ctx, s, "x", text("x", 50))
				put(ctx, s, "y", text("y", 50))
				Expect(s.Len(ctx)).To(Equal(2), "nothing too many is counted")
				put(ctx, s, "z", text("z", 1))
				Expect(s.Len(ctx)).To(Equal(2), "nor too few")
				Expect(marks(ctx, s, "x")).To(BeEmpty())
			})
		},
		Entry("all sessions have expired", session.Config{}, func(ctx context.Context, s *session.Store, id string) {
			put(ctx, s, id, text("a", 30))
			Expect(clock.Sleep(ctx, 20*time.Minute)).To(Succeed())
		}),
		Entry("sessions were removed by the limit on their number", session.Config{MaxSessions: 2},
			func(ctx context.Context, s *session.Store, id string) {
				put(ctx, s, id, text("a", 10))
			}),
		Entry("sessions were removed by the limit on their size", session.Config{},
			func(ctx context.Context, s *session.Store, id string) {
				put(ctx, s, id, text("a", 40))
			}),
		Entry("a single session exceeded the limit of all sessions", session.Config{},
			func(ctx context.Context, s *session.Store, id string) {
				put(ctx, s, id, text("a", 101))
			}),
		Entry("a session ended without messages", session.Config{},
			func(ctx context.Context, s *session.Store, id string) {
				put(ctx, s, id, text("a", 10))
				put(ctx, s, id)
			}),
		Entry("a session grew and shrank", session.Config{}, func(ctx context.Context, s *session.Store, id string) {
			put(ctx, s, "a", text("a", 10), text("b", 20))
			put(ctx, s, "a", text("a", 5))
		}),
		Entry("a turn failed", session.Config{}, func(ctx context.Context, s *session.Store, id string) {
			put(ctx, s, id, text("a", 10))
			Expect(s.WithSession(ctx, id,
				func(context.Context, *session.Session) error { return errors.New("broken") })).NotTo(Succeed())
		}),
		Entry("a waiting turn was canceled", session.Config{}, func(ctx context.Context, s *session.Store, id string) {
			put(ctx, s, id, text("a", 10))
			over, cancel := context.WithCancel(ctx)
			cancel()
			Expect(say(over, s, id, "never")).To(MatchError(context.Canceled))
		}),
	)

	It("is counted correctly after a thousand concurrent sessions", func() {
		s := made(session.Config{MaxTotalBytes: 5000})
		g, _ := clock.NewGroup(ctx, 0)
		for i := range 5000 {
			g.Go("turn", func(ctx context.Context) error {
				return s.WithSession(ctx, fmt.Sprint(i%1000), func(_ context.Context, s *session.Session) error {
					s.History = append(s.History, text("a", 1+i%7))
					return nil
				})
			})
		}
		Expect(g.Wait()).To(Succeed())
		for i := range 500 {
			put(ctx, s, fmt.Sprint("new", i), text("n", 10))
		}
		Expect(s.Len(ctx)).To(Equal(500), "the last of the old had to go, none of the new")
		Expect(marks(ctx, s, "new0")).To(Equal("n"))
	})
})
