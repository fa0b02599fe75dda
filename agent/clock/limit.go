package clock

import (
	"context"
	"sync"
	"time"
)

// wallDeadline is a wall-clock timeout that can be paused, unlike those of package context. Its
// AfterFunc method lets contexts derived from it end without a goroutine.
type wallDeadline struct {
	context.Context // the parent
	done            chan struct{}
	shift           any // the shift value of the parent, cached because it is read often

	mu         sync.Mutex // guards the fields below
	err        error
	after      func()
	at         time.Time     // end time, unless paused
	remaining  time.Duration // remaining time while paused
	timer      *time.Timer
	pauseTimer pauseTimer
}

// withWallTimeout implements WithTimeout on the wall clock.
func withWallTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	l := &wallDeadline{
		Context: ctx,
		done:    make(chan struct{}),
		shift:   ctx.Value(shiftKey{}),
		at:      time.Now().Add(d),
	}
	// Users get a standard context around l. Package context knows its type, so that contexts
	// derived from it end with it without a goroutine.
	std, cancel := context.WithCancel(l)
	user := wallDeadlineContext{Context: std, l: l}
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
		user.endWithParent()
		l.end(context.Canceled)
		cancel()
	}
}

// wallDeadlineContext is the context that withWallTimeout returns. Its methods first check whether
// the parent has ended, so that both contexts end at the same moment.
type wallDeadlineContext struct {
	context.Context
	l *wallDeadline
}

func (u wallDeadlineContext) endWithParent() {
	if u.Context.Err() == nil {
		if err := u.l.Context.Err(); err != nil {
			u.l.end(err)
		}
	}
}

func (u wallDeadlineContext) Err() error {
	u.endWithParent()
	return u.Context.Err()
}

func (u wallDeadlineContext) Value(key any) any {
	switch key.(type) {
	case deadlineKey:
		return u.l
	case shiftKey:
		return u.l.shift
	case simulationKey:
		return nil // a wallDeadlineContext never belongs to a simulation
	}
	return u.Context.Value(key)
}

func (l *wallDeadline) Done() <-chan struct{} { return l.done }

func (l *wallDeadline) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// Deadline returns the time at which l ends if it is not paused again. While l is paused, it
// returns the parent's deadline.
func (l *wallDeadline) Deadline() (time.Time, bool) {
	parent, ok := l.Context.Deadline()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pauseTimer.holds > 0 || ok && parent.Before(l.at) {
		return parent, ok
	}
	return l.at, true
}

// AfterFunc calls f when l ends. Package context calls AfterFunc instead of starting a goroutine.
// The only caller is the standard context that withWallTimeout creates.
func (l *wallDeadline) AfterFunc(f func()) (stop func() bool) {
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

// expire ends l when its timer fires. It does nothing if the timer fired at the moment of a pause.
func (l *wallDeadline) expire() {
	l.mu.Lock()
	early := l.pauseTimer.holds > 0 || time.Now().Before(l.at)
	l.mu.Unlock()
	if !early {
		l.end(context.DeadlineExceeded)
	}
}

func (l *wallDeadline) end(err error) {
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

var _ pausable = (*wallDeadline)(nil)

func (l *wallDeadline) parent() context.Context { return l.Context }

func (l *wallDeadline) paused() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.pauseTimer.pausedUntil(time.Now())
}

func (l *wallDeadline) pause() {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if l.pauseTimer.hold(now) && l.timer != nil {
		l.timer.Stop()
		l.remaining = l.at.Sub(now)
	}
}

func (l *wallDeadline) resume() {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if l.pauseTimer.release(now) && l.timer != nil && l.err == nil {
		l.at = now.Add(l.remaining)
		l.timer.Reset(max(l.remaining, 0))
	}
}
