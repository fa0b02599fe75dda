package clock_test

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
)

var _ = Describe("A simulation that would never end", func() {
	It("fails with a deadlock that lists what each task waits for, in the order in which the waits began", func() {
		err := simulate(func(ctx context.Context) error {
			answers := clock.NewChan[int](ctx, "answers", 0)
			slots := clock.NewSemaphore(ctx, "slots", 1)
			_ = slots.Acquire(ctx)
			clock.Go(ctx, "reader", func(ctx context.Context) { _, _, _ = answers.Recv(ctx) })
			clock.Go(ctx, "painter", func(ctx context.Context) {
				_ = clock.Sleep(ctx, time.Second)
				_ = slots.Acquire(ctx)
			})
			g, _ := clock.NewGroup(ctx, 0)
			g.Go("writer", func(ctx context.Context) error {
				return clock.NewChan[int](ctx, "questions", 0).Send(ctx, 1)
			})
			return g.Wait()
		})
		var dead *clock.DeadlockError
		Expect(errors.As(err, &dead)).To(BeTrue())
		Expect(dead.After).To(Equal(time.Second))
		Expect(dead.BlockedTasks).To(Equal([]string{
			"root waits for receive from the group's end",
			"reader waits for receive from answers",
			"writer waits for send to questions",
			"painter waits for send to slots",
		}))
		Expect(err).To(MatchError(HavePrefix("deadlock after 1s of simulated time: root waits for ")))
	})

	It("also detects a deadlock after the function that Run called has returned", func() {
		Expect(simulate(func(ctx context.Context) error {
			clock.Go(ctx, "forgotten", func(ctx context.Context) {
				_, _, _ = clock.NewChan[int](ctx, "godot", 0).Recv(clock.WithoutCancel(ctx))
			})
			return nil
		})).To(MatchError(And(ContainSubstring("forgotten waits for receive from godot"),
			ContainSubstring("root waits for its goroutines to end"))))
	})

	It("has no deadlock while a timeout can end a wait", func() {
		Expect(simulate(func(ctx context.Context) error {
			ctx, cancel := clock.WithTimeout(ctx, time.Minute)
			defer cancel()
			_, _, err := clock.NewChan[int](ctx, "godot", 0).Recv(ctx)
			Expect(err).To(MatchError(context.DeadlineExceeded))
			return nil
		})).To(Succeed())
	})

	It("wakes all tasks with its failure, fails every later wait and ends", func() {
		var errs []error
		err := simulate(func(ctx context.Context) error {
			c := clock.NewChan[int](ctx, "c", 0)
			for range 3 {
				clock.Go(ctx, "waiter", func(ctx context.Context) {
					_, _, err := c.Recv(ctx)
					errs = append(errs, err, clock.Sleep(clock.WithoutCancel(ctx), 1))
				})
			}
			_, _, err := c.Recv(ctx)
			errs = append(errs, err)
			clock.Go(ctx, "later", func(ctx context.Context) {
				errs = append(errs,
					c.Send(clock.WithoutCancel(ctx), 1))
			})
			return nil
		})
		Expect(errs).To(HaveLen(8))
		Expect(errs).To(HaveEach(MatchError(err)))
	})

	It("fails after a simulated day, the horizon, and reports the waiting tasks", func() {
		err := simulate(func(ctx context.Context) error {
			for {
				if err := clock.Sleep(ctx, 2*time.Second); err != nil {
					Expect(clock.Since(ctx, midnight)).To(Equal(clock.MaxSimulatedTime))
					return err
				}
			}
		})
		Expect(err).To(MatchError(clock.ErrMaxSimulatedTime))
		Expect(err).To(MatchError(ContainSubstring("root waits for sleep of 2s")))
	})

	It("can reach exactly the horizon, and fails for the longest possible sleep", func() {
		Expect(simulate(func(ctx context.Context) error { return clock.Sleep(ctx, clock.MaxSimulatedTime) })).
			To(Succeed())
		Expect(simulate(func(ctx context.Context) error {
			_ = clock.Sleep(ctx, time.Hour)
			return clock.Sleep(ctx, 1<<63-1)
		})).To(MatchError(clock.ErrMaxSimulatedTime))
	})

	It("ignores unused timers beyond the horizon", func() {
		Expect(simulate(func(ctx context.Context) error {
			ctx, cancel := clock.WithTimeout(ctx, 48*time.Hour)
			_ = cancel // not called on purpose
			clock.AfterFunc(ctx, 48*time.Hour, func() {})
			return clock.Sleep(ctx, time.Second)
		})).To(Succeed())
	})

	It("fails with ErrSteps if tasks run without simulated time advancing", func() {
		Expect(simulate(func(ctx context.Context) error {
			for {
				if err := clock.Sleep(ctx, 0); err != nil {
					return err
				}
			}
		})).To(MatchError(clock.ErrTooManySteps))
	})

	It("also ends a task that ignores the errors of its waits", func() {
		err := simulate(func(ctx context.Context) error {
			clock.Go(ctx, "stubborn", func(ctx context.Context) {
				for {
					_ = clock.Sleep(clock.WithoutCancel(ctx), 20*time.Hour)
				}
			})
			return nil
		})
		Expect(err).To(MatchError(clock.ErrMaxSimulatedTime))
	})

	It("X6: wakes sleeping tasks at once if its context is canceled from outside", func() {
		ctx, cancel := context.WithCancel(context.Background())
		promptly(func() {
			var laps atomic.Int64
			go func() {
				for laps.Load() < 100 {
					time.Sleep(time.Millisecond)
				}
				cancel()
			}()
			Expect(clock.RunSimulated(ctx, midnight, func(ctx context.Context) error {
				limited, cancel := clock.WithTimeout(ctx, 23*time.Hour)
				defer cancel()
				g, _ := clock.NewGroup(limited, 0)
				g.Go("sleeper", func(ctx context.Context) error {
					defer func() { Expect(clock.Since(ctx, midnight)).To(BeNumerically("<", 23*time.Hour)) }()
					_, _, err := clock.NewChan[int](ctx, "never", 0).Recv(ctx)
					return err
				})
				g.Go("busy", func(ctx context.Context) error {
					for clock.Sleep(ctx, time.Nanosecond) == nil {
						laps.Add(1)
					}
					return nil
				})
				return g.Wait()
			})).To(MatchError(context.Canceled))
		})
	})
})
