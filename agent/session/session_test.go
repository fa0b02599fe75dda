package session_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/session"
)

var _ = Describe("Store", func() {
	ctx := context.Background()

	It("stores each session separately", func() {
		s := made(session.Config{})
		Expect(say(ctx, s, "a", "one")).To(Succeed())
		Expect(say(ctx, s, "b", "two")).To(Succeed())
		Expect(say(ctx, s, "a", "three")).To(Succeed())
		Expect(remembered(ctx, s, "a")).To(Equal([]string{"one", "three"}))
		Expect(remembered(ctx, s, "b")).To(Equal([]string{"two"}))
		Expect(s.Len(ctx)).To(Equal(2))
	})

	DescribeTable("S8: stores only the newest messages of a session",
		func(messages, put int, first, last string) {
			s := made(session.Config{MaxMessages: messages})
			Expect(s.WithSession(ctx, "a", func(_ context.Context, s *session.Session) error {
				s.History = numbered(0, put)
				return nil
			})).To(Succeed())
			list := remembered(ctx, s, "a")
			Expect(list[0]).To(Equal(first))
			Expect(list[len(list)-1]).To(Equal(last))
		},
		Entry("with the default limit, fifty messages are all stored", 0, 50, "0", "49"),
		Entry("with the default limit, the oldest of fifty-one messages is dropped", 0, 51, "1", "50"),
		Entry("with a configured limit, older messages are dropped", 4, 10, "6", "9"),
	)

	It("returns the error of f and nevertheless stores the session that f modified", func() {
		s := made(session.Config{})
		broken := errors.New("broken")
		Expect(s.WithSession(ctx, "a", func(_ context.Context, s *session.Session) error {
			s.History = numbered(0, 1)
			return broken
		})).To(BeIdenticalTo(broken))
		Expect(remembered(ctx, s, "a")).To(Equal([]string{"0"}))
	})

	It("does not store sessions without messages", func() {
		s := made(session.Config{})
		Expect(remembered(ctx, s, "a")).To(BeEmpty())
		Expect(s.Len(ctx)).To(BeZero())
	})

	It("X6: remains usable after a panic in f", func() {
		s := made(session.Config{})
		Expect(clock.CatchPanic("f", func() error {
			return s.WithSession(ctx, "a", func(context.Context, *session.Session) error { panic("boom") })
		})).To(MatchError("panic in f: boom"))
		Expect(s.Len(ctx)).To(BeZero())
		Expect(say(ctx, s, "a", "one")).To(Succeed())
	})

	DescribeTable("rejects an invalid configuration with a message that names the field",
		func(cfg session.Config, want string) {
			_, err := session.New(cfg)
			Expect(err).To(MatchError(want))
		},
		Entry("a negative idle time", session.Config{IdleTimeout: -1}, "session.Config.IdleTimeout: -1ns is negative"),
		Entry("a negative number of messages", session.Config{MaxMessages: -1},
			"session.Config.MaxMessages: -1 is negative"),
		Entry("a negative number of sessions", session.Config{MaxSessions: -1},
			"session.Config.MaxSessions: -1 is negative"),
		Entry("a negative size of a session", session.Config{MaxBytes: -1}, "session.Config.MaxBytes: -1 is negative"),
		Entry("a negative size of images", session.Config{MaxImageBytes: -1},
			"session.Config.MaxImageBytes: -1 is negative"),
		Entry("a negative size of all sessions", session.Config{MaxTotalBytes: -1},
			"session.Config.MaxTotalBytes: -1 is negative"),
	)
})

// visit is a turn of a session that records its start and end.
type visit struct {
	id       string
	at       time.Duration
	duration time.Duration
}

// visits runs turns concurrently and returns their starts and ends in order of time.
func visits(ctx context.Context, s *session.Store, list ...visit) (diary []string) {
	GinkgoHelper()
	g, _ := clock.NewGroup(ctx, 0)
	for i, v := range list {
		g.Go("visit", func(ctx context.Context) error {
			_ = clock.Sleep(ctx, v.at)
			err := s.WithSession(ctx, v.id, func(ctx context.Context, s *session.Session) error {
				began := clock.Since(ctx, midnight)
				_ = clock.Sleep(ctx, v.duration)
				diary = append(diary, fmt.Sprintf("%s%d %v–%v", v.id, i, began, clock.Since(ctx, midnight)))
				return nil
			})
			if err != nil {
				diary = append(diary, fmt.Sprintf("%s%d %v: %v", v.id, i, clock.Since(ctx, midnight), err))
			}
			return nil
		})
	}
	Expect(g.Wait()).To(Succeed())
	return diary
}

