// Package clock provides time that can be simulated, for fast and reproducible tests. All waits go
// through this package: on the wall clock by default, or in a simulation. Simulated time jumps to
// the next timer when no goroutine (task) can run. The context determines the clock.
//
// In a simulation exactly one task runs at a time, and it yields only where it waits. Therefore a
// run is deterministic and needs no locks. A wait outside this package (a socket, a built-in
// channel) blocks the whole simulation.
package clock

import (
	"context"
	"time"
)

// simulationOf returns the simulation that ctx belongs to, or nil on the wall clock.
func simulationOf(ctx context.Context) *simulation {
	sim, _ := ctx.Value(simulationKey{}).(*simulation)
	return sim
}

// IsSimulated reports whether ctx belongs to a simulation.
func IsSimulated(ctx context.Context) bool { return simulationOf(ctx) != nil }

// Now returns the current simulated time or the wall-clock time, shifted if WithStart was used.
func Now(ctx context.Context) time.Time {
	now := WallNow(ctx)
	if s, ok := ctx.Value(shiftKey{}).(shift); ok && !IsSimulated(ctx) {
		return now.Add(s.by).In(s.zone)
	}
	return now
}

// WallNow returns the current time without the shift of WithStart. Use it to compare with times
// from remote servers.
func WallNow(ctx context.Context) time.Time {
	if sim := simulationOf(ctx); sim != nil {
		return sim.now()
	}
	return time.Now()
}

// shift is the difference between the wall clock of a context and real time, set by WithStart.
type shift struct {
	by   time.Duration
	zone *time.Location
}

// WithStart returns a context whose wall clock shows start now and continues from there, in start's
// time zone. Waits still take real time. In a simulation it has no effect.
func WithStart(ctx context.Context, start time.Time) context.Context {
	return context.WithValue(ctx, shiftKey{}, shift{by: time.Until(start), zone: start.Location()})
}

// Since returns the time elapsed since t on the clock of ctx.
func Since(ctx context.Context, t time.Time) time.Duration {
	return Now(ctx).Sub(t)
}

// Sleep waits for d and returns nil, or returns ctx's error if ctx ends first. If d is 0 or
// negative, it only lets other tasks run.
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

// Go runs f in a new goroutine. In a simulation a panic of f fails the whole simulation; on the
// wall clock it ends the program. Use a Group to wait for f or to convert its panic to an error.
func Go(ctx context.Context, name string, f func(ctx context.Context)) {
	if sim := simulationOf(ctx); sim != nil {
		sim.spawn(name, func() { f(ctx) })
		return
	}
	go f(ctx)
}

// WithoutCancel returns a context with the clock and the values of ctx that does not end when ctx
// ends.
func WithoutCancel(ctx context.Context) context.Context {
	return context.WithoutCancel(ctx)
}
