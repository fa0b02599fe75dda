package clock

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"
)

// simulation is a clock of its own and the tasks that run by it. Its root is the
// goroutine that started it; the others are coroutines that the root resumes
// whenever it waits itself.
type simulation struct {
	start   time.Time
	elapsed time.Duration
	timers  timerHeap
	armed   uint64 // timers armed so far: equal times fire first-armed first
	root    task
	current *task
	ready   queue[*task]
	parked  queue[*task]
	live    int // tasks besides the root that have not ended
	idle    []*coroutine
	outside source // the context that it was started under
	sources map[<-chan struct{}]*source
	polled  queue[*source]
	ended   []*source // scratch of pollOnce
	stopped bool
	refused int   // waits since err
	err     error // once set, every wait fails with it
	failed  error // what close found
	steps   atomic.Int64
}

func newSimulation(ctx context.Context, start time.Time) *simulation {
	sim := &simulation{start: start.Round(0), root: task{name: "root"}, outside: source{ctx: ctx, done: ctx.Done()}}
	sim.current = &sim.root
	return sim
}

func (sim *simulation) now() time.Time { return sim.start.Add(sim.elapsed) }

// park hands the baton on until somebody wakes the current task, and returns
// what wake was given, or ctx's error.
func (sim *simulation) park(ctx context.Context, what wait) error {
	if sim.err != nil {
		return sim.refuse()
	}
	t := sim.current
	t.wait, t.woken = what, nil
	sim.parked.push(&t.place, t)
	if s := sim.source(ctx); s != nil {
		t.ctx, t.under = ctx, s
		s.tasks.push(&t.there, t)
	}
	if t.co != nil {
		t.co.yield(struct{}{})
	} else {
		sim.schedule()
	}
	return t.woken
}

// maxRefused waits may fail after the simulation's end before it is taken for
// certain that somebody ignores the errors and would spin for ever.
const maxRefused = 1_000_000

// refuse answers whoever would wait in a simulation that has failed.
func (sim *simulation) refuse() error {
	if sim.refused++; sim.refused > maxRefused {
		panic(fmt.Errorf("%s goes on waiting after the end of its simulation: %w", sim.current.name, sim.err))
	}
	return sim.err
}

// wake makes a parked task ready; one that is not parked stays as it is.
func (sim *simulation) wake(t *task, err error) {
	if t.place.in != &sim.parked {
		return
	}
	t.place.leave()
	t.there.leave()
	sim.forget(t.under)
	t.ctx, t.under, t.woken = nil, nil, err
	sim.ready.push(&t.place, t)
}

// schedule runs the others until it is the root's turn.
func (sim *simulation) schedule() {
	for {
		t := sim.next()
		if t == &sim.root {
			return
		}
		sim.resume(t)
	}
}

// next finds who runs next: the first that is ready, else whom the next timer
// wakes, else nobody, which fails the simulation and so makes everybody ready.
func (sim *simulation) next() *task {
	if sim.steps.Add(1) > maxSteps {
		sim.fail(ErrSteps)
	}
	for {
		sim.poll()
		switch {
		case !sim.ready.empty():
			return sim.ready.pop()
		case len(sim.timers) == 0:
			sim.fail(&DeadlockError{After: sim.elapsed, Waits: sim.waits()})
		case sim.timers[0].at > Horizon:
			sim.fail(fmt.Errorf("%w: %s", ErrHorizon, strings.Join(sim.waits(), "; ")))
		default:
			sim.advance()
		}
	}
}

// fail ends the simulation with err: everybody who waits is woken with it.
func (sim *simulation) fail(err error) {
	if sim.err == nil {
		sim.err = err
	}
	for !sim.parked.empty() {
		sim.wake(sim.parked.first.owner, sim.err)
	}
}

// waits says who waits for what, in order of arrival.
func (sim *simulation) waits() (list []string) {
	for p := sim.parked.first; p != nil; p = p.next {
		list = append(list, p.owner.name+" waits for "+p.owner.wait.String())
	}
	return list
}

// close lets every task end, then frees the coroutines.
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
	sim.idle, sim.stopped, sim.failed = nil, true, sim.err
	if sim.err == nil {
		sim.err = errStopped
	}
	return sim.failed
}
