package clock

import (
	"context"
	"iter"
	"runtime/debug"
	"time"
)

// task is a goroutine of a simulation.
type task struct {
	name    string
	place   place[*task] // in parked or ready
	timer   timer        // of its sleep
	co      *coroutine   // nil for the root
	ended   bool
	wakeErr error // the error passed to wake

	// Only while parked:
	wait        wait
	ctx         context.Context
	source      *source
	sourcePlace place[*task] // in the tasks of under
}

// wait describes what a task waits for. The text is built only on demand.
type wait struct {
	how   string // "send to ", "receive from ", "sleep of "
	what  string
	sleep time.Duration
}

func (w wait) String() string {
	if w.what == "" {
		return w.how + w.sleep.String()
	}
	return w.how + w.what
}

// coroutine runs jobs one after the other, each to its end.
type coroutine struct {
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
	job   func()
	dead  bool // its job called runtime.Goexit
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

// spawn adds a ready task that runs f. A panic of f fails the simulation, because no caller could
// receive it. After stop it does nothing.
func (sim *simulation) spawn(name string, f func()) {
	if sim.stopped {
		return
	}
	co := sim.coroutine()
	t := &task{name: name, co: co}
	co.job = func() {
		co.dead = true
		defer func() {
			t.ended = true
			if v := recover(); v != nil {
				co.dead = false
				sim.fail(&PanicError{Name: name, Value: v, Stack: debug.Stack()})
			}
		}()
		f()
		co.dead = false
	}
	sim.live++
	sim.ready.push(&t.place, t)
}

// coroutine reuses an idle coroutine. New ones are slower, and take a few KB each under the race
// detector.
func (sim *simulation) coroutine() *coroutine {
	n := len(sim.idle)
	if n == 0 {
		return newCoroutine()
	}
	c := sim.idle[n-1]
	sim.idle = sim.idle[:n-1]
	return c
}

// resume runs t until it waits or ends. If t calls runtime.Goexit, the root's goroutine ends too,
// so its deferred stop requires a consistent state.
func (sim *simulation) resume(t *task) {
	defer sim.resumed(t)
	sim.current = t
	t.co.next()
}

func (sim *simulation) resumed(t *task) {
	sim.current = &sim.root
	if !t.ended {
		return
	}
	sim.live--
	t.co.job = nil
	if !t.co.dead {
		sim.idle = append(sim.idle, t.co)
	}
}
