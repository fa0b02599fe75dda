// Package clock is time that can be simulated. Whoever waits, waits here: on
// the wall clock by default, or in a simulation whose time jumps to the next
// wake-up as soon as nobody in it can run. The clock travels in the context.
//
// In a simulation exactly one goroutine runs at a time and hands the baton on
// only where it waits, so a run is deterministic and needs no locks. What
// blocks outside this package (a socket, a bare channel) stands still there.
package clock

import (
	"context"
	"time"
)

// simulationOf returns the simulation that ctx belongs to, nil on the wall clock.
func simulationOf(ctx context.Context) *simulation {
	sim, _ := ctx.Value(simulationKey{}).(*simulation)
	return sim
}

// IsSimulated tells whether ctx belongs to a simulation.
func IsSimulated(ctx context.Context) bool { return simulationOf(ctx) != nil }

// Now is the present instant.
func Now(ctx context.Context) time.Time {
	now := WallNow(ctx)
	if s, ok := ctx.Value(shiftKey{}).(shift); ok && !IsSimulated(ctx) {
		return now.Add(s.by).In(s.zone)
	}
	return now
}

// WallNow is the present instant as those tell it who do not know of a clock that
// WithStart has set: servers elsewhere.
func WallNow(ctx context.Context) time.Time {
	if sim := simulationOf(ctx); sim != nil {
		return sim.now()
	}
	return time.Now()
}

// shift is what sets a wall clock apart from the world's.
type shift struct {
	by   time.Duration
	zone *time.Location
}

// WithStart sets the wall clock of the context: it is start now, and goes on from
// there in start's zone. Waits take as long as ever. A simulation has a start of its
// own, and stays as it is.
func WithStart(ctx context.Context, start time.Time) context.Context {
	return context.WithValue(ctx, shiftKey{}, shift{by: time.Until(start), zone: start.Location()})
}

// Since is the time that has passed since t.
func Since(ctx context.Context, t time.Time) time.Duration {
	return Now(ctx).Sub(t)
}

// Sleep waits for d or until ctx ends, whose error it then returns. Without a
// positive d it lets others run first.
func Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if sim := simulationOf(ctx); sim != nil {
		return sim.sleep(ctx, d)
	}
	t := time.NewTimer(max(d, 0))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Go starts f beside the caller. In a simulation a panic of f fails the whole
// simulation; on the wall clock it is a panic like any other. Use a Group to
// wait for f or to turn its panic into an error.
func Go(ctx context.Context, name string, f func(ctx context.Context)) {
	if sim := simulationOf(ctx); sim != nil {
		sim.spawn(name, func() { f(ctx) })
		return
	}
	go f(ctx)
}

// Detached keeps the clock and the values of ctx and drops its cancellation,
// as a server sees its client's context.
func Detached(ctx context.Context) context.Context {
	return context.WithoutCancel(ctx)
}
