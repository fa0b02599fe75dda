package eval_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/eval"
)

func answer(context.Context, []agent.Turn) (eval.Outcome, error) { return eval.Outcome{}, nil }

func failWith(err error) targetFunc {
	return func(context.Context, []agent.Turn) (eval.Outcome, error) { return eval.Outcome{}, err }
}

var _ = Describe("Runner", func() {
	ctx := context.Background()

	DescribeTable("X8: passes the result of every trial to the sink exactly once", func(parallel int, simulated bool) {
		var k memorySink
		r := eval.Runner{Parallel: parallel, Timeout: time.Minute, SimulatedClock: simulated}
		Expect(r.Run(ctx, trials(100, func(ctx context.Context, turns []agent.Turn) (eval.Outcome, error) {
			began := clock.Now(ctx)
			err := clock.Sleep(ctx, time.Millisecond)
			return eval.Outcome{Duration: clock.Since(ctx, began), Turns: []eval.TurnResult{{Input: turns[0]}}}, err
		}), &k)).To(Succeed())
		want := make([]string, 100)
		for i := range want {
			want[i] = caseID(i)
		}
		Expect(k.cases()).To(ConsistOf(want))
		for _, r := range k.results {
			Expect(r.Error).To(BeNil())
			if simulated {
				Expect(r.Duration).To(BeEquivalentTo(time.Millisecond))
			}
		}
	},
		Entry("one trial at a time, simulated", 1, true), Entry("two trials at a time, simulated", 2, true),
		Entry("64 trials at a time, simulated", 64, true),
		Entry("one trial at a time, in real time", 1, false), Entry("16 trials at a time, in real time", 16, false),
		Entry("200 trials at a time, in real time", 200, false),
	)

	It("makes a trial for which Validate returns an error a harness error, and starts trials at the time from StartTime", func() {
		var k memorySink
		var began time.Time
		when := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		r := eval.Runner{Parallel: 1, Timeout: time.Minute, SimulatedClock: true,
			StartTime: func(eval.Trial) time.Time { return when },
			Validate: func(t eval.Trial) error {
				if t.Case.ID == caseID(1) {
					return errors.New("no recording")
				}
				return nil
			}}
		Expect(r.Run(ctx, trials(2, func(ctx context.Context, turns []agent.Turn) (eval.Outcome, error) {
			began = clock.Now(ctx)
			return eval.Outcome{Turns: []eval.TurnResult{{Input: turns[0]}}}, nil
		}), &k)).To(Succeed())
		Expect(began).To(BeTemporally("==", when))
		for _, r := range k.results {
			if r.Case == caseID(1) {
				Expect(r.Error).To(HaveValue(HaveField("Kind", eval.HarnessError)))
			} else {
				Expect(r.Error).To(BeNil())
			}
		}
	})

	DescribeTable("starts a trial at the time of its case, if the case has one", func(simulated bool, now time.Time) {
		var began time.Time
		list := trials(1, func(ctx context.Context, _ []agent.Turn) (eval.Outcome, error) {
			began = clock.Now(ctx)
			return eval.Outcome{}, nil
		})
		for t := range list {
			t.Case.Now = now
			one := func(yield func(eval.Trial, error) bool) { yield(t, nil) }
			Expect(eval.Runner{Parallel: 1, Timeout: time.Minute, SimulatedClock: simulated}.Run(ctx,
				one, &memorySink{})).
				To(Succeed())
		}
		if now.IsZero() {
			now = time.Now()
		}
		Expect(began).To(BeTemporally("~", now, time.Minute))
		Expect(began.Location()).To(Equal(now.Location()))
	},
		Entry("a simulated trial starts at the time of its case", true, time.Date(2024, 2, 29, 23, 0, 0, 0, time.UTC)),
		Entry("a trial in real time starts at the time of its case", false,
			time.Date(2024, 2, 29, 23, 0, 0, 0, time.FixedZone("CST", 8*60*60))),
		Entry("a trial in real time starts now if its case has no time", false, time.Time{}),
	)

	It("returns without an error if there are no trials", func() {
		k, err := run(ctx, trials(0, answer))
		Expect(err).NotTo(HaveOccurred())
		Expect(k.results).To(BeEmpty())
	})

	It("returns an error that names the invalid setting", func() {
		Expect(eval.Runner{Timeout: 1}.Run(ctx, trials(1, answer), &memorySink{})).
			To(MatchError(ContainSubstring("Parallel is 0")))
		Expect(eval.Runner{Parallel: 1}.Run(ctx, trials(1, answer), &memorySink{})).
			To(MatchError(ContainSubstring("Timeout is 0s")))
	})

	DescribeTable("X6: makes a panic the agent error of the trial", func(simulated bool, play targetFunc) {
		var k memorySink
		r := eval.Runner{Parallel: 2, Timeout: time.Minute, SimulatedClock: simulated}
		Expect(r.Run(ctx, trials(3, play), &k)).To(Succeed())
		Expect(k.results).To(HaveLen(3))
		for _, r := range k.results {
			Expect(r.Error).To(HaveValue(MatchFields(eval.AgentError, "boom")))
			Expect(r.Correct).To(BeNil())
		}
	},
		Entry("the target panics in a simulated trial", true,
			targetFunc(func(context.Context, []agent.Turn) (eval.Outcome, error) { panic("boom") })),
		Entry("the target panics in a trial in real time", false,
			targetFunc(func(context.Context, []agent.Turn) (eval.Outcome, error) { panic("boom") })),
		Entry("a goroutine of the target panics", true,
			targetFunc(func(ctx context.Context, _ []agent.Turn) (eval.Outcome, error) {
				clock.Go(ctx, "node", func(context.Context) { panic("boom") })
				return eval.Outcome{}, clock.Sleep(ctx, time.Second)
			})),
		Entry("a goroutine panics after the target has returned", true,
			targetFunc(func(ctx context.Context, _ []agent.Turn) (eval.Outcome, error) {
				clock.Go(ctx, "node", func(context.Context) { panic("boom") })
				return eval.Outcome{}, nil
			})),
	)

	It("makes a deadlock the agent error of the trial, with a list of the waiting goroutines", func() {
		k, err := run(ctx, trials(1, func(ctx context.Context, _ []agent.Turn) (eval.Outcome, error) {
			_, _, err := clock.NewChan[int](ctx, "godot", 0).Recv(clock.WithoutCancel(ctx))
			return eval.Outcome{}, err
		}))
		Expect(err).NotTo(HaveOccurred())
		Expect(k.results[0].Error).To(HaveValue(MatchFields(eval.AgentError, "root waits for receive from godot")))
	})

	It("X2: ends a simulated trial at its timeout, measured on its simulated clock", func() {
		began := time.Now()
		var duration atomic.Int64
		k, err := run(ctx, trials(5, func(ctx context.Context, _ []agent.Turn) (eval.Outcome, error) {
			start := clock.Now(ctx)
			err := clock.Sleep(ctx, time.Hour)
			duration.Store(int64(clock.Since(ctx, start)))
			return eval.Outcome{}, fmt.Errorf("wait: %w", err)
		}))
		Expect(err).NotTo(HaveOccurred())
		Expect(k.results).To(HaveLen(5))
		Expect(k.results).To(HaveEach(HaveField("Error.Kind", eval.TimeoutError)))
		Expect(time.Duration(duration.Load())).To(Equal(time.Minute))
		Expect(time.Since(began)).To(BeNumerically("<", time.Second))
	})

	It("X2: ends a trial in real time at its timeout, measured in real time", func() {
		var k memorySink
		Expect(eval.Runner{Parallel: 1, Timeout: 5 * time.Millisecond}.Run(ctx, trials(1,
			func(ctx context.Context, _ []agent.Turn) (eval.Outcome, error) {
				return eval.Outcome{}, clock.Sleep(ctx, time.Hour)
			}), &k)).To(Succeed())
		Expect(k.results[0].Error.Kind).To(Equal(eval.TimeoutError))
	})

	It("makes the trial a harness error if its target cannot be created", func() {
		ts := func(yield func(eval.Trial, error) bool) {
			yield(eval.Trial{Case: eval.Case{ID: "c"}, Condition: &eval.Condition{
				NewTarget: func(eval.Trial) (eval.Target, error) { return nil, errors.New("no key") }}}, nil)
		}
		k, err := run(ctx, ts)
		Expect(err).NotTo(HaveOccurred())
		Expect(k.results[0].Error).To(HaveValue(MatchFields(eval.HarnessError, "no key")))
	})

	DescribeTable("X6: returns within a second when it is canceled, and passes no canceled trial to the sink",
		func(simulated bool) {
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			before := runtime.NumGoroutine()
			var finished atomic.Int64
			var at time.Time
			var k memorySink
			err := eval.Runner{Parallel: 8, Timeout: time.Minute, SimulatedClock: simulated}.Run(ctx, trials(1_000_000,
				func(ctx context.Context, _ []agent.Turn) (eval.Outcome, error) {
					if finished.Add(1) <= 20 {
						return eval.Outcome{}, nil
					}
					if finished.Load() == 28 {
						at = time.Now()
						cancel()
					}
					for {
						if err := clock.Sleep(ctx, time.Microsecond); err != nil {
							return eval.Outcome{}, err
						}
						time.Sleep(10 * time.Microsecond) // simulates the work of a trial
					}
				}), &k)
			Expect(err).To(MatchError(context.Canceled))
			Expect(time.Since(at)).To(BeNumerically("<", time.Second))
			Expect(k.results).To(HaveLen(20), "what had ended is kept")
			Expect(k.results).To(HaveEach(HaveField("Error", BeNil())))
			Eventually(runtime.NumGoroutine).Should(BeNumerically("<=", before))
		}, Entry("simulated trials", true), Entry("trials in real time", false))

	It("passes completed trials to the sink after a cancellation, even if the sink is slow", func() {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		var runTrial, added atomic.Int64
		err := eval.Runner{Parallel: 4, Timeout: time.Minute, SimulatedClock: true}.Run(ctx, trials(1000,
			func(ctx context.Context, _ []agent.Turn) (eval.Outcome, error) {
				if ctx.Err() == nil {
					runTrial.Add(1)
				}
				return eval.Outcome{}, nil
			}), eval.SinkFunc(func(eval.Result) error {
			if added.Add(1) == 5 {
				cancel()
			}
			time.Sleep(time.Millisecond)
			return nil
		}))
		Expect(err).To(MatchError(context.Canceled))
		// each worker may drop one trial that ends while the run is canceled
		Expect(added.Load()).To(BeNumerically(">=", runTrial.Load()-4))
	})

	It("starts no further trial after Acquire returns false, and lets running trials finish", func() {
		var k memorySink
		var begun, ended atomic.Int64
		r := eval.Runner{Parallel: 8, Timeout: time.Minute, Acquire: func(eval.Trial) (func(), bool) {
			return func() { ended.Add(1) }, begun.Add(1) <= 20
		}}
		Expect(r.Run(ctx, trials(1_000_000, func(ctx context.Context, _ []agent.Turn) (eval.Outcome, error) {
			return eval.Outcome{}, clock.Sleep(ctx, time.Millisecond)
		}), &k)).To(Succeed())
		Expect(k.results).To(HaveLen(20))
		Expect(k.results).To(HaveEach(HaveField("Error", BeNil())))
		Expect(ended.Load()).To(BeEquivalentTo(20))
		Expect(begun.Load()).To(BeNumerically("<", 60), "the rest are not asked for")
	})

	It("stops when the sink returns an error", func() {
		full := errors.New("disk full")
		var runTrial atomic.Int64
		n := 0
		err := eval.Runner{Parallel: 4, Timeout: time.Minute, SimulatedClock: true}.Run(ctx, trials(100_000,
			func(context.Context, []agent.Turn) (eval.Outcome, error) {
				runTrial.Add(1)
				return eval.Outcome{}, nil
			}), eval.SinkFunc(func(eval.Result) error {
			if n++; n == 3 {
				return full
			}
			return nil
		}))
		Expect(err).To(MatchError(full))
		Expect(err).To(MatchError(HavePrefix("keep the result of case case-")))
		Expect(n).To(Equal(3))
		Expect(runTrial.Load()).To(BeNumerically("<", 1000))
	})

	It("stops when the sequence of trials yields an error", func() {
		bad := errors.New("file:3: bad case")
		_, err := run(ctx, func(yield func(eval.Trial, error) bool) {
			for t := range trials(3, answer) {
				if !yield(t, nil) {
					return
				}
			}
			yield(eval.Trial{}, bad)
		})
		Expect(err).To(BeIdenticalTo(bad))
	})

	DescribeTable("returns an error if code of its caller panics",
		func(ts iter.Seq2[eval.Trial, error], sink eval.Sink) {
			err := eval.Runner{Parallel: 2, Timeout: time.Minute}.Run(ctx, ts, sink)
			Expect(err).To(MatchError(ContainSubstring("boom")))
		},
		Entry("the sequence of trials panics",
			iter.Seq2[eval.Trial, error](func(func(eval.Trial, error) bool) { panic("boom") }),
			&memorySink{}),
		Entry("the sink panics", trials(3, answer), eval.SinkFunc(func(eval.Result) error { panic("boom") })),
	)

	It("skips trials that a resumed run already has", func() {
		has := map[string]bool{}
		for t := range trials(10, answer) {
			if t.Case.ID <= "case-006" {
				has[t.Key()] = true
			}
		}
		var k memorySink
		Expect(eval.Runner{Parallel: 3, Timeout: time.Minute, Skip: func(key string) bool { return has[key] }}.
			Run(ctx, trials(10, answer), &k)).To(Succeed())
		Expect(k.cases()).To(ConsistOf("case-007", "case-008", "case-009"))
	})

	It("leaves no goroutine running", func() {
		before := runtime.NumGoroutine()
		for range 50 {
			_, _ = run(ctx, trials(10, failWith(errors.New("x"))))
		}
		Eventually(runtime.NumGoroutine).Should(BeNumerically("<=", before))
	})
})

