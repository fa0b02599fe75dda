package clock

import (
	"context"
	"runtime/debug"
	"sync"
)

// Group runs functions concurrently, like errgroup.Group. The first error or panic cancels the
// context of the other functions and is returned by Wait.
type Group struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	slots  *Semaphore // nil: no limit

	mu      sync.Mutex // guards the fields below; never held during a wait
	running int
	err     error
	idle    *Chan[struct{}] // closed when the last function ends; nil: nobody waits for that
}

// NewGroup returns a group that runs at most limit functions at a time (0: no limit), and the
// context of its functions. That context is canceled at the first error and at the end of Wait.
func NewGroup(ctx context.Context, limit int) (*Group, context.Context) {
	ctx, cancel := context.WithCancelCause(ctx)
	g := &Group{ctx: ctx, cancel: cancel}
	if limit > 0 {
		g.slots = NewSemaphore(ctx, "a slot of the group", limit)
	}
	return g, ctx
}

// Go runs f in a new goroutine, and waits first while the limit of the group is reached. If the
// group's context ends during that wait, f is not started.
func (g *Group) Go(name string, f func(ctx context.Context) error) {
	if g.slots != nil {
		if err := g.slots.Acquire(g.ctx); err != nil {
			g.fail(err)
			return
		}
	}
	g.mu.Lock()
	g.running++
	g.mu.Unlock()
	Go(g.ctx, name, func(ctx context.Context) {
		defer g.finish()
		if err := CatchPanic(name, func() error { return f(ctx) }); err != nil {
			g.fail(err)
		}
	})
}

// Wait waits until all functions have ended and returns the first error.
func (g *Group) Wait() error {
	if idle := g.idleChan(); idle != nil {
		if _, _, err := idle.Recv(WithoutCancel(g.ctx)); err != nil {
			g.fail(err)
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.cancel(g.err)
	return g.err
}

// idleChan returns a channel that is closed when the last function ends, or nil if none is running.
func (g *Group) idleChan() *Chan[struct{}] {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.running > 0 && g.idle == nil {
		g.idle = NewChan[struct{}](g.ctx, "the group's end", 0)
	}
	return g.idle
}

func (g *Group) fail(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.err == nil {
		g.err = err
		g.cancel(err)
	}
}

func (g *Group) finish() {
	if g.slots != nil {
		g.slots.Release()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.running--; g.running == 0 && g.idle != nil {
		g.idle.Close()
		g.idle = nil
	}
}

// CatchPanic calls f and returns a panic of f as a *PanicError with this name.
func CatchPanic(name string, f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Name: name, Value: v, Stack: debug.Stack()}
		}
	}()
	return f()
}
