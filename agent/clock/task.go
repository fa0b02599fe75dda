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
	place   place[*task] // in simulation.parked or simulation.ready
	timer   timer        // ends its sleep
	co      *coroutine   // nil for the root
	ended   bool
	wakeErr error // the error passed to wake

	// The fields below are set only while the task is parked.
	wait        wait
	ctx         context.Context
	source      *source
	sourcePlace place[*task] // position in source.tasks
}

// wait describes what a task waits for. String formats it only when a report needs it.
type wait struct {
	how   string // "send to ", "receive from " or "sleep of "
	what  string
	sleep time.Duration
}

func (w wait) String() string {
	if w.what == "" {
		return w.how + w.sleep.String()
	}
	return w.how + w.what
}

// coroutine runs the functions of tasks, one after another. A task that ends leaves it to the next
// one.
type coroutine struct {
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
	job   func()
	dead  bool // its job called runtime.Goexit, so it cannot be reused
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

// spawn adds a task that runs f and is ready to run. A panic of f fails the simulation, because no
// caller could recover it. After stop, spawn does nothing.
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

// coroutine returns an idle coroutine or creates one. Reuse is faster and saves a few KB per task
// under the race detector.
func (sim *simulation) coroutine() *coroutine {
	n := len(sim.idle)
	if n == 0 {
		return newCoroutine()
	}
	c := sim.idle[n-1]
	sim.idle = sim.idle[:n-1]
	return c
}

// resume runs t until it waits or ends. If t calls runtime.Goexit, the root's goroutine ends, too;
// the deferred call keeps the state consistent for its stop.
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
