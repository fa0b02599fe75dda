package clock

import (
	"context"
	"sync"
	"time"
)

// limit is a wall-clock deadline that can be paused, unlike those of package context. With
// AfterFunc, contexts of the standard library follow it without a goroutine.
type limit struct {
	context.Context // the parent
	done            chan struct{}
	shift           any // offset of the clock, cached because it is read often

	mu    sync.Mutex // guards the fields below
	err   error
	after func()
	at    time.Time     // end time, unless paused
	left  time.Duration // remaining time while paused
	timer *time.Timer
	stand stand
}

// withLimit is WithTimeout on the wall clock.
func withLimit(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	l := &limit{Context: ctx, done: make(chan struct{}), shift: ctx.Value(shiftKey{}), at: time.Now().Add(d)}
	// The standard context between l and its users makes l a known parent for the children, also
	// through a WithValue.
	std, cancel := context.WithCancel(l)
	user := limited{Context: std, l: l}
	switch err := ctx.Err(); {
	case err != nil:
		l.end(err)
	case d <= 0:
		l.end(context.DeadlineExceeded)
	default:
		l.mu.Lock()
		l.timer = time.AfterFunc(d, l.expire)
		l.mu.Unlock()
	}
	unfollow := context.AfterFunc(ctx, func() { l.end(ctx.Err()) })
	return user, func() {
		unfollow()
		user.follow()
		l.end(context.Canceled)
		cancel()
	}
}

// limited is the context that users of a limit receive. It ends at the same moment as its parent.
type limited struct {
	context.Context
	l *limit
}

func (u limited) follow() {
	if u.Context.Err() == nil {
		if err := u.l.Context.Err(); err != nil {
			u.l.end(err)
		}
	}
}

func (u limited) Err() error {
	u.follow()
	return u.Context.Err()
}

func (u limited) Value(key any) any {
	switch key.(type) {
	case deadlineKey:
		return u.l
	case shiftKey:
		return u.l.shift
	case simulationKey:
		return nil // otherwise this would not be a wall-clock deadline
	}
	return u.Context.Value(key)
}

func (l *limit) Done() <-chan struct{} { return l.done }

func (l *limit) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// Deadline returns the end time if l is not paused again. While l is paused, only a parent's
// deadline counts.
func (l *limit) Deadline() (time.Time, bool) {
	parent, ok := l.Context.Deadline()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stand.holds > 0 || ok && parent.Before(l.at) {
		return parent, ok
	}
	return l.at, true
}

// AfterFunc calls f when l ends. The context package uses it for parents. Only the standard context
// created by withLimit calls it.
func (l *limit) AfterFunc(f func()) (stop func() bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.after = f
	return func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		armed := l.after != nil
		l.after = nil
		return armed
	}
}

// expire ends l, unless the timer fired just as l was paused.
func (l *limit) expire() {
	l.mu.Lock()
	early := l.stand.holds > 0 || time.Now().Before(l.at)
	l.mu.Unlock()
	if !early {
		l.end(context.DeadlineExceeded)
	}
}

func (l *limit) end(err error) {
	l.mu.Lock()
	if l.err != nil {
		l.mu.Unlock()
		return
	}
	l.err = err
	after := l.after
	l.after = nil
	if l.timer != nil {
		l.timer.Stop()
	}
	close(l.done)
	l.mu.Unlock()
	if after != nil {
		after()
	}
}

var _ pausable = (*limit)(nil)

func (l *limit) above() context.Context { return l.Context }

func (l *limit) paused() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stand.until(time.Now())
}

func (l *limit) pause() {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if l.stand.hold(now) && l.timer != nil {
		l.timer.Stop()
		l.left = l.at.Sub(now)
	}
}

func (l *limit) resume() {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if l.stand.release(now) && l.timer != nil && l.err == nil {
		l.at = now.Add(l.left)
		l.timer.Reset(max(l.left, 0))
	}
}