var _ = Describe("Turns of one session", func() {
	const s = time.Second

	It("S8: are answered one at a time in order of arrival, concurrently with other sessions", func() {
		play(func(ctx context.Context) {
			Expect(visits(ctx, made(session.Config{}),
				visit{id: "a", at: 0, duration: 10 * s},
				visit{id: "a", at: 2 * s, duration: s},
				visit{id: "a", at: s, duration: 5 * s},
				visit{id: "b", at: 3 * s, duration: s},
				visit{id: "a", at: 10 * s, duration: s},
			)).To(Equal([]string{"b3 3s–4s", "a0 0s–10s", "a2 10s–15s", "a1 15s–16s", "a4 16s–17s"}))
		})
	})

	It("S8: are rejected while another turn is answered if RejectWhenBusy is set", func() {
		play(func(ctx context.Context) {
			Expect(visits(ctx, made(session.Config{RejectWhenBusy: true}),
				visit{id: "a", at: 0, duration: 10 * s},
				visit{id: "a", at: s, duration: s},
				visit{id: "b", at: 2 * s, duration: s},
				visit{id: "a", at: 11 * s, duration: s},
			)).To(Equal([]string{"a1 1s: session is busy with another turn", "b2 2s–3s", "a0 0s–10s", "a3 11s–12s"}))
		})
	})

	It("X6: stop waiting when their context ends, without blocking later turns", func() {
		play(func(ctx context.Context) {
			store := made(session.Config{})
			g, _ := clock.NewGroup(ctx, 0)
			g.Go("first", func(ctx context.Context) error {
				Expect(visits(ctx, store, visit{id: "a", at: 0, duration: 10 * s},
					visit{id: "a", at: 2 * s, duration: s})).To(Equal([]string{"a0 0s–10s", "a1 10s–11s"}))
				return nil
			})
			g.Go("impatient", func(ctx context.Context) error {
				_ = clock.Sleep(ctx, s)
				ctx, cancel := clock.WithTimeout(ctx, 3*s)
				defer cancel()
				Expect(say(ctx, store, "a", "never")).To(MatchError(context.DeadlineExceeded))
				Expect(clock.Since(ctx, midnight)).To(Equal(4 * s))
				return nil
			})
			Expect(g.Wait()).To(Succeed())
			Expect(store.Len(ctx)).To(BeZero())
		})
	})

	It("do not start if their context has already ended", func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		store := made(session.Config{})
		Expect(say(ctx, store, "a", "never")).To(MatchError(context.Canceled))
		Expect(store.Len(ctx)).To(BeZero())
	})
})

var _ = Describe("An idle session", func() {
	DescribeTable("S10: expires after the configured time",
		func(idle, after time.Duration, want []string) {
			s := made(session.Config{IdleTimeout: idle})
			play(func(ctx context.Context) {
				Expect(say(ctx, s, "a", "one")).To(Succeed())
				Expect(clock.Sleep(ctx, after)).To(Succeed())
				Expect(s.Len(ctx)).To(Equal(len(want)))
				Expect(remembered(ctx, s, "a")).To(Equal(want))
			})
		},
		Entry("by default, it expires after half an hour", time.Duration(0), 30*time.Minute, nil),
		Entry("by default, it does not expire before half an hour", time.Duration(0), 30*time.Minute-1,
			[]string{"one"}),
		Entry("with a configured time, it expires after that time", time.Second, time.Second, nil),
	)

	It("S10: is idle from the end of its last turn", func() {
		s := made(session.Config{})
		play(func(ctx context.Context) {
			Expect(say(ctx, s, "a", "one")).To(Succeed())
			Expect(s.WithSession(ctx, "a", func(ctx context.Context, _ *session.Session) error {
				Expect(s.Len(ctx)).To(Equal(1))
				Expect(clock.Sleep(ctx, time.Hour)).To(Succeed())
				Expect(s.Len(ctx)).To(Equal(1))
				return nil
			})).To(Succeed())
			Expect(clock.Sleep(ctx, 29*time.Minute)).To(Succeed())
			Expect(remembered(ctx, s, "a")).To(Equal([]string{"one"}))
			Expect(clock.Sleep(ctx, 29*time.Minute)).To(Succeed())
			Expect(remembered(ctx, s, "a")).To(Equal([]string{"one"}))
		})
	})

	It("expires while newer sessions remain", func() {
		s := made(session.Config{})
		play(func(ctx context.Context) {
			for i := range 60 { // each turn in the first session resets its idle time
				Expect(say(ctx, s, fmt.Sprint(i), "hello")).To(Succeed())
				Expect(say(ctx, s, "0", "hello")).To(Succeed())
				Expect(clock.Sleep(ctx, time.Minute)).To(Succeed())
			}
			Expect(s.Len(ctx)).To(Equal(30), "29 of the last half hour, and the first")
			Expect(remembered(ctx, s, "30")).To(BeEmpty())
			Expect(remembered(ctx, s, "31")).To(HaveLen(1))
			Expect(clock.Sleep(ctx, 30*time.Minute)).To(Succeed())
			Expect(s.Len(ctx)).To(BeZero())
		})
	})
})

