package clock_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
)

// busyDay uses all features of the package at once and returns the events in their order.
func busyDay() string {
	var d eventLog
	err := simulate(func(ctx context.Context) error {
		slots := clock.NewSemaphore(ctx, "slots", 2)
		news := clock.NewChan[int](ctx, "news", 1)
		g, _ := clock.NewGroup(ctx, 4)
		clock.Go(ctx, "reader", func(ctx context.Context) {
			for {
				v, ok, err := news.Recv(ctx)
				d.note(ctx, "reader %d %v %v", v, ok, err)
				if !ok || err != nil {
					return
				}
			}
		})
		for i := range 8 {
			g.Go("worker", func(ctx context.Context) error { return work(ctx, &d, i, slots, news) })
		}
		stop := clock.AfterFunc(ctx, 3*time.Millisecond, func() { d.note(ctx, "alarm") })
		err := g.Wait()
		d.note(ctx, "done %v %v", err, stop())
		return nil
	})
	return strings.Join(d.lines, "\n") + fmt.Sprint(err)
}

func work(ctx context.Context, d *eventLog, i int, slots *clock.Semaphore, news *clock.Chan[int]) error {
	limited, cancel := clock.WithTimeout(ctx, time.Duration(i%3+1)*time.Millisecond)
	defer cancel()
	// The standard library stores derived contexts in a map and ends them in random order.
	inner, _ := clock.NewGroup(limited, 0)
	for j := range 4 {
		inner.Go("part", func(ctx context.Context) error {
			child, cancel := context.WithCancel(ctx)
			defer cancel()
			err := slots.Acquire(child)
			d.note(ctx, "%d.%d acquired %v", i, j, err)
			if err == nil {
				err = clock.Sleep(child, time.Duration(j+1)*time.Millisecond)
				slots.Release()
			}
			d.note(ctx, "%d.%d slept %v", i, j, err)
			_ = news.Send(ctx, 10*i+j)
			return nil
		})
	}
	err := inner.Wait()
	d.note(ctx, "%d %v %v", i, err, limited.Err())
	return nil
}

var _ = Describe("The order of events in a simulation", func() {
	It("X5: is the same in 200 runs at each of GOMAXPROCS 1, 2 and 4", func() {
		want := busyDay()
		Expect(strings.Count(want, "\n")).To(BeNumerically(">", 70))
		for _, procs := range []int{1, 2, 4} {
			was := runtime.GOMAXPROCS(procs)
			for range 200 {
				Expect(busyDay()).To(Equal(want))
			}
			runtime.GOMAXPROCS(was)
		}
	})

	It("is the order in which waits began, if one cancellation ends many tasks", func() {
		var d eventLog
		Expect(simulate(func(ctx context.Context) error {
			ctx, cancel := context.WithCancel(ctx)
			for i := range 50 {
				child, cancel := context.WithCancel(ctx)
				clock.Go(child, "child", func(ctx context.Context) {
					defer cancel()
					_ = clock.Sleep(ctx, time.Hour)
					d.lines = append(d.lines, fmt.Sprint(i))
				})
			}
			_ = clock.Sleep(ctx, 1)
			cancel()
			return nil
		})).To(Succeed())
		for i, line := range d.lines {
			Expect(line).To(Equal(fmt.Sprint(i)))
		}
		Expect(d.lines).To(HaveLen(50))
	})
})

var _ = Describe("The cost of a simulation", func() {
	It("X5: is less than 5 s for 10,000 sleeping tasks with their own timeouts", func() {
		began := time.Now()
		Expect(sleepers(10_000)).To(Succeed())
		GinkgoWriter.Println("10,000 sleepers took", time.Since(began))
		Expect(time.Since(began)).To(BeNumerically("<", 5*time.Second))
	})

	It("is less than 5 s for the cancellation of 10,000 contexts at once", func() {
		began := time.Now()
		Expect(simulate(func(ctx context.Context) error {
			g, gctx := clock.NewGroup(ctx, 0)
			for range 10_000 {
				g.Go("sleeper", func(ctx context.Context) error {
					ctx, cancel := clock.WithTimeout(ctx, time.Hour)
					defer cancel()
					return clock.Sleep(ctx, time.Hour)
				})
			}
			_ = clock.Sleep(gctx, time.Second)
			g.Go("failing", func(context.Context) error { return context.Canceled })
			return g.Wait()
		})).To(MatchError(context.Canceled))
		Expect(time.Since(began)).To(BeNumerically("<", 5*time.Second))
	})

	It("includes no leaked goroutine after 20,000 simulations", func() {
		before := runtime.NumGoroutine()
		for i := range 20_000 {
			_ = simulate(func(ctx context.Context) error {
				ctx, cancel := clock.WithTimeout(ctx, time.Second)
				defer cancel()
				child, cancelChild := context.WithCancel(context.WithValue(ctx, key{}, i))
				defer cancelChild()
				clock.Go(child, "sleeper", func(ctx context.Context) { _ = clock.Sleep(ctx, time.Hour) })
				switch i % 4 {
				case 0: // its goroutine is abandoned
					return clock.Sleep(ctx, 1)
				case 1: // it deadlocks
					_, _, err := clock.NewChan[int](ctx, "c", 0).Recv(clock.WithoutCancel(ctx))
					return err
				case 2:
					clock.Go(ctx, "bad", func(context.Context) { panic("bad") })
				}
				return clock.Sleep(child, time.Minute)
			})
		}
		Eventually(runtime.NumGoroutine).Should(BeNumerically("<=", before))
	})
})
