package clock_test

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
)

var _ = Describe("A channel", func() {
	onBothClocks("returns the buffered values in order after Close, then reports that it is closed",
		func(ctx context.Context) {
			c := clock.NewChan[int](ctx, "c", 2)
			Expect(c.Send(ctx, 1)).To(Succeed())
			Expect(c.Send(ctx, 2)).To(Succeed())
			c.Close()
			c.Close()
			Expect(c.Send(ctx, 3)).To(MatchError(clock.ErrClosed))
			for _, want := range []int{1, 2} {
				v, ok, err := c.Recv(ctx)
				Expect([]any{v, ok, err}).To(Equal([]any{want, true, nil}))
			}
			v, ok, err := c.Recv(ctx)
			Expect([]any{v, ok, err}).To(Equal([]any{0, false, nil}))
		})

	onBothClocks("wakes waiting senders and receivers when it is closed", func(ctx context.Context) {
		full, empty := clock.NewChan[int](ctx, "full", 0), clock.NewChan[int](ctx, "empty", 0)
		g, _ := clock.NewGroup(ctx, 0)
		for range 3 {
			g.Go("sender", func(ctx context.Context) error {
				Expect(full.Send(ctx, 1)).To(MatchError(clock.ErrClosed))
				return nil
			})
			g.Go("receiver", func(ctx context.Context) error {
				_, ok, err := empty.Recv(ctx)
				Expect(ok).To(BeFalse())
				return err
			})
		}
		_ = clock.Sleep(ctx, 5*time.Millisecond)
		full.Close()
		empty.Close()
		Expect(g.Wait()).To(Succeed())
	})

	onBothClocks("returns the error of an ended context, but a buffered value first", func(ctx context.Context) {
		ctx, cancel := context.WithCancel(ctx)
		c := clock.NewChan[int](ctx, "c", 2)
		Expect(c.Send(ctx, 7)).To(Succeed())
		cancel()
		for range 100 {
			Expect(c.Send(ctx, 8)).To(MatchError(context.Canceled))
		}
		Expect(received(ctx, c)).To(Equal(7))
		_, _, err := c.Recv(ctx)
		Expect(err).To(MatchError(context.Canceled))
	})

	It("serves senders and receivers in the order of their calls, and skips those whose wait was canceled", func() {
		var d eventLog
		Expect(simulate(func(ctx context.Context) error {
			c := clock.NewChan[string](ctx, "c", 0)
			short, cancel := clock.WithTimeout(ctx, time.Millisecond)
			defer cancel()
			for i, ctx := range []context.Context{ctx, short, ctx} {
				clock.Go(ctx, "receiver", func(ctx context.Context) {
					v, _, err := c.Recv(ctx)
					d.note(ctx, "%d got %q %v", i, v, err)
				})
			}
			_ = clock.Sleep(ctx, time.Second)
			_ = c.Send(ctx, "a")
			_ = c.Send(ctx, "b")
			for _, v := range []string{"x", "y", "z"} {
				clock.Go(ctx, "sender", func(ctx context.Context) { _ = c.Send(ctx, v) })
			}
			_ = clock.Sleep(ctx, 0)
			for range 3 {
				d.note(ctx, "root got %s", received(ctx, c))
			}
			return nil
		})).To(Succeed())
		Expect(d.lines).To(Equal([]string{
			`1ms 1 got "" context deadline exceeded`, `1s 0 got "a" <nil>`, `1s 2 got "b" <nil>`,
			"1s root got x", "1s root got y", "1s root got z",
		}))
	})

	It("loses no value if the receiver's context ends at the same instant", func() {
		Expect(simulate(func(ctx context.Context) error {
			c := clock.NewChan[int](ctx, "c", 0)
			limited, cancel := clock.WithTimeout(ctx, time.Second)
			defer cancel()
			received := 0
			clock.Go(ctx, "receiver", func(context.Context) {
				if _, ok, _ := c.Recv(limited); ok {
					received++
				}
			})
			sent := 0
			clock.AfterFunc(ctx, time.Second, func() {
				late, cancel := clock.WithTimeout(ctx, time.Second)
				defer cancel()
				if c.Send(late, 1) == nil {
					sent++
				}
			})
			_ = clock.Sleep(ctx, time.Minute)
			Expect(received).To(Equal(sent))
			return nil
		})).To(Succeed())
	})

	It("loses no sent value on the wall clock if Close is called concurrently", func() {
		for range 300 {
			ctx := context.Background()
			c := clock.NewChan[int](ctx, "c", 4)
			var sent, received atomic.Int64
			var senders, receivers sync.WaitGroup
			for range 4 {
				senders.Go(func() {
					for c.Send(ctx, 1) == nil {
						sent.Add(1)
					}
				})
			}
			for range 2 {
				receivers.Go(func() {
					for {
						_, ok, _ := c.Recv(ctx)
						if !ok {
							return
						}
						received.Add(1)
					}
				})
			}
			time.Sleep(20 * time.Microsecond)
			c.Close()
			senders.Wait()
			receivers.Wait()
			Expect(received.Load()).To(Equal(sent.Load()))
		}
	})
})

var _ = Describe("A semaphore", func() {
	It("serves waiting tasks in the order of their calls, and skips those whose wait was canceled", func() {
		var d eventLog
		Expect(simulate(func(ctx context.Context) error {
			s := clock.NewSemaphore(ctx, "s", 1)
			Expect(s.Acquire(ctx)).To(Succeed())
			short, cancel := clock.WithTimeout(ctx, time.Millisecond)
			defer cancel()
			for i, ctx := range []context.Context{ctx, short, ctx, ctx} {
				clock.Go(ctx, "holder", func(ctx context.Context) {
					if err := s.Acquire(ctx); err != nil {
						d.note(ctx, "%d %v", i, err)
						return
					}
					defer s.Release()
					d.note(ctx, "%d", i)
					_ = clock.Sleep(ctx, time.Second)
				})
			}
			_ = clock.Sleep(ctx, time.Second)
			s.Release()
			Expect(s.Acquire(ctx)).To(Succeed()) // after the tasks that already wait
			d.note(ctx, "root")
			return nil
		})).To(Succeed())
		Expect(d.lines).To(Equal([]string{
			"1ms 1 context deadline exceeded", "1s 0", "2s 2", "3s 3", "4s root"}))
	})

	onBothClocks("cannot be acquired with a context that has ended", func(ctx context.Context) {
		s := clock.NewSemaphore(ctx, "s", 1)
		ended, cancel := context.WithCancel(ctx)
		cancel()
		for range 50 {
			Expect(s.Acquire(ended)).To(MatchError(context.Canceled))
		}
		Expect(s.Acquire(ctx)).To(Succeed())
		s.Release()
	})
})
