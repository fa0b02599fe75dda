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

var _ = Describe("A simulation", func() {
	It("X5: takes almost no real time, because time jumps to the next timer", func() {
		began := time.Now()
		Expect(simulate(func(ctx context.Context) error {
			Expect(clock.IsSimulated(ctx)).To(BeTrue())
			Expect(clock.Sleep(ctx, 20*time.Hour)).To(Succeed())
			Expect(clock.Now(ctx)).To(Equal(midnight.Add(20 * time.Hour)))
			Expect(clock.Since(ctx, midnight)).To(Equal(20 * time.Hour))
			return nil
		})).To(Succeed())
		Expect(time.Since(began)).To(BeNumerically("<", time.Second))
	})

	It("returns the error of its function", func() {
		own := errors.New("own")
		Expect(simulate(func(context.Context) error { return own })).To(BeIdenticalTo(own))
	})

	It("wakes tasks of the same instant in the order in which their sleeps began", func() {
		var d eventLog
		Expect(simulate(func(ctx context.Context) error {
			for _, name := range []string{"a", "b", "c"} {
				clock.Go(ctx, name, func(ctx context.Context) {
					_ = clock.Sleep(ctx, time.Second)
					d.note(ctx, "%s", name)
				})
			}
			_ = clock.Sleep(ctx, time.Second)
			d.note(ctx, "root")
			return nil
		})).To(Succeed())
		Expect(d.lines).To(Equal([]string{"1s root", "1s a", "1s b", "1s c"}))
	})

	It("runs other tasks during a sleep of zero or less", func() {
		var d eventLog
		Expect(simulate(func(ctx context.Context) error {
			clock.Go(ctx, "other", func(ctx context.Context) { d.note(ctx, "other") })
			for _, pause := range []time.Duration{0, -time.Hour} {
				Expect(clock.Sleep(ctx, pause)).To(Succeed())
			}
			d.note(ctx, "root")
			return nil
		})).To(Succeed())
		Expect(d.lines).To(Equal([]string{"0s other", "0s root"}))
	})

	It("starts without the monotonic clock of its start time, in the same time zone", func() {
		start := time.Now().In(time.FixedZone("CST", 8*3600))
		_ = clock.RunSimulated(context.Background(), start, func(ctx context.Context) error {
			Expect(clock.Now(ctx)).To(Equal(start.Round(0)))
			return nil
		})
	})

	It("waits at its end for all goroutines that it has started", func() {
		var d eventLog
		Expect(simulate(func(ctx context.Context) error {
			clock.Go(ctx, "late", func(ctx context.Context) {
				Expect(clock.Sleep(ctx, time.Minute)).To(MatchError(context.Canceled))
				Expect(clock.Sleep(clock.WithoutCancel(ctx), time.Minute)).To(Succeed())
				d.note(ctx, "late")
			})
			return nil
		})).To(Succeed())
		Expect(d.lines).To(Equal([]string{"1m0s late"}))
	})

	It("returns the same result if it is stopped twice, starts nothing afterwards and fails every wait", func() {
		ctx, stop := clock.StartSimulation(context.Background(), midnight)
		Expect(stop()).To(Succeed())
		Expect(stop()).To(Succeed())
		clock.Go(ctx, "never", func(context.Context) { Fail("started after stop") })
		Expect(clock.Sleep(clock.WithoutCancel(ctx), time.Second)).To(MatchError(ContainSubstring("stopped")))
		g, _ := clock.NewGroup(clock.WithoutCancel(ctx), 0)
		g.Go("never", func(context.Context) error { Fail("started after stop"); return nil })
		Expect(g.Wait()).To(MatchError(ContainSubstring("stopped")))
	})

	It("has its own time inside another simulation", func() {
		Expect(simulate(func(ctx context.Context) error {
			outer, cancel := clock.WithTimeout(ctx, time.Minute)
			defer cancel()
			clock.Go(outer, "beside", func(ctx context.Context) { _ = clock.Sleep(ctx, time.Second) })
			g, gctx := clock.NewGroup(outer, 0)
			g.Go("host", func(context.Context) error {
				return clock.RunSimulated(gctx, midnight.Add(48*time.Hour), func(in context.Context) error {
					limited, cancel := clock.WithTimeout(in, time.Hour)
					defer cancel()
					clock.Go(in, "inside", func(ctx context.Context) { _ = clock.Sleep(ctx, 3*time.Hour) })
					Expect(clock.Sleep(limited, 2*time.Hour)).To(MatchError(context.DeadlineExceeded))
					Expect(clock.Now(in)).To(Equal(midnight.Add(49 * time.Hour)))
					return nil
				})
			})
			Expect(g.Wait()).To(Succeed())
			Expect(clock.Now(ctx)).To(Equal(midnight))
			return clock.Sleep(ctx, time.Second)
		})).To(Succeed())
	})

	It("counts its steps, and any goroutine may read the count", func() {
		Expect(simulate(func(ctx context.Context) error {
			steps := clock.StepCounter(ctx)
			before := steps()
			_ = clock.Sleep(ctx, 1)
			Expect(steps()).To(BeNumerically(">", before))
			return nil
		})).To(Succeed())
		Expect(clock.StepCounter(context.Background())()).To(BeZero())
	})

	Describe("with a delayed call", func() {
		It("runs the call at its time, unless it was stopped before", func() {
			var d eventLog
			Expect(simulate(func(ctx context.Context) error {
				stop := clock.AfterFunc(ctx, 2*time.Second, func() { d.note(ctx, "never") })
				clock.AfterFunc(ctx, time.Second, func() {
					d.note(ctx, "first")
					_ = clock.Sleep(ctx, time.Second) // a delayed call may wait, because it has its own goroutine
					d.note(ctx, "second")
				})
				_ = clock.Sleep(ctx, 1500*time.Millisecond)
				Expect(stop()).To(BeTrue())
				Expect(stop()).To(BeFalse())
				return clock.Sleep(ctx, 5*time.Second)
			})).To(Succeed())
			Expect(d.lines).To(Equal([]string{"1s first", "2s second"}))
		})

		It("cannot stop the call once it has started", func() {
			Expect(simulate(func(ctx context.Context) error {
				stop := clock.AfterFunc(ctx, time.Second, func() {})
				_ = clock.Sleep(ctx, time.Second)
				Expect(stop()).To(BeFalse())
				return nil
			})).To(Succeed())
		})
	})

	Describe("with a panic", func() {
		It("X6: fails with the goroutine's name, the panic value and the stack", func() {
			err := simulate(func(ctx context.Context) error {
				clock.Go(ctx, "painter", func(context.Context) { panic("no paint") })
				return clock.Sleep(ctx, time.Second)
			})
			var p *clock.PanicError
			Expect(errors.As(err, &p)).To(BeTrue())
			Expect(p.Error()).To(Equal("panic in painter: no paint"))
			Expect(string(p.Stack)).To(ContainSubstring("simulated_test.go"))
		})

		It("X6: panics in its caller if the root panics, after all other tasks have ended", func() {
			ended := false
			Expect(func() {
				_ = simulate(func(ctx context.Context) error {
					clock.Go(ctx, "other", func(ctx context.Context) {
						defer func() { ended = true }()
						_ = clock.Sleep(ctx, time.Hour)
					})
					_ = clock.Sleep(ctx, time.Second)
					panic("root")
				})
			}).To(PanicWith("root"))
			Expect(ended).To(BeTrue())
		})

		It("X6: fails if the panic is in a delayed call", func() {
			Expect(simulate(func(ctx context.Context) error {
				clock.AfterFunc(ctx, 1, func() { panic(errors.New("late")) })
				return clock.Sleep(ctx, time.Second)
			})).To(MatchError("panic in timer: late"))
		})

		It("X6: returns the panic as an error from CatchPanic; the error unwraps to the panic value if that is an error",
			func() {
				cause := errors.New("cause")
				err := clock.CatchPanic("node", func() error { panic(cause) })
				Expect(err).To(MatchError("panic in node: cause"))
				Expect(err).To(MatchError(cause))
				Expect(clock.CatchPanic("node", func() error { return cause })).To(BeIdenticalTo(cause))
				Expect(errors.Unwrap(clock.CatchPanic("node", func() error { panic(1) }))).To(BeNil())
			})
	})

	It("ends its root and all goroutines if one of them calls runtime.Goexit", func() {
		var stopped, ended bool
		promptly(func() {
			done := make(chan struct{})
			go func() {
				defer close(done)
				defer func() { stopped = true }()
				_ = simulate(func(ctx context.Context) error {
					clock.Go(ctx, "other", func(ctx context.Context) {
						defer func() { ended = true }()
						_ = clock.Sleep(ctx, time.Hour)
					})
					clock.Go(ctx, "quitter", func(context.Context) { runtime.Goexit() })
					return clock.Sleep(ctx, time.Second)
				})
			}()
			<-done
		})
		Expect(stopped && ended).To(BeTrue())
	})
})
