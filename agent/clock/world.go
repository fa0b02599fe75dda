package clock

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"
)

// world is one simulation. Its root is the goroutine that started it; the
// others are coroutines that the root resumes whenever it waits itself.
type world struct {
	start   time.Time
	elapsed time.Duration
	timers  timerHeap
	armed   uint64 // timers armed so far: equal times fire first-armed first
	root    *task
	current *task
	ready   queue[*task]
	parked  queue[*task]
	live    int // tasks besides the root that have not ended
	idle    []*coroutine
	sources map[<-chan struct{}]*source
	polled  queue[*source]
	ended   []*source // scratch of pollOnce
	stopped bool
	refused int   // waits since err
	err     error // once set, every wait fails with it
	failed  error // what close found
	steps   atomic.Int64
}

func newWorld(start time.Time) *world {
	root := &task{name: "root"}
	return &world{start: start.Round(0), root: root, current: root, sources: map[<-chan struct{}]*source{}}
}

func (w *world) now() time.Time { return w.start.Add(w.elapsed) }

// park hands the baton on until somebody wakes the current task, and returns
// what wake was given, or ctx's error.
func (w *world) park(ctx context.Context, what wait) error {
	if w.err != nil {
		return w.refuse()
	}
	t := w.current
	t.wait, t.woken = what, nil
	w.parked.push(&t.place, t)
	if s := w.source(ctx); s != nil {
		t.ctx, t.under = ctx, s
		s.tasks.push(&t.there, t)
	}
	if t.co != nil {
		t.co.yield(struct{}{})
	} else {
		w.schedule()
	}
	return t.woken
}

// maxRefused waits may fail after the simulation's end before it is taken for
// certain that somebody ignores the errors and would spin for ever.
const maxRefused = 1_000_000

// refuse answers whoever would wait in a simulation that has failed.
func (w *world) refuse() error {
	if w.refused++; w.refused > maxRefused {
		panic(fmt.Errorf("%s goes on waiting after the end of its simulation: %w", w.current.name, w.err))
	}
	return w.err
}

// wake makes a parked task ready; one that is not parked stays as it is.
func (w *world) wake(t *task, err error) {
	if t.place.in != &w.parked {
		return
	}
	t.place.leave()
	t.there.leave()
	w.forget(t.under)
	t.ctx, t.under, t.woken = nil, nil, err
	w.ready.push(&t.place, t)
}

// schedule runs the others until it is the root's turn.
func (w *world) schedule() {
	for {
		t := w.next()
		if t == w.root {
			return
		}
		w.resume(t)
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
		switch {
		case !w.ready.empty():
			return w.ready.pop()
		case len(w.timers) == 0:
			w.fail(&DeadlockError{After: w.elapsed, Waits: w.waits()})
		case w.timers[0].at > Horizon:
			w.fail(fmt.Errorf("%w: %s", ErrHorizon, strings.Join(w.waits(), "; ")))
		default:
			w.advance()
		}
	}
}

// fail ends the simulation with err: everybody who waits is woken with it.
func (w *world) fail(err error) {
	if w.err == nil {
		w.err = err
	}
	for !w.parked.empty() {
		w.wake(w.parked.first.owner, w.err)
	}
}

// waits says who waits for what, in order of arrival.
func (w *world) waits() (list []string) {
	for p := w.parked.first; p != nil; p = p.next {
		list = append(list, p.owner.name+" waits for "+p.owner.wait.String())
	}
	return list
}

// close lets every task end, then frees the coroutines.
func (w *world) close() error {
	if w.stopped {
		return w.failed
	}
	if w.live > 0 && w.err == nil {
		w.root.wait = wait{what: "its goroutines to end"}
		w.parked.push(&w.root.place, w.root)
	}
	for w.live > 0 {
		if t := w.next(); t != w.root {
			w.resume(t)
		}
	}
	for _, c := range w.idle {
		c.stop()
	}
	w.idle, w.stopped, w.failed = nil, true, w.err
	if w.err == nil {
		w.err = errStopped
	}
	return w.failed
}
