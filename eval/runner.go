package eval

import (
	"context"
	"fmt"
	"iter"
	"sync/atomic"
	"time"

	"evalctl/agent"
	"evalctl/agent/clock"
)

// Runner runs trials concurrently and passes their results to a sink in the order of completion.
type Runner struct {
	Parallel int // number of trials that run at a time, at least 1
	// time limit per turn, on the trial's own clock; a trial has this time for each of its turns,
	// plus the pauses between them
	Timeout        time.Duration
	SimulatedClock bool // every trial runs on its own simulated clock, so that delays take no real time
	// receives a warning if a simulated trial makes no progress for StallTimeout; nil: no warnings
	Warn         func(string)
	StallTimeout time.Duration // real time without progress before a warning; 0: 30 s
	// reports whether a resumed run already has the trial with this key; nil: no trial is skipped
	Skip      func(key string) bool
	StartTime func(Trial) time.Time // returns the start time of a simulated trial; nil: [Trial.Start]
	// returns an error if the result of a trial is not valid, which makes the trial a harness
	// error; nil: all results are valid
	Validate func(Trial) error

	// Acquire blocks until a trial may start, for limits such as a budget. The caller calls end
	// when the trial ends. If ok is false, no further trial starts, and the running ones finish.
	// nil: no limit.
	Acquire func(Trial) (end func(), ok bool)
}

// Run runs all trials and passes each result to the sink. It stops early if the sequence yields an
// error, the sink fails or ctx ends. Trials that ctx interrupts have no result.
func (r Runner) Run(ctx context.Context, trials iter.Seq2[Trial, error], sink Sink) error {
	if r.Parallel < 1 {
		return fmt.Errorf("runner: Parallel is %d, must be at least 1", r.Parallel)
	}
	if r.Timeout <= 0 {
		return fmt.Errorf("runner: Timeout is %v, must be positive", r.Timeout)
	}
	g, gctx := clock.NewGroup(ctx, 0)
	todo := clock.NewChan[Trial](gctx, "trials", r.bufferSize())
	done := clock.NewChan[Result](gctx, "results", r.bufferSize())
	watchdog := newWatchdog(r)
	var isOver atomic.Bool
	g.Go("dispatch", func(ctx context.Context) error { return r.dispatch(ctx, trials, todo, &isOver) })
	g.Go("collect", func(ctx context.Context) error {
		defer watchdog.stop()
		return collect(ctx, done, sink)
	})
	g.Go("workers", func(ctx context.Context) error {
		defer done.Close()
		return r.work(ctx, todo, done, watchdog, &isOver)
	})
	g.Go("watchdog", watchdog.watch)
	if err := g.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

// bufferSize returns the buffer size of the channels for trials and results. Simulated runs have a
// larger buffer, because a simulated trial takes less time than waking a goroutine.
func (r Runner) bufferSize() int {
	if r.SimulatedClock {
		return max(r.Parallel, 64)
	}
	return r.Parallel
}

func (r Runner) dispatch(ctx context.Context, trials iter.Seq2[Trial, error], todo *clock.Chan[Trial],
	isOver *atomic.Bool) error {
	defer todo.Close()
	for t, err := range trials {
		if isOver.Load() {
			return nil
		}
		if err != nil {
			return err
		}
		if r.Skip != nil && r.Skip(t.Key()) {
			continue
		}
		if err := todo.Send(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

func (r Runner) work(ctx context.Context, todo *clock.Chan[Trial], done *clock.Chan[Result], dog *watchdog,
	isOver *atomic.Bool) error {
	g, _ := clock.NewGroup(ctx, 0)
	for i := range r.Parallel {
		g.Go(fmt.Sprintf("worker %d", i), func(ctx context.Context) error {
			for {
				t, ok, err := todo.Recv(ctx)
				if err != nil || !ok {
					return err
				}
				end, ok := r.acquire(t)
				if !ok {
					isOver.Store(true)
					continue // reads and drops the remaining trials until the run is over
				}
				res := r.runTrial(ctx, t, dog)
				end()
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := done.Send(ctx, res); err != nil {
					return err
				}
			}
		})
	}
	return g.Wait()
}

func (r Runner) acquire(t Trial) (end func(), ok bool) {
	if r.Acquire == nil {
		return func() {}, true
	}
	return r.Acquire(t)
}

func collect(ctx context.Context, done *clock.Chan[Result], sink Sink) error {
	for {
		r, ok, err := done.Recv(ctx)
		if err != nil || !ok {
			return err
		}
		if err := sink.Add(r); err != nil {
			return fmt.Errorf("keep the result of case %s: %w", r.Case, err)
		}
	}
}

// runTrial runs one trial. A panic of the target becomes the error of its result.
func (r Runner) runTrial(ctx context.Context, t Trial, dog *watchdog) Result {
	var o Outcome
	run := func(ctx context.Context) error {
		defer dog.guard(ctx, &t)()
		turns := t.Case.Inputs()
		ctx, cancel := clock.WithTimeout(ctx, r.Timeout*time.Duration(max(len(turns), 1))+agent.TotalDelay(turns))
		defer cancel()
		return clock.CatchPanic("trial", func() error {
			target, err := t.target()
			if err != nil {
				return &Error{Kind: HarnessError, Message: err.Error()}
			}
			o, err = target.Run(ctx, turns)
			t.judgeAgain(ctx, &o)
			t.grade(ctx, &o)
			return err
		})
	}
	if !r.SimulatedClock {
		if now := t.Case.Now; !now.IsZero() {
			ctx = clock.WithStart(ctx, now)
		}
		return r.row(ctx, t, o, run(ctx))
	}
	begins := t.Start()
	if r.StartTime != nil {
		begins = r.StartTime(t)
	}
	err := clock.RunSimulated(ctx, begins, run)
	return r.row(ctx, t, o, err)
}

// row returns the result of a trial. If Validate returns an error, the result is a harness error.
func (r Runner) row(ctx context.Context, t Trial, o Outcome, err error) Result {
	if r.Validate != nil {
		if why := r.Validate(t); why != nil {
			err = &Error{Kind: HarnessError, Message: why.Error()}
		}
	}
	t.Condition.shortenSent(o.Turns)
	return t.row(ctx, o, err)
}

// target creates the target that the trial evaluates. A failure is a harness error.
func (t Trial) target() (target Target, err error) {
	err = clock.CatchPanic("making the target", func() (err error) {
		target, err = t.Condition.NewTarget(t)
		return err
	})
	return target, err
}
