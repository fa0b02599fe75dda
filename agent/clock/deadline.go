package clock

import (
	"context"
	"slices"
	"time"
)

// WithTimeout returns a context that ends after d with DeadlineExceeded. In a
// simulation its Deadline method reports none: code that compares deadlines
// with the wall clock would give up at once.
func WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	w := worldOf(ctx)
	if w == nil {
		return context.WithTimeout(ctx, d)
	}
	n := &deadline{Context: ctx, w: w, done: make(chan struct{})}
	w.deadlines = append(w.deadlines, n)
	if d <= 0 {
		n.fire(context.DeadlineExceeded)
	} else {
		n.timer = w.arm(d, func() { n.fire(context.DeadlineExceeded) })
	}
	// The standard context between n and its users makes that their children
	// find a parent they know, also behind a WithValue, and need no goroutine.
	user, cancel := context.WithCancel(n)
	return user, func() {
		n.fire(context.Canceled)
		cancel()
	}
}

// deadline ends at a simulated time, or with its parent. It has AfterFunc, by
// which the standard library's contexts follow it without a goroutine.
type deadline struct {
	context.Context // the parent
	w               *world
	timer           *timer
	done            chan struct{}
	err             error
	after           []*func()
}

func (d *deadline) Deadline() (time.Time, bool) { return time.Time{}, false }

func (d *deadline) Done() <-chan struct{} {
	d.follow()
	return d.done
}

func (d *deadline) Err() error {
	d.follow()
	return d.err
}

// follow ends d where its parent has ended meanwhile.
func (d *deadline) follow() {
	if d.err == nil {
		if err := d.Context.Err(); err != nil {
			d.fire(err)
		}
	}
}

func (d *deadline) fire(err error) {
	if d.err != nil {
		return
	}
	d.err = err
	d.w.disarm(d.timer)
	i := slices.Index(d.w.deadlines, d)
	d.w.deadlines = slices.Delete(d.w.deadlines, i, i+1)
	close(d.done)
	for _, f := range d.after {
		(*f)()
	}
	d.after = nil
}

// AfterFunc calls f when d ends, as the context package asks of its parents.
func (d *deadline) AfterFunc(f func()) (stop func() bool) {
	if d.Err() != nil {
		f()
		return func() bool { return false }
	}
	d.after = append(d.after, &f)
	return func() bool {
		i := slices.Index(d.after, &f)
		if i < 0 {
			return false
		}
		d.after = slices.Delete(d.after, i, i+1)
		return true
	}
}
