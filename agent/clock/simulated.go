package clock

import (
	"context"
	"time"
)

// Limits that stop a simulation without an end.
const (
	Horizon  = 24 * time.Hour // of simulated time after the start
	maxSteps = 2_000_000      // switches between tasks
)

// Simulated starts a simulation at start. The calling goroutine is its root: until stop, only the
// root and what it starts through this package may use the returned context. stop cancels the
// context, lets every goroutine of the simulation end and returns the failure: a *DeadlockError, a
// *PanicError, ErrHorizon, ErrSteps or nil. After stop, the simulation starts no goroutine and
// every wait in it fails.
func Simulated(ctx context.Context, start time.Time) (_ context.Context, stop func() error) {
	ctx, cancel := context.WithCancel(ctx)
	sim := newSimulation(ctx, start)
	return context.WithValue(ctx, simulationKey{}, sim), func() error {
		cancel()
		return sim.close()
	}
}

// Run runs f in its own simulation. A failure of the simulation takes precedence over f's error,
// which is then only a consequence.
func Run(ctx context.Context, start time.Time, f func(ctx context.Context) error) (err error) {
	ctx, stop := Simulated(ctx, start)
	defer func() {
		if failed := stop(); failed != nil {
			err = failed
		}
	}()
	return f(ctx)
}

// Steps returns a counter of switches between tasks. Any goroutine may call it: a watchdog on the
// wall clock detects a stalled simulation with it. On the wall clock it is always 0.
func Steps(ctx context.Context) func() int64 {
	sim := simulationOf(ctx)
	if sim == nil {
		return func() int64 { return 0 }
	}
	return sim.steps.Load
}
