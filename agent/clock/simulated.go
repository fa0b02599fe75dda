package clock

import (
	"context"
	"time"
)

// Limits that stop an endless simulation.
const (
	MaxSimulatedTime = 24 * time.Hour // simulated time after the start
	maxSteps         = 2_000_000      // switches between tasks
)

// StartSimulation starts a simulation whose time begins at start. The calling goroutine becomes its
// root task. Until stop is called, only the root and goroutines started through this package may
// use the returned context.
//
// stop cancels the context, waits until every goroutine of the simulation has ended and returns the
// failure: a *DeadlockError, a *PanicError, ErrMaxSimulatedTime, ErrTooManySteps or nil. After
// stop, no goroutine starts and every wait fails.
func StartSimulation(ctx context.Context, start time.Time) (_ context.Context, stop func() error) {
	ctx, cancel := context.WithCancel(ctx)
	sim := newSimulation(ctx, start)
	return context.WithValue(ctx, simulationKey{}, sim), func() error {
		cancel()
		return sim.close()
	}
}

// RunSimulated runs f in its own simulation. If the simulation fails, Run returns that failure
// instead of f's error, which is only a consequence.
func RunSimulated(ctx context.Context, start time.Time, f func(ctx context.Context) error) (err error) {
	ctx, stop := StartSimulation(ctx, start)
	defer func() {
		if failed := stop(); failed != nil {
			err = failed
		}
	}()
	return f(ctx)
}

// StepCounter returns a function that counts the switches between tasks. Any goroutine may call it.
// A watchdog on the wall clock uses it to detect a stalled simulation. Outside a simulation the
// count is always 0.
func StepCounter(ctx context.Context) func() int64 {
	sim := simulationOf(ctx)
	if sim == nil {
		return func() int64 { return 0 }
	}
	return sim.steps.Load
}
