package clock

import (
	"container/heap"
	"context"
	"time"
)

// timer calls fire at its time, in the scheduler: fire must not wait.
type timer struct {
	at    time.Time
	seq   uint64
	index int // in the heap, -1 outside
	fire  func()
}

type timerHeap []*timer

func (h timerHeap) Len() int { return len(h) }
func (h timerHeap) Less(i, j int) bool {
	if !h[i].at.Equal(h[j].at) {
		return h[i].at.Before(h[j].at)
	}
	return h[i].seq < h[j].seq
}
func (h timerHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}
func (h *timerHeap) Push(x any) {
	t := x.(*timer)
	t.index = len(*h)
	*h = append(*h, t)
}
func (h *timerHeap) Pop() any {
	old := *h
	t := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	t.index = -1
	return t
}

func (w *world) arm(d time.Duration, fire func()) *timer {
	w.armed++
	t := &timer{at: w.now.Add(max(d, 0)), seq: w.armed, fire: fire}
	heap.Push(&w.timers, t)
	return t
}

// disarm tells whether t was still to fire.
func (w *world) disarm(t *timer) bool {
	if t == nil || t.index < 0 {
		return false
	}
	heap.Remove(&w.timers, t.index)
	return true
}

// advance jumps to the next timer and fires it.
func (w *world) advance() {
	t := heap.Pop(&w.timers).(*timer)
	w.now = t.at
	t.fire()
}

func (w *world) sleep(ctx context.Context, d time.Duration) error {
	t := w.current
	tm := w.arm(d, func() { w.wake(t, nil) })
	err := w.park(ctx, "sleep of "+d.String())
	w.disarm(tm)
	return err
}

// AfterFunc runs f in a goroutine of its own after d; stop tells whether it
// came in time.
func AfterFunc(ctx context.Context, d time.Duration, f func()) (stop func() bool) {
	w := worldOf(ctx)
	if w == nil {
		return time.AfterFunc(d, f).Stop
	}
	t := w.arm(d, func() { w.spawn("timer", f) })
	return func() bool { return w.disarm(t) }
}
