package clock_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
)

var _ = Describe("The wall clock", func() {
	ctx := context.Background()

	It("is used if the context has no simulation", func() {
		Expect(clock.IsSimulated(ctx)).To(BeFalse())
		Expect(clock.Now(ctx)).To(BeTemporally("~", time.Now(), time.Second))
	})

	It("sleeps in real time, or until the context ends", func() {
		began := time.Now()
		Expect(clock.Sleep(ctx, 3*time.Millisecond)).To(Succeed())
		Expect(clock.Since(ctx, began)).To(BeNumerically(">=", 3*time.Millisecond))
		Expect(clock.Sleep(ctx, -1)).To(Succeed())

		limited, cancel := clock.WithTimeout(ctx, 2*time.Millisecond)
		defer cancel()
		Expect(clock.Sleep(limited, time.Hour)).To(MatchError(context.DeadlineExceeded))
		Expect(clock.Sleep(limited, 0)).To(MatchError(context.DeadlineExceeded))
		_, says := limited.Deadline()
		Expect(says).To(BeTrue())
	})

	It("continues from a given start time and zone, while waits and timeouts take real time", func() {
		zone := time.FixedZone("CST", 8*60*60)
		start := time.Date(2024, 2, 29, 23, 59, 0, 0, zone)
		past := clock.WithStart(ctx, start)
		began := clock.Now(past)
		Expect(began).To(BeTemporally("~", start, time.Second))
		Expect(began.Location()).To(Equal(zone))
		Expect(clock.Sleep(past, 3*time.Millisecond)).To(Succeed())
		Expect(clock.Since(past, began)).
			To(And(BeNumerically(">=", 3*time.Millisecond), BeNumerically("<", time.Minute)))

		limited, cancel := clock.WithTimeout(past, 2*time.Millisecond)
		defer cancel()
		Expect(limited.Err()).NotTo(HaveOccurred())
		Expect(clock.Now(limited)).To(BeTemporally("~", start, time.Minute))
		Expect(clock.Sleep(limited, time.Hour)).To(MatchError(context.DeadlineExceeded))
		Expect(clock.WallNow(past)).To(BeTemporally("~", time.Now(), time.Minute), "that of servers elsewhere")

		Expect(clock.RunSimulated(past, midnight, func(ctx context.Context) error {
			Expect(clock.Now(ctx)).To(Equal(midnight), "a simulation has its own start")
			return nil
		})).To(Succeed())
	})

	It("runs goroutines and delayed calls, which can be stopped", func() {
		var ran atomic.Int64
		clock.Go(ctx, "g", func(context.Context) { ran.Add(1) })
		clock.AfterFunc(ctx, time.Millisecond, func() { ran.Add(10) })
		stop := clock.AfterFunc(ctx, time.Hour, func() { ran.Add(100) })
		Expect(stop()).To(BeTrue())
		Eventually(ran.Load).Should(BeEquivalentTo(11))
	})

	It("is the clock of a detached context, which has the same values but is not canceled", func() {
		ended, cancel := context.WithCancel(context.WithValue(ctx, key{}, 1))
		cancel()
		Expect(clock.WithoutCancel(ended).Err()).NotTo(HaveOccurred())
		Expect(clock.WithoutCancel(ended).Value(key{})).To(Equal(1))
	})

	It("leaks no goroutine of a group", func() {
		before := runtime.NumGoroutine()
		for range 200 {
			g, gctx := clock.NewGroup(ctx, 3)
			c := clock.NewChan[int](gctx, "c", 0)
			for range 5 {
				g.Go("receiver", func(ctx context.Context) error { _, _, err := c.Recv(ctx); return err })
				g.Go("sender", func(ctx context.Context) error { return c.Send(ctx, 1) })
			}
			Expect(g.Wait()).To(Succeed())
		}
		Eventually(runtime.NumGoroutine).Should(BeNumerically("<=", before))
	})
})
