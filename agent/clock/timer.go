package clock

import (
	"container/heap"
	"context"
	"time"
)

// timer calls fire at its time, in the scheduler: fire must not wait.
type timer struct {
	at    time.Duration // since the start
	seq   uint64
	index int // in the heap, from 1; 0 outside
	fire  func()
}

type timerHeap []*timer

func (h timerHeap) Len() int { return len(h) }
func (h timerHeap) Less(i, j int) bool {
	if h[i].at != h[j].at {
		return h[i].at < h[j].at
	}
	return h[i].seq < h[j].seq
}
func (h timerHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i+1, j+1
}
func (h *timerHeap) Push(x any) {
	t := x.(*timer)
	*h = append(*h, t)
	t.index = len(*h)
}
func (h *timerHeap) Pop() any {
	old := *h
	t := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	t.index = 0
	return t
}

func (w *world) arm(d time.Duration, fire func()) *timer {
	t := &timer{fire: fire}
	w.rearm(t, d)
	return t
}

func (w *world) rearm(t *timer, d time.Duration) {
	// What lies past the horizon never fires, but must not overflow.
	d = min(max(d, 0), 2*Horizon)
	w.armed++
	t.at, t.seq = w.elapsed+d, w.armed
	heap.Push(&w.timers, t)
}

// disarm tells whether t was still to fire.
func (w *world) disarm(t *timer) bool {
	if t == nil || t.index == 0 {
		return false
	}
	heap.Remove(&w.timers, t.index-1)
	return true
}

// advance jumps to the next timer and fires it.
func (w *world) advance() {
	t := heap.Pop(&w.timers).(*timer)
	w.elapsed = t.at
	t.fire()
}

func (w *world) sleep(ctx context.Context, d time.Duration) error {
	t := w.current
	if t.timer.fire == nil {
		t.timer.fire = func() { w.wake(t, nil) }
	}
	w.rearm(&t.timer, d)
	err := w.park(ctx, wait{how: "sleep of ", sleep: d})
	w.disarm(&t.timer)
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
