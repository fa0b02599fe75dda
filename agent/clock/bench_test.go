package clock_test

import (
	"context"
	"testing"
	"time"

	"evalctl/agent/clock"
)

var midnight = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)

func BenchmarkRun(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		_ = clock.RunSimulated(context.Background(), midnight, func(context.Context) error { return nil })
	}
}

// inRuns runs f for b.N steps in total, in several simulations, each below the step limit.
func inRuns(b *testing.B, f func(ctx context.Context, n int)) {
	b.ReportAllocs()
	for left := b.N; left > 0; {
		n := min(left, 100_000)
		left -= n
		if err := clock.RunSimulated(context.Background(), midnight,
			func(ctx context.Context) error { f(ctx, n); return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSleep(b *testing.B) {
	inRuns(b, func(ctx context.Context, n int) {
		for range n {
			_ = clock.Sleep(ctx, time.Nanosecond)
		}
	})
}

func BenchmarkTimeout(b *testing.B) {
	inRuns(b, func(ctx context.Context, n int) {
		for range n {
			limited, cancel := clock.WithTimeout(ctx, time.Second)
			_ = clock.Sleep(limited, time.Nanosecond)
			cancel()
		}
	})
}

// BenchmarkGroup measures a group of two sleeping functions.
func BenchmarkGroup(b *testing.B) {
	inRuns(b, func(ctx context.Context, n int) {
		for range n {
			g, _ := clock.NewGroup(ctx, 0)
			for range 2 {
				g.Go("sleeper", func(ctx context.Context) error { return clock.Sleep(ctx, time.Nanosecond) })
			}
			_ = g.Wait()
		}
	})
}

// BenchmarkChan measures sending one value from a task to the root.
func BenchmarkChan(b *testing.B) {
	inRuns(b, func(ctx context.Context, n int) {
		c := clock.NewChan[int](ctx, "numbers", 0)
		clock.Go(ctx, "sender", func(ctx context.Context) {
			for c.Send(ctx, 1) == nil {
			}
		})
		for range n {
			_, _, _ = c.Recv(ctx)
		}
		c.Close()
	})
}

// BenchmarkSleepers measures 10,000 sleeping tasks, each with its own timeout.
func BenchmarkSleepers(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		_ = sleepers(10_000)
	}
}

func sleepers(n int) error {
	return clock.RunSimulated(context.Background(), midnight, func(ctx context.Context) error {
		g, _ := clock.NewGroup(ctx, 0)
		for i := range n {
			g.Go("sleeper", func(ctx context.Context) error {
				ctx, cancel := clock.WithTimeout(ctx, time.Hour)
				defer cancel()
				return clock.Sleep(ctx, time.Duration(i%97)*time.Millisecond)
			})
		}
		return g.Wait()
	})
}

// BenchmarkWallTimeout measures a timeout on the wall clock.
func BenchmarkWallTimeout(b *testing.B) {
	parent, cancel := context.WithCancel(context.Background())
	defer cancel()
	b.ReportAllocs()
	for b.Loop() {
		limited, cancel := clock.WithTimeout(parent, time.Minute)
		_ = limited.Err()
		cancel()
	}
}
