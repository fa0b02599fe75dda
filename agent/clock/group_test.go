package clock_test

import (
	"context"
	"errors"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
)

// onBothClocks registers a spec for a simulation and one for the wall clock.
func onBothClocks(what string, f func(ctx context.Context)) {
	GinkgoHelper()
	It(what+" (in a simulation)", func() {
		Expect(simulate(func(ctx context.Context) error { f(ctx); return nil })).To(Succeed())
	})
	It(what+" (on the wall clock)", func() {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		f(ctx)
	})
}

var _ = Describe("A group", func() {
	onBothClocks("ends at once if it has no functions", func(ctx context.Context) {
		g, gctx := clock.NewGroup(ctx, 2)
		Expect(g.Wait()).To(Succeed())
		Expect(gctx.Err()).To(MatchError(context.Canceled))
	})

	onBothClocks("X6: cancels the other functions at the first error and returns that error",
		func(ctx context.Context) {
			first := errors.New("first")
			g, gctx := clock.NewGroup(ctx, 0)
			var others []error
			g.Go("patient", func(ctx context.Context) error {
				err := clock.Sleep(ctx, time.Hour)
				others = append(others, err)
				return err
			})
			g.Go("failing", func(ctx context.Context) error {
				_ = clock.Sleep(ctx, time.Millisecond)
				return first
			})
			Expect(g.Wait()).To(BeIdenticalTo(first))
			Expect(others).To(HaveExactElements(MatchError(context.Canceled)))
			Expect(context.Cause(gctx)).To(BeIdenticalTo(first))
		})

	onBothClocks("X6: returns a panic of a function as the first error", func(ctx context.Context) {
		g, _ := clock.NewGroup(ctx, 0)
		g.Go("node", func(context.Context) error { panic("boom") })
		g.Go("other", func(ctx context.Context) error { return clock.Sleep(ctx, time.Hour) })
		err := g.Wait()
		var p *clock.PanicError
		Expect(errors.As(err, &p)).To(BeTrue())
		Expect(p.Name).To(Equal("node"))
	})

	onBothClocks("can run inside a function of another group", func(ctx context.Context) {
		outer, _ := clock.NewGroup(ctx, 0)
		sums := clock.NewChan[int](ctx, "sums", 3)
		for i := range 3 {
			outer.Go("outer", func(ctx context.Context) error {
				inner, _ := clock.NewGroup(ctx, 2)
				for range 4 {
					inner.Go("inner", func(ctx context.Context) error { return clock.Sleep(ctx, time.Millisecond) })
				}
				if err := inner.Wait(); err != nil {
					return err
				}
				return sums.Send(ctx, i)
			})
		}
		Expect(outer.Wait()).To(Succeed())
		sum := 0
		for range 3 {
			sum += received(ctx, sums)
		}
		Expect(sum).To(Equal(3))
	})

	onBothClocks("can start functions during Wait, which several goroutines may call", func(ctx context.Context) {
		g, _ := clock.NewGroup(ctx, 0)
		grown := clock.NewChan[string](ctx, "grown", 2)
		g.Go("parent", func(ctx context.Context) error {
			_ = clock.Sleep(ctx, time.Millisecond)
			g.Go("child", func(ctx context.Context) error {
				_ = clock.Sleep(ctx, time.Millisecond)
				return grown.Send(ctx, "child")
			})
			return nil
		})
		waiters, _ := clock.NewGroup(ctx, 0)
		for range 3 {
			waiters.Go("waiter", func(context.Context) error { return g.Wait() })
		}
		Expect(waiters.Wait()).To(Succeed())
		Expect(received(ctx, grown)).To(Equal("child"))
	})

	onBothClocks("starts no waiting function after its context has ended", func(ctx context.Context) {
		ctx, cancel := context.WithCancel(ctx)
		g, _ := clock.NewGroup(ctx, 1)
		g.Go("holder", func(ctx context.Context) error { return clock.Sleep(ctx, time.Hour) })
		cancel()
		g.Go("never", func(context.Context) error { panic("started") })
		Expect(g.Wait()).To(MatchError(context.Canceled))
	})

	It("runs no more functions than its limit at a time, in the order of the Go calls", func() {
		var d eventLog
		Expect(simulate(func(ctx context.Context) error {
			g, _ := clock.NewGroup(ctx, 2)
			for i := range 5 {
				g.Go("worker", func(ctx context.Context) error {
					d.note(ctx, "%d", i)
					return clock.Sleep(ctx, time.Second)
				})
			}
			err := g.Wait()
			Expect(clock.Since(ctx, midnight)).To(Equal(3 * time.Second))
			return err
		})).To(Succeed())
		Expect(d.lines).To(Equal([]string{"0s 0", "0s 1", "1s 2", "1s 3", "2s 4"}))
	})

	It("runs no more functions than its limit at a time on the wall clock", func() {
		g, _ := clock.NewGroup(context.Background(), 2)
		running := make(chan struct{}, 2)
		for range 20 {
			g.Go("worker", func(ctx context.Context) error {
				select {
				case running <- struct{}{}:
				default:
					return errors.New("a third at once")
				}
				defer func() { <-running }()
				return clock.Sleep(ctx, time.Millisecond)
			})
		}
		Expect(g.Wait()).To(Succeed())
	})
})
