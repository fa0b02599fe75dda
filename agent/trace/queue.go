package trace

import (
	"context"
	"sync"
	"time"

	"evalctl/agent/clock"
)

type queueKey struct{}

// QueueTimer measures how long all calls of a turn waited in the harness's own queues at the same
// time. It is safe for concurrent use.
type QueueTimer struct {
	mu            sync.Mutex
	calls, queued int
	since         time.Time // start of the current period in which all calls are queued
	total         time.Duration
}

// WithQueueTimer returns a context whose queues are measured.
func WithQueueTimer(ctx context.Context) (context.Context, *QueueTimer) {
	w := &QueueTimer{}
	return context.WithValue(ctx, queueKey{}, w), w
}

// Total returns the time until now in which all calls were queued.
func (w *QueueTimer) Total(ctx context.Context) time.Duration {
	if w == nil {
		return 0
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.idle() {
		return w.total + clock.Since(ctx, w.since)
	}
	return w.total
}

// idle reports whether all calls in progress are queued.
func (w *QueueTimer) idle() bool { return w.queued > 0 && w.queued >= w.calls }

func (w *QueueTimer) change(ctx context.Context, calls, queued int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	before := w.idle()
	w.calls, w.queued = w.calls+calls, w.queued+queued
	switch after := w.idle(); {
	case after && !before:
		w.since = clock.Now(ctx)
	case before && !after:
		w.total += clock.Since(ctx, w.since)
	}
}

func queueTimerOf(ctx context.Context) *QueueTimer {
	w, _ := ctx.Value(queueKey{}).(*QueueTimer)
	return w
}

// BeginCall records an external call until end is called.
func BeginCall(ctx context.Context) (end func()) {
	w := queueTimerOf(ctx)
	if w == nil {
		return func() {}
	}
	w.change(ctx, 1, 0)
	return func() { w.change(ctx, -1, 0) }
}

// BeginQueue records that the call of ctx waits for the harness's own limits until leave is called.
// Deadlines are paused. The time does not count for the call, nor for the turn while nothing else
// runs.
func BeginQueue(ctx context.Context) (leave func()) {
	resume, w := clock.PauseDeadlines(ctx), queueTimerOf(ctx)
	if w == nil {
		return resume
	}
	w.change(ctx, 0, 1)
	return func() {
		w.change(ctx, 0, -1)
		resume()
	}
}
