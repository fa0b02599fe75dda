package clock_test

import (
	"context"
	"runtime"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
)

// named is a key of context values.
type named struct{}

var _ = Describe("A timeout that PauseDeadlines pauses", func() {
	DescribeTable("does not count overlapping pauses, and continues with the remaining time",
		func(in func(func(context.Context)), unit time.Duration) {
			in(func(ctx context.Context) {
				outer, cancel := clock.WithTimeout(ctx, 8*unit)
				defer cancel()
				child, stop := context.WithCancel(context.WithValue(outer, named{}, "value"))
				defer stop()
				inner, cancel := clock.WithTimeout(child, 4*unit)
				defer cancel()
				one, other := clock.PauseDeadlines(inner), clock.PauseDeadlines(inner)
				Expect(clock.Sleep(inner, 12*unit)).To(Succeed())
				one()
				Expect(clock.Sleep(inner, 2*unit)).To(Succeed(), "the other still holds it")
				other()
				Expect(clock.PausedDuration(inner)).To(And(BeNumerically(">=", 14*unit), BeNumerically("<", 20*unit)))
				Expect(clock.Sleep(inner, 2*unit)).To(Succeed())
				Expect(clock.Sleep(inner, time.Hour)).To(MatchError(context.DeadlineExceeded))
				Expect(outer.Err()).NotTo(HaveOccurred())
				Expect(clock.Sleep(outer, time.Hour)).To(MatchError(context.DeadlineExceeded))
				clock.PauseDeadlines(inner)() // no effect, because it has already ended
				Expect(inner.Err()).To(MatchError(context.DeadlineExceeded))
			})
		},
		Entry("on the wall clock", func(f func(context.Context)) { f(context.Background()) }, 5*time.Millisecond),
		Entry("in a simulation", func(f func(context.Context)) {
			Expect(clock.RunSimulated(context.Background(), midnight,
				func(ctx context.Context) error { f(ctx); return nil })).
				To(Succeed())
		}, time.Second),
	)

	It("reports its current end time, and none while it is paused", func() {
		ctx, cancel := clock.WithTimeout(context.Background(), time.Hour)
		defer cancel()
		inner, cancel := clock.WithTimeout(ctx, time.Minute)
		defer cancel()
		at := func(ctx context.Context) time.Time { at, _ := ctx.Deadline(); return at }
		Expect(at(inner)).To(BeTemporally("~", time.Now().Add(time.Minute), time.Second))
		resume := clock.PauseDeadlines(inner)
		_, says := inner.Deadline()
		Expect(says).To(BeFalse())
		time.Sleep(3 * time.Millisecond)
		resume()
		Expect(at(inner)).To(BeTemporally(">=", time.Now().Add(time.Minute-3*time.Millisecond)))
		Expect(at(ctx)).To(BeTemporally("~", time.Now().Add(time.Hour), time.Second))
	})

	It("ends when its parent ends, even while it is paused", func() {
		parent, end := context.WithCancel(context.Background())
		ctx, cancel := clock.WithTimeout(parent, time.Hour)
		defer cancel()
		child, stop := context.WithCancel(ctx)
		defer stop()
		defer clock.PauseDeadlines(child)()
		end()
		Expect(ctx.Err()).To(MatchError(context.Canceled))
		Expect(child.Err()).To(MatchError(context.Canceled))
		late, cancel := clock.WithTimeout(parent, time.Hour)
		defer cancel()
		Expect(late.Err()).To(MatchError(context.Canceled))
		gone, cancel := clock.WithTimeout(context.Background(), -1)
		defer cancel()
		Expect(gone.Err()).To(MatchError(context.DeadlineExceeded))
	})

	It("needs no goroutine", func() {
		ctx, end := context.WithCancel(context.Background())
		defer end()
		before := runtime.NumGoroutine()
		var cancels []context.CancelFunc
		for range 100 {
			limited, cancel := clock.WithTimeout(ctx, time.Hour)
			child, stop := context.WithCancel(context.WithValue(limited, named{}, 1))
			clock.PauseDeadlines(child)()
			cancels = append(cancels, stop, cancel)
		}
		Expect(runtime.NumGoroutine()).To(BeNumerically("<", before+10))
		for _, cancel := range cancels {
			cancel()
		}
	})
})