var _ = Describe("The watchdog", func() {
	It("X5: reports a trial that waits outside its simulated clock once, and does not end it", func() {
		blocked := make(chan struct{})
		warnings := make(chan string, 10)
		var k memorySink
		done := make(chan error)
		go func() {
			done <- eval.Runner{Parallel: 3, Timeout: time.Minute, SimulatedClock: true,
				StallTimeout: 20 * time.Millisecond,
				Warn:         func(s string) { warnings <- s }}.Run(context.Background(), trials(6,
				func(ctx context.Context, turns []agent.Turn) (eval.Outcome, error) {
					if turns[0].Text == "b" {
						<-blocked
					}
					return eval.Outcome{}, clock.Sleep(ctx, time.Second)
				}), &k)
		}()
		Eventually(warnings, 2*time.Second).
			Should(Receive(And(ContainSubstring("v/case-001"), ContainSubstring("outside the simulated clock"))))
		Consistently(warnings, 80*time.Millisecond).ShouldNot(Receive())
		close(blocked)
		Eventually(done, time.Second).Should(Receive(BeNil()))
		Expect(k.results).To(HaveLen(6))
		Expect(k.results).To(HaveEach(HaveField("Error", BeNil())))
	})

	It("reports nothing about trials that make progress", func() {
		var warned []string
		Expect(eval.Runner{Parallel: 2, Timeout: time.Hour, SimulatedClock: true, StallTimeout: 40 * time.Millisecond,
			Warn: func(s string) { warned = append(warned, s) }}.Run(context.Background(), trials(2,
			func(ctx context.Context, _ []agent.Turn) (eval.Outcome, error) {
				for range 60 {
					_ = clock.Sleep(ctx, time.Millisecond)
					time.Sleep(time.Millisecond)
				}
				return eval.Outcome{}, nil
			}), &memorySink{})).To(Succeed())
		Expect(strings.Join(warned, "\n")).To(BeEmpty())
	})

	It("does not delay a run that ends before its first check", func() {
		began := time.Now()
		Expect(eval.Runner{Parallel: 1, Timeout: time.Minute, SimulatedClock: true, Warn: func(string) {}}.
			Run(context.Background(), trials(1, answer), &memorySink{})).To(Succeed())
		Expect(time.Since(began)).To(BeNumerically("<", time.Second))
	})
})
