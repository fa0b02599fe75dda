package clock_test

import (
	"context"
	"errors"
	"runtime"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
)

type key struct{}

var _ = Describe("A simulated timeout", func() {
	It("X2: ends a wait at its time, with DeadlineExceeded as error and cause", func() {
		Expect(simulate(func(ctx context.Context) error {
			limited, cancel := clock.WithTimeout(ctx, 3*time.Second)
			defer cancel()
			Expect(limited.Err()).NotTo(HaveOccurred())
			Expect(limited.Done()).NotTo(BeClosed())
			_, says := limited.Deadline()
			Expect(says).To(BeFalse())
			Expect(clock.Sleep(limited, time.Hour)).To(MatchError(context.DeadlineExceeded))
			Expect(clock.Since(ctx, midnight)).To(Equal(3 * time.Second))
			Expect(limited.Done()).To(BeClosed())
			Expect(context.Cause(limited)).To(MatchError(context.DeadlineExceeded))
			Expect(ctx.Err()).NotTo(HaveOccurred())
			return nil
		})).To(Succeed())
	})

	It("fires before a sleep of the same length, but after a timer that was started earlier for the same instant",
		func() {
			Expect(simulate(func(ctx context.Context) error {
				limited, cancel := clock.WithTimeout(ctx, time.Second)
				defer cancel()
				Expect(clock.Sleep(limited, time.Second)).To(MatchError(context.DeadlineExceeded))

				c := clock.NewChan[string](ctx, "c", 0)
				clock.AfterFunc(ctx, time.Second, func() { _ = c.Send(ctx, "in time") })
				late, cancel := clock.WithTimeout(ctx, time.Second)
				defer cancel()
				Expect(received(late, c)).To(Equal("in time"))
				return nil
			})).To(Succeed())
		})

	DescribeTable("ends contexts that are derived from it, without a goroutine",
		func(derive func(context.Context) (context.Context, func())) {
			before := runtime.NumGoroutine()
			Expect(simulate(func(ctx context.Context) error {
				limited, cancel := clock.WithTimeout(ctx, time.Second)
				defer cancel()
				on, cancelOn := derive(limited)
				defer cancelOn()
				Expect(runtime.NumGoroutine()).To(BeNumerically("<=", before), "raw goroutines")
				Expect(clock.Sleep(on, time.Minute)).To(MatchError(context.DeadlineExceeded))
				Expect(on.Done()).To(BeClosed())
				Expect(context.Cause(on)).To(MatchError(context.DeadlineExceeded))
				Expect(clock.Since(ctx, midnight)).To(Equal(time.Second))
				return nil
			})).To(Succeed())
		},
		Entry("by WithValue", func(ctx context.Context) (context.Context, func()) {
			return context.WithValue(ctx, key{}, 1), func() {}
		}),
		Entry("by WithCancel from a context of WithValue", func(ctx context.Context) (context.Context, func()) {
			ctx, cancel := context.WithCancel(context.WithValue(ctx, key{}, 1))
			return ctx, cancel
		}),
		Entry("by WithCancelCause", func(ctx context.Context) (context.Context, func()) {
			ctx, cancel := context.WithCancelCause(ctx)
			return ctx, func() { cancel(nil) }
		}),
		Entry("by WithTimeout with a longer timeout", func(ctx context.Context) (context.Context, func()) {
			ctx, cancel := clock.WithTimeout(context.WithValue(ctx, key{}, 1), time.Hour)
			return ctx, cancel
		}),
		Entry("by NewGroup", func(ctx context.Context) (context.Context, func()) {
			g, ctx := clock.NewGroup(ctx, 0)
			return ctx, func() { _ = g.Wait() }
		}),
	)

	DescribeTable("ends at the same moment as its parent", func(wrap func(context.Context) context.Context) {
		Expect(simulate(func(ctx context.Context) error {
			cause := errors.New("cause")
			parent, end := context.WithCancelCause(ctx)
			limited, cancel := clock.WithTimeout(wrap(parent), time.Hour)
			defer cancel()
			end(cause)
			Expect(limited.Err()).To(MatchError(context.Canceled))
			Expect(limited.Done()).To(BeClosed())
			Expect(context.Cause(limited)).To(MatchError(cause))
			Expect(clock.Sleep(limited, 1)).To(MatchError(context.Canceled))
			return nil
		})).To(Succeed())
	},
		Entry("if the parent is a canceled context", func(ctx context.Context) context.Context { return ctx }),
		Entry("if the parent is derived from a canceled context by WithValue",
			func(ctx context.Context) context.Context { return context.WithValue(ctx, key{}, 1) }),
		Entry("if the parent is another timeout in a canceled context", func(ctx context.Context) context.Context {
			ctx, _ = clock.WithTimeout(ctx, time.Minute)
			return ctx
		}),
	)

	It("ends with its parent's DeadlineExceeded, even if it is canceled afterwards", func() {
		Expect(simulate(func(ctx context.Context) error {
			outer, cancel := clock.WithTimeout(ctx, time.Second)
			defer cancel()
			inner, cancelInner := clock.WithTimeout(context.WithValue(outer, key{}, 1), time.Minute)
			_ = clock.Sleep(ctx, time.Second)
			cancelInner()
			cancelInner()
			Expect(inner.Err()).To(MatchError(context.DeadlineExceeded))
			return nil
		})).To(Succeed())
	})

	It("ends at once if it is zero or its parent has ended", func() {
		Expect(simulate(func(ctx context.Context) error {
			none, cancel := clock.WithTimeout(ctx, 0)
			defer cancel()
			Expect(none.Err()).To(MatchError(context.DeadlineExceeded))
			ended, cancel := context.WithCancel(ctx)
			cancel()
			for _, d := range []time.Duration{0, time.Second} {
				limited, cancel := clock.WithTimeout(ended, d)
				defer cancel()
				Expect(limited.Err()).To(MatchError(context.Canceled))
				Expect(clock.Sleep(limited, 1)).To(MatchError(context.Canceled))
			}
			return nil
		})).To(Succeed())
	})

	It("ends with Canceled at once if its cancel function is called", func() {
		Expect(simulate(func(ctx context.Context) error {
			limited, cancel := clock.WithTimeout(ctx, time.Hour)
			child, cancelChild := context.WithCancel(limited)
			defer cancelChild()
			clock.Go(ctx, "canceler", func(context.Context) { cancel() })
			Expect(clock.Sleep(child, time.Minute)).To(MatchError(context.Canceled))
			Expect(context.Cause(limited)).To(MatchError(context.Canceled))
			Expect(clock.Since(ctx, midnight)).To(BeZero())
			return nil
		})).To(Succeed())
	})

	It("does not affect a detached context", func() {
		Expect(simulate(func(ctx context.Context) error {
			limited, cancel := clock.WithTimeout(context.WithValue(ctx, key{}, "kept"), time.Second)
			defer cancel()
			free := clock.WithoutCancel(limited)
			Expect(free.Value(key{})).To(Equal("kept"))
			Expect(clock.Sleep(free, time.Minute)).To(Succeed())
			Expect(limited.Err()).To(MatchError(context.DeadlineExceeded))
			later, cancel := clock.WithTimeout(free, time.Second)
			defer cancel()
			Expect(clock.Sleep(later, time.Minute)).To(MatchError(context.DeadlineExceeded))
			Expect(clock.Since(ctx, midnight)).To(Equal(61 * time.Second))
			return nil
		})).To(Succeed())
	})

	It("can be read by goroutines outside the simulation while it is canceled from outside", func() {
		for range 200 {
			outside, cancel := context.WithCancel(context.Background())
			go cancel()
			_ = clock.RunSimulated(outside, midnight, func(ctx context.Context) error {
				for range 5 {
					limited, cancel := clock.WithTimeout(ctx, time.Second)
					go func() { _, _, _ = limited.Err(), <-limited.Done(), context.Cause(limited) }()
					child, cancelChild := context.WithCancel(context.WithValue(limited, key{}, 1))
					_ = clock.Sleep(child, time.Minute)
					cancelChild()
					cancel()
				}
				return nil
			})
		}
	})
})
