package clock

import (
	"context"
	"slices"
	"sync/atomic"
	"time"
)

// world is one simulation. Its root is the goroutine that started it; the
// others are coroutines that the root resumes whenever it waits itself.
type world struct {
	start, now time.Time
	timers     timerHeap
	armed      uint64 // timers armed so far: equal times fire first-armed first
	ready      []*task
	root       *task
	current    *task
	live       int // tasks besides the root that have not ended
	parked     []*task
	watches    watchList
	deadlines  []*deadline
	idle       []*coroutine
	err        error // once set, every wait fails with it
	steps      atomic.Int64
}

func newWorld(start time.Time) *world {
	root := &task{name: "root"}
	return &world{start: start, now: start, root: root, current: root}
}

// park hands the baton on until somebody wakes the current task, and returns
// what wake was given, or ctx's error.
func (w *world) park(ctx context.Context, what string) error {
	if w.err != nil {
		return w.err
	}
	t := w.current
	t.what, t.woken = what, nil
	t.slot = len(w.parked)
	w.parked = append(w.parked, t)
	t.watch = w.watches.add(ctx)
	if t.co != nil {
		t.co.yield(struct{}{})
	} else {
		w.schedule()
	}
	return t.woken
}

// wake makes a parked task ready; one that is not parked stays as it is.
func (w *world) wake(t *task, err error) {
	if t.slot < 0 || t.slot >= len(w.parked) || w.parked[t.slot] != t {
		return
	}
	w.parked[t.slot] = nil
	t.slot = -1
	w.watches.drop(t.watch)
	t.watch, t.woken = nil, err
	w.ready = append(w.ready, t)
}

// schedule runs the others until it is the root's turn.
func (w *world) schedule() {
	for {
		t := w.next()
		w.current = t
		if t == w.root {
			return
		}
		w.resume(t)
		w.current = w.root
	}
}

// next finds who runs next: the first that is ready, else whom the next timer
// wakes, else nobody, which fails the world and so makes everybody ready.
func (w *world) next() *task {
	if w.steps.Add(1) > MaxSteps {
		w.fail(ErrSteps)
	}
	for {
		w.poll()
		if len(w.ready) > 0 {
			t := w.ready[0]
			w.ready = w.ready[1:]
			return t
		}
		switch {
		case len(w.timers) == 0:
			w.fail(w.deadlock())
		case w.timers[0].at.Sub(w.start) > Horizon:
			w.fail(ErrHorizon)
		default:
			w.advance()
		}
	}
}

// poll carries cancellations that came from outside the clock to those who
// wait on them, always in the same order.
func (w *world) poll() {
	for i := 0; i < len(w.deadlines); i++ {
		if d := w.deadlines[i]; d.Context.Err() != nil {
			d.fire(d.Context.Err())
			i = -1 // firing changes the list
		}
	}
	for i := 0; i < len(w.watches.list); i++ {
		s := w.watches.list[i]
		if err := s.ctx.Err(); err != nil {
			w.wakeAll(func(t *task) bool { return t.watch == s }, err)
			i = -1
		}
	}
	w.compact()
}

// wakeAll wakes the parked tasks that match, in the order in which they parked.
func (w *world) wakeAll(match func(*task) bool, err error) {
	for _, t := range slices.Clone(w.parked) {
		if t != nil && match(t) {
			w.wake(t, err)
		}
	}
}

// compact drops the gaps that woken tasks left in the list of the parked.
func (w *world) compact() {
	if len(w.parked) < 2*(w.live+8) {
		return
	}
	kept := w.parked[:0]
	for _, t := range w.parked {
		if t != nil {
			t.slot = len(kept)
			kept = append(kept, t)
		}
	}
	clear(w.parked[len(kept):])
	w.parked = kept
}

// fail ends the simulation with err: everybody who waits is woken with it.
func (w *world) fail(err error) {
	if w.err == nil {
		w.err = err
	}
	w.wakeAll(func(*task) bool { return true }, w.err)
}

func (w *world) deadlock() *DeadlockError {
	e := &DeadlockError{After: w.now.Sub(w.start)}
	for _, t := range w.parked {
		if t != nil {
			e.Waits = append(e.Waits, t.name+" waits for "+t.what)
		}
	}
	return e
}

// close lets every task end, then frees the coroutines.
func (w *world) close() error {
	if w.live > 0 && w.err == nil {
		w.root.what, w.root.slot = "its goroutines to end", len(w.parked)
		w.parked = append(w.parked, w.root)
	}
	for w.live > 0 {
		if t := w.next(); t != w.root {
			w.current = t
			w.resume(t)
			w.current = w.root
		}
	}
	for _, c := range w.idle {
		c.stop()
	}
	w.idle = nil
	return w.err
}