var _ = Describe("A store with the maximal number of sessions", func() {
	It("removes the session that is idle for longest", func() {
		ctx := context.Background()
		s := made(session.Config{MaxSessions: 3})
		for _, id := range []string{"a", "b", "c", "a", "d"} {
			Expect(say(ctx, s, id, "hello")).To(Succeed())
		}
		Expect(s.Len(ctx)).To(Equal(3))
		Expect(remembered(ctx, s, "b")).To(BeEmpty())
		Expect(remembered(ctx, s, "a")).To(HaveLen(2))
	})

	It("never removes a session in use, and returns to the limit after its turn", func() {
		s := made(session.Config{MaxSessions: 2})
		play(func(ctx context.Context) {
			Expect(say(ctx, s, "idle", "hello")).To(Succeed())
			g, _ := clock.NewGroup(ctx, 0)
			for i := range 5 {
				g.Go("user", func(ctx context.Context) error {
					return s.WithSession(ctx, fmt.Sprint(i), func(ctx context.Context, s *session.Session) error {
						s.History = numbered(i, i+1)
						return clock.Sleep(ctx, time.Duration(i+1)*time.Second)
					})
				})
			}
			Expect(clock.Sleep(ctx, time.Millisecond)).To(Succeed())
			Expect(s.Len(ctx)).To(Equal(5), "the idle one has gone")
			Expect(clock.Sleep(ctx, 2*time.Second)).To(Succeed())
			Expect(s.Len(ctx)).To(Equal(3), "those that are done have gone")
			Expect(g.Wait()).To(Succeed())
			Expect(s.Len(ctx)).To(Equal(2))
			Expect(remembered(ctx, s, "3")).To(Equal([]string{"3"}))
			Expect(remembered(ctx, s, "4")).To(Equal([]string{"4"}))
		})
	})
})

var _ = Describe("Many concurrent sessions", func() {
	// crowd stores numbers in many sessions with concurrent turns.
	crowd := func(ctx context.Context, sessions, turns int) {
		GinkgoHelper()
		s := made(session.Config{IdleTimeout: time.Minute})
		// not locked, so that the race detector reports concurrent turns of one session
		inside := make([]int, sessions)
		g, _ := clock.NewGroup(ctx, 0)
		for i := range sessions * turns {
			n := i % sessions
			g.Go("turn", func(ctx context.Context) error {
				return s.WithSession(ctx, fmt.Sprint(n), func(ctx context.Context, s *session.Session) error {
					inside[n]++
					before := inside[n]
					err := clock.Sleep(ctx, 10*time.Microsecond)
					if inside[n] != before || len(s.History) != before-1 {
						return fmt.Errorf("two at once in session %d", n)
					}
					s.History = append(s.History, agent.Message{Content: fmt.Sprint(n)})
					return err
				})
			})
		}
		Expect(g.Wait()).To(Succeed())
		Expect(s.Len(ctx)).To(Equal(sessions))
		for n := range sessions {
			Expect(remembered(ctx, s, fmt.Sprint(n))).To(And(HaveLen(turns), HaveEach(fmt.Sprint(n))))
		}
	}

	for _, sessions := range []int{10, 1000} {
		It(fmt.Sprintf("S8, X5: answer one turn at a time and lose no message (%d sessions, simulated clock)",
			sessions), func() {
			play(func(ctx context.Context) { crowd(ctx, sessions, 5) })
		})
		It(fmt.Sprintf("S8: answer one turn at a time and lose no message (%d sessions, real time)", sessions), func() {
			crowd(context.Background(), sessions, 5)
		})
	}

	It("are limited in number and are all removed after the idle time", func() {
		play(func(ctx context.Context) {
			s := made(session.Config{})
			for i := range 20_000 {
				Expect(say(ctx, s, fmt.Sprint(i), "hello")).To(Succeed())
			}
			Expect(s.Len(ctx)).To(Equal(session.DefaultMaxSessions))
			Expect(clock.Sleep(ctx, session.DefaultIdleTimeout)).To(Succeed())
			Expect(s.Len(ctx)).To(BeZero())
		})
	})
})
