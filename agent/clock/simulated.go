package clock

import (
	"context"
	"time"
)

// Bounds that end a simulation which would never end by itself.
const (
	Horizon  = 24 * time.Hour // of simulated time after the start
	maxSteps = 2_000_000      // hand-overs of the baton
)

// Simulated starts a simulation at start in which the calling goroutine is
// the root: it alone may use the returned context until stop, together with
// what it starts through this package. stop cancels the context, lets every
// goroutine of the simulation end and returns what failed the simulation: a
// *DeadlockError, a *PanicError, ErrHorizon, ErrSteps or nil. After stop the
// simulation starts nothing more and every wait in it fails.
func Simulated(ctx context.Context, start time.Time) (_ context.Context, stop func() error) {
	ctx, cancel := context.WithCancel(ctx)
	sim := newSimulation(ctx, start)
	return context.WithValue(ctx, simulationKey{}, sim), func() error {
		cancel()
		return sim.close()
	}
}

// Run plays f in a simulation of its own. What failed the simulation wins
// over f's own error, which is then only its consequence.
func Run(ctx context.Context, start time.Time, f func(ctx context.Context) error) (err error) {
	ctx, stop := Simulated(ctx, start)
	defer func() {
		if failed := stop(); failed != nil {
			err = failed
		}
	}()
	return f(ctx)
}

// Steps returns a counter of the baton's hand-overs that any goroutine may
// read: a watchdog on the wall clock sees by it whether a simulation stands.
// On the wall clock it is always 0.
func Steps(ctx context.Context) func() int64 {
	sim := simulationOf(ctx)
	if sim == nil {
		return func() int64 { return 0 }
	}
	return sim.steps.Load
}
