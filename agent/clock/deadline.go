package clock

import (
	"context"
	"sync"
	"time"
)

// WithTimeout returns a context that ends with DeadlineExceeded after d. Time in which
// PauseDeadlines has paused it does not count:
//
//	running: |--2 s--|.........|--3 s--| expires, if d is 5 s
//	paused:  ........|---4 s---|
//	clock:   0.......2.........6.......9
//
// In a simulation the context's Deadline method reports no deadline. Code that compares a simulated
// deadline with the wall clock would fail at once.
func WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	sim := simulationOf(ctx)
	if sim == nil {
		return withWallTimeout(ctx, d)
	}
	n := &deadline{Context: ctx, sim: sim, done: make(chan struct{})}
	n.endWithParent()
	if d <= 0 {
		n.end(context.DeadlineExceeded)
	}
	// Users get a standard context around n. Package context knows its type, so that contexts
	// derived from it end with it without a goroutine, even through WithValue.
	std, cancel := context.WithCancel(n)
	user := deadlineContext{Context: std, d: n}
	n.userDone, n.dependents.ctx = std.Done(), user
	n.start(d)
	return user, func() {
		n.endWithParent()
		n.end(context.Canceled)
		n.settle()
		cancel()
	}
}

// deadlineContext is the context that WithTimeout returns in a simulation. Each method first checks
// whether the parent has ended, so that both contexts end at the same moment.
type deadlineContext struct {
	context.Context
	d *deadline
}

func (t deadlineContext) Done() <-chan struct{} {
	t.d.endWithParent()
	return t.d.userDone
}

func (t deadlineContext) Err() error {
	t.d.endWithParent()
	return t.Context.Err()
}

func (t deadlineContext) Value(key any) any {
	switch key.(type) {
	case deadlineKey:
		return t.d
	case simulationKey:
		return t.d.sim
	}
	return t.Context.Value(key)
}

// deadline is the simulated timeout behind a deadlineContext. It ends at its simulated time or with
// its parent. Any goroutine may read it, but only the simulation processes its end (see settle).
type deadline struct {
	context.Context // the parent
	sim             *simulation
	timer           timer
	userDone        <-chan struct{}  // Done channel of the context that users have
	dependents      source           // tasks and deadlines that end with this deadline
	parentSource    *source          // source that lists this deadline as dependent; nil: none
	place           place[*deadline] // position in parentSource.deadlines
	settled         bool             // the simulation has processed the end of this deadline
	pauseTimer      pauseTimer
	remaining       time.Duration // remaining time while paused; below 0: the timer was not running

	mu    sync.Mutex // guards the fields below
	done  chan struct{}
	err   error
	after func()
}

// start starts the timer and registers the deadline with its parent.
func (d *deadline) start(after time.Duration) {
	if d.Err() != nil {
		d.settled = true
		return
	}
	d.timer.fire = func() {
		d.endWithParent()
		d.end(context.DeadlineExceeded)
		d.settle()
	}
	d.sim.rearm(&d.timer, after)
	if d.parentSource = d.sim.source(d.Context); d.parentSource != nil {
		d.parentSource.deadlines.push(&d.place, d)
	}
}

func (d *deadline) Deadline() (time.Time, bool) { return time.Time{}, false }

func (d *deadline) Done() <-chan struct{} { return d.done }

func (d *deadline) Err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.err
}

// endWithParent ends d if its parent has ended.
func (d *deadline) endWithParent() {
	if d.Err() != nil {
		return
	}
	if err := d.Context.Err(); err != nil {
		d.end(err)
	}
}

// end marks d as ended for all readers. The simulation must call settle afterwards, at the latest
// when it polls d's parent.
func (d *deadline) end(err error) {
	d.mu.Lock()
	if d.err != nil {
		d.mu.Unlock()
		return
	}
	d.err = err
	after := d.after
	d.after = nil
	close(d.done)
	d.mu.Unlock()
	if after != nil {
		after()
	}
}

func (d *deadline) settle() {
	if d.settled {
		return
	}
	d.settled = true
	d.sim.disarm(&d.timer)
	d.place.leave()
	d.sim.dropIfUnused(d.parentSource)
	d.sim.end(&d.dependents)
}

// AfterFunc calls f when d ends. Package context calls AfterFunc instead of starting a goroutine.
// The only caller is the standard context that WithTimeout creates.
func (d *deadline) AfterFunc(f func()) (stop func() bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil {
		go f() // in a goroutine, because the caller holds a lock that f acquires
		return func() bool { return false }
	}
	d.after = f
	return func() bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		armed := d.after != nil
		d.after = nil
		return armed
	}
}

var _ pausable = (*deadline)(nil)

func (d *deadline) parent() context.Context { return d.Context }

func (d *deadline) paused() time.Duration { return d.pauseTimer.pausedUntil(d.sim.now()) }

// pause stops the timer and remembers the remaining time for resume.
func (d *deadline) pause() {
	if d.pauseTimer.hold(d.sim.now()) && d.sim.disarm(&d.timer) {
		d.remaining = d.timer.at - d.sim.elapsed
	} else if d.pauseTimer.holds == 1 {
		d.remaining = -1
	}
}

func (d *deadline) resume() {
	if d.pauseTimer.release(d.sim.now()) && d.remaining >= 0 && !d.settled {
		d.sim.rearm(&d.timer, d.remaining)
	}
}
