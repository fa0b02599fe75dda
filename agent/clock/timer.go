package clock

import (
	"container/heap"
	"context"
	"time"
)

// timer calls fire at its simulated time. fire runs in the scheduler and must not wait.
type timer struct {
	at    time.Duration // since the start of the simulation
	seq   uint64
	index int // index in the heap plus 1; 0: not in the heap
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

func (sim *simulation) arm(d time.Duration, fire func()) *timer {
	t := &timer{fire: fire}
	sim.rearm(t, d)
	return t
}

func (sim *simulation) rearm(t *timer, d time.Duration) {
	// A time after the horizon never fires, but must not overflow.
	d = min(max(d, 0), 2*MaxSimulatedTime)
	sim.armed++
	t.at, t.seq = sim.elapsed+d, sim.armed
	heap.Push(&sim.timers, t)
}

// disarm stops a timer. It reports whether the timer had not fired yet.
func (sim *simulation) disarm(t *timer) bool {
	if t.index == 0 {
		return false
	}
	heap.Remove(&sim.timers, t.index-1)
	return true
}

// advance moves the simulated time to the next timer and fires it.
func (sim *simulation) advance() {
	t := heap.Pop(&sim.timers).(*timer)
	sim.elapsed = t.at
	t.fire()
}

func (sim *simulation) sleep(ctx context.Context, d time.Duration) error {
	t := sim.current
	if t.timer.fire == nil {
		t.timer.fire = func() { sim.wake(t, nil) }
	}
	sim.rearm(&t.timer, d)
	err := sim.park(ctx, wait{how: "sleep of ", sleep: d})
	sim.disarm(&t.timer)
	return err
}

// AfterFunc calls f in its own goroutine after d, like time.AfterFunc. stop cancels the timer and
// reports whether it prevented the call.
func AfterFunc(ctx context.Context, d time.Duration, f func()) (stop func() bool) {
	sim := simulationOf(ctx)
	if sim == nil {
		return time.AfterFunc(d, f).Stop
	}
	t := sim.arm(d, func() { sim.spawn("timer", f) })
	return func() bool { return sim.disarm(t) }
}
