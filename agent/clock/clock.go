// Package clock provides time that can be simulated. All waits go through this package: on the wall
// clock by default, or in a simulation, whose time jumps to the next timer as soon as no task can
// run. The clock is part of the context.
//
// In a simulation exactly one goroutine runs at a time, and it yields only where it waits.
// Therefore a run is deterministic and needs no locks. A wait outside this package (a socket, a
// bare channel) blocks the whole simulation.
package clock

import (
	"context"
	"time"
)

// simulationOf returns the simulation of ctx; nil on the wall clock.
func simulationOf(ctx context.Context) *simulation {
	sim, _ := ctx.Value(simulationKey{}).(*simulation)
	return sim
}

// IsSimulated reports whether ctx belongs to a simulation.
func IsSimulated(ctx context.Context) bool { return simulationOf(ctx) != nil }

// Now returns the current time.
func Now(ctx context.Context) time.Time {
	now := WallNow(ctx)
	if s, ok := ctx.Value(shiftKey{}).(shift); ok && !IsSimulated(ctx) {
		return now.Add(s.by).In(s.zone)
	}
	return now
}

// WallNow returns the current time without the offset of WithStart, as remote servers see it.
func WallNow(ctx context.Context) time.Time {
	if sim := simulationOf(ctx); sim != nil {
		return sim.now()
	}
	return time.Now()
}

// shift is the offset of a wall clock from real time.
type shift struct {
	by   time.Duration
	zone *time.Location
}

// WithStart sets the wall clock of the context: it is start now and continues in start's zone.
// Waits take their normal time. A simulation has its own start and is not changed.
func WithStart(ctx context.Context, start time.Time) context.Context {
	return context.WithValue(ctx, shiftKey{}, shift{by: time.Until(start), zone: start.Location()})
}

// Since returns the time elapsed since t.
func Since(ctx context.Context, t time.Time) time.Duration {
	return Now(ctx).Sub(t)
}

// Sleep waits for d or until ctx ends, and then returns ctx's error. If d is not positive, it lets
// other tasks run first.
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

// Go starts f concurrently. In a simulation a panic of f fails the whole simulation; on the wall
// clock it is a normal panic. Use a Group to wait for f or to convert its panic to an error.
func Go(ctx context.Context, name string, f func(ctx context.Context)) {
	if sim := simulationOf(ctx); sim != nil {
		sim.spawn(name, func() { f(ctx) })
		return
	}
	go f(ctx)
}

// Detached returns a context with the clock and the values of ctx but without its cancellation.
func Detached(ctx context.Context) context.Context {
	return context.WithoutCancel(ctx)
}
