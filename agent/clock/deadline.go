package clock

import (
	"context"
	"sync"
	"time"
)

// WithTimeout returns a context that ends after d with DeadlineExceeded, not counting
// the time for which Pause has it stand still. In a simulation its Deadline method
// reports none: code that compares deadlines with the wall clock would give up at once.
func WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	sim := simulationOf(ctx)
	if sim == nil {
		return withLimit(ctx, d)
	}
	n := &deadline{Context: ctx, sim: sim, done: make(chan struct{})}
	n.follow()
	if d <= 0 {
		n.end(context.DeadlineExceeded)
	}
	// The standard context between n and its users makes that their children
	// find a parent they know, also behind a WithValue, and need no goroutine.
	std, cancel := context.WithCancel(n)
	user := timed{Context: std, d: n}
	n.ends, n.own.ctx = std.Done(), user
	n.start(d)
	return user, func() {
		n.follow()
		n.end(context.Canceled)
		n.settle()
		cancel()
	}
}

// timed is what the users of a deadline see. It ends in the very moment in
// which its parent does, where n alone would have to be polled.
type timed struct {
	context.Context
	d *deadline
}

func (t timed) Done() <-chan struct{} {
	t.d.follow()
	return t.d.ends
}

func (t timed) Err() error {
	t.d.follow()
	return t.Context.Err()
}

func (t timed) Value(key any) any {
	switch key.(type) {
	case deadlineKey:
		return t.d
	case simulationKey:
		return t.d.sim
	}
	return t.Context.Value(key)
}

// deadline ends at a simulated time, or with its parent. It has AfterFunc, by
// which the standard library's contexts follow it without a goroutine. Any
// goroutine may look at it; the simulation alone settles it.
type deadline struct {
	context.Context // the parent
	sim             *simulation
	timer           timer
	ends            <-chan struct{}  // the users' Done
	own             source           // who depends on it
	follows         *source          // on which it depends
	place           place[*deadline] // there
	settled         bool             // the simulation knows that it has ended
	stand           stand
	left            time.Duration // of the timer, when it stands still; below 0: none runs

	mu    sync.Mutex // guards the rest
	done  chan struct{}
	err   error
	after func()
}

// start arms the timer and begins to follow the parent.
func (d *deadline) start(after time.Duration) {
	if d.Err() != nil {
		d.settled = true
		return
	}
	d.timer.fire = func() {
		d.follow()
		d.end(context.DeadlineExceeded)
		d.settle()
	}
	d.sim.rearm(&d.timer, after)
	if d.follows = d.sim.source(d.Context); d.follows != nil {
		d.follows.deadlines.push(&d.place, d)
	}
}

func (d *deadline) Deadline() (time.Time, bool) { return time.Time{}, false }

func (d *deadline) Done() <-chan struct{} { return d.done }

func (d *deadline) Err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.err
}

// follow ends d where its parent has ended meanwhile.
func (d *deadline) follow() {
	if d.Err() != nil {
		return
	}
	if err := d.Context.Err(); err != nil {
		d.end(err)
	}
}

// end makes that everybody sees d ended; settle must follow in the simulation,
// at the latest when it polls d's parent.
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
	d.sim.forget(d.follows)
	d.sim.end(&d.own)
}

// AfterFunc calls f when d ends, as the context package asks of its parents.
// Only the one standard context on top of d ever calls it.
func (d *deadline) AfterFunc(f func()) (stop func() bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil {
		go f() // the caller holds a lock that f takes
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

func (d *deadline) above() context.Context { return d.Context }

func (d *deadline) paused() time.Duration { return d.stand.until(d.sim.now()) }

// pause keeps what is left in the timer, which is armed again when it goes on.
func (d *deadline) pause() {
	if d.stand.hold(d.sim.now()) && d.sim.disarm(&d.timer) {
		d.left = d.timer.at - d.sim.elapsed
	} else if d.stand.holds == 1 {
		d.left = -1
	}
}

func (d *deadline) resume() {
	if d.stand.release(d.sim.now()) && d.left >= 0 && !d.settled {
		d.sim.rearm(&d.timer, d.left)
	}
}
