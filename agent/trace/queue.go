package trace

import (
	"context"
	"sync"
	"time"

	"evalctl/agent/clock"
)

type queueKey struct{}

// QueueTimer measures how long a turn made no progress because all of its calls waited in evalctl's
// own queues, for example for a rate limit. This time is subtracted from the turn's latency. It is
// safe for concurrent use.
type QueueTimer struct {
	mu            sync.Mutex
	calls, queued int
	since         time.Time // start of the current period in which all calls are queued
	total         time.Duration
}

// WithQueueTimer returns a context with a new timer. BeginCall and BeginQueueWait with this context
// report to the timer.
func WithQueueTimer(ctx context.Context) (context.Context, *QueueTimer) {
	w := &QueueTimer{}
	return context.WithValue(ctx, queueKey{}, w), w
}

// TotalQueued returns the time so far during which all calls in progress were queued.
func (w *QueueTimer) TotalQueued(ctx context.Context) time.Duration {
	if w == nil {
		return 0
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.isStalled() {
		return w.total + clock.Since(ctx, w.since)
	}
	return w.total
}

// isStalled reports whether all calls in progress are queued, so the turn makes no progress.
func (w *QueueTimer) isStalled() bool { return w.queued > 0 && w.queued >= w.calls }

func (w *QueueTimer) change(ctx context.Context, calls, queued int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	before := w.isStalled()
	w.calls, w.queued = w.calls+calls, w.queued+queued
	switch after := w.isStalled(); {
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

// BeginCall counts an external call as in progress until end is called.
func BeginCall(ctx context.Context) (end func()) {
	w := queueTimerOf(ctx)
	if w == nil {
		return func() {}
	}
	w.change(ctx, 1, 0)
	return func() { w.change(ctx, -1, 0) }
}

// BeginQueueWait records that the call of ctx waits in one of evalctl's own queues until leave is
// called. Deadlines are paused. The wait does not count as latency of the call. It counts as
// latency of the turn only while another call is running.
func BeginQueueWait(ctx context.Context) (leave func()) {
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
