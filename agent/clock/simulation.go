package clock

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"
)

// simulation is a simulated clock and the tasks that run on it. The root task is the goroutine that
// started the simulation. All other tasks are coroutines, which the root runs whenever it waits.
type simulation struct {
	start       time.Time
	elapsed     time.Duration
	timers      timerHeap
	armed       uint64 // number of timers started so far: timers of equal time fire in the order of starting
	root        task
	current     *task
	ready       queue[*task]
	parked      queue[*task]
	live        int // tasks that have not ended, without the root
	idle        []*coroutine
	outside     source // source for the context in which the simulation was started
	sources     map[<-chan struct{}]*source
	polled      queue[*source]
	ended       []*source // reused by pollOnce
	stopped     bool
	failedWaits int   // failed waits since err was set
	err         error // once set, every wait returns it
	failed      error // result of close
	steps       atomic.Int64
}

func newSimulation(ctx context.Context, start time.Time) *simulation {
	sim := &simulation{start: start.Round(0), root: task{name: "root"}, outside: source{ctx: ctx, done: ctx.Done()}}
	sim.current = &sim.root
	return sim
}

func (sim *simulation) now() time.Time { return sim.start.Add(sim.elapsed) }

// park suspends the current task until wake is called for it. It returns the error passed to wake,
// or ctx's error if ctx ends first.
func (sim *simulation) park(ctx context.Context, what wait) error {
	if sim.err != nil {
		return sim.failWait()
	}
	t := sim.current
	t.wait, t.wakeErr = what, nil
	sim.parked.push(&t.place, t)
	if s := sim.source(ctx); s != nil {
		t.ctx, t.source = ctx, s
		s.tasks.push(&t.sourcePlace, t)
	}
	if t.co != nil {
		t.co.yield(struct{}{})
	} else {
		sim.schedule()
	}
	return t.wakeErr
}

// maxFailedWaits limits the waits after a simulation has failed. A task with more of them probably
// ignores the errors in an endless loop.
const maxFailedWaits = 1_000_000

// failWait returns the error for a wait in a failed simulation. It panics after too many of them.
func (sim *simulation) failWait() error {
	if sim.failedWaits++; sim.failedWaits > maxFailedWaits {
		panic(fmt.Errorf("%s goes on waiting after the end of its simulation: %w", sim.current.name, sim.err))
	}
	return sim.err
}

// wake makes a parked task ready to run, with err as the result of its wait.
func (sim *simulation) wake(t *task, err error) {
	if t.place.in != &sim.parked {
		return
	}
	t.place.leave()
	t.sourcePlace.leave()
	sim.dropIfUnused(t.source)
	t.ctx = nil
	t.source = nil
	t.wakeErr = err
	sim.ready.push(&t.place, t)
}

// schedule runs other tasks until it is the root's turn.
func (sim *simulation) schedule() {
	for {
		t := sim.next()
		if t == &sim.root {
			return
		}
		sim.resume(t)
	}
}

// next returns the next task to run: the first ready one, or one that the next timer wakes. If
// there is neither, the simulation fails with a deadlock, which makes all tasks ready.
func (sim *simulation) next() *task {
	if sim.steps.Add(1) > maxSteps {
		sim.fail(ErrTooManySteps)
	}
	for {
		sim.poll()
		switch {
		case !sim.ready.empty():
			return sim.ready.pop()
		case len(sim.timers) == 0:
			sim.fail(&DeadlockError{After: sim.elapsed, BlockedTasks: sim.waits()})
		case sim.timers[0].at > MaxSimulatedTime:
			sim.fail(fmt.Errorf("%w: %s", ErrMaxSimulatedTime, strings.Join(sim.waits(), "; ")))
		default:
			sim.advance()
		}
	}
}

// fail fails the simulation and wakes all waiting tasks with err.
func (sim *simulation) fail(err error) {
	if sim.err == nil {
		sim.err = err
	}
	for !sim.parked.empty() {
		sim.wake(sim.parked.first.owner, sim.err)
	}
}

// waits describes what each waiting task waits for, in the order in which the waits began.
func (sim *simulation) waits() (list []string) {
	for p := sim.parked.first; p != nil; p = p.next {
		list = append(list, p.owner.name+" waits for "+p.owner.wait.String())
	}
	return list
}

// close runs all tasks to their end and returns the failure of the simulation.
func (sim *simulation) close() error {
	if sim.stopped {
		return sim.failed
	}
	if sim.live > 0 && sim.err == nil {
		sim.root.wait = wait{what: "its goroutines to end"}
		sim.parked.push(&sim.root.place, &sim.root)
	}
	for sim.live > 0 {
		if t := sim.next(); t != &sim.root {
			sim.resume(t)
		}
	}
	for _, c := range sim.idle {
		c.stop()
	}
	sim.idle = nil
	sim.stopped = true
	sim.failed = sim.err
	if sim.err == nil {
		sim.err = errStopped
	}
	return sim.failed
}
