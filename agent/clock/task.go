package clock

import (
	"iter"
	"runtime/debug"
)

// task is a goroutine of a simulation.
type task struct {
	name  string
	what  string // it waits for, while parked
	slot  int    // in world.parked, while parked
	watch *watch // of the context it waits under, while parked
	woken error
	co    *coroutine // nil for the root
	ended bool
}

// coroutine runs one job after the other, each to its end.
type coroutine struct {
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
	job   func()
}

func newCoroutine() *coroutine {
	c := &coroutine{}
	c.next, c.stop = iter.Pull(func(yield func(struct{}) bool) {
		c.yield = yield
		for {
			c.job()
			if !yield(struct{}{}) {
				return
			}
		}
	})
	return c
}

// spawn makes a task that is ready to run f. It ends the simulation when f
// panics: nobody else could tell.
func (w *world) spawn(name string, f func()) {
	t := &task{name: name, slot: -1, co: w.coroutine()}
	t.co.job = func() {
		defer func() {
			t.ended = true
			if v := recover(); v != nil {
				w.fail(&PanicError{Name: name, Value: v, Stack: debug.Stack()})
			}
		}()
		f()
	}
	w.live++
	w.ready = append(w.ready, t)
}

// coroutine takes an idle one: making them anew costs more, and a few KB each
// under the race detector.
func (w *world) coroutine() *coroutine {
	n := len(w.idle)
	if n == 0 {
		return newCoroutine()
	}
	c := w.idle[n-1]
	w.idle = w.idle[:n-1]
	return c
}

// resume runs t until it waits or ends.
func (w *world) resume(t *task) {
	t.co.next()
	if t.ended {
		w.live--
		t.co.job = nil
		w.idle = append(w.idle, t.co)
	}
}
