package trace

import (
	"context"
	"sync"
	"time"

	"evalctl/agent/clock"
)

type queueKey struct{}

// QueueTimer counts for how long all that a turn has asked for waited in a queue of the
// harness itself. It is safe for concurrent use.
type QueueTimer struct {
	mu            sync.Mutex
	calls, queued int
	since         time.Time // when nothing but queues went on
	total         time.Duration
}

// WithQueueTimer has the queues of a turn counted below the context.
func WithQueueTimer(ctx context.Context) (context.Context, *QueueTimer) {
	w := &QueueTimer{}
	return context.WithValue(ctx, queueKey{}, w), w
}

// Total is for how long nothing else went on, until now.
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

// idle tells that all calls under way are in a queue.
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

func waitingOf(ctx context.Context) *QueueTimer {
	w, _ := ctx.Value(queueKey{}).(*QueueTimer)
	return w
}

// BeginCall says that a call to the outside is under way until end is called.
func BeginCall(ctx context.Context) (end func()) {
	w := waitingOf(ctx)
	if w == nil {
		return func() {}
	}
	w.change(ctx, 1, 0)
	return func() { w.change(ctx, -1, 0) }
}

// BeginQueue says that the call of ctx waits, until leave is called, for what is neither its
// agent's nor its provider's doing: the harness's own limits. Deadlines stand still, and
// the time is no part of the call's, nor, as far as nothing else goes on, of the turn's.
func BeginQueue(ctx context.Context) (leave func()) {
	resume, w := clock.PauseDeadlines(ctx), waitingOf(ctx)
	if w == nil {
		return resume
	}
	w.change(ctx, 0, 1)
	return func() {
		w.change(ctx, 0, -1)
		resume()
	}
}
