package clock

import (
	"context"
	"sync"
)

// Chan is a channel on the clock. It belongs to the simulation, or to the
// wall clock, of the context it was made with.
type Chan[T any] struct {
	w      *world
	name   string
	size   int
	buf    []T
	closed bool
	recvs  []*exchange[T]
	sends  []*exchange[T]

	real chan T // on the wall clock
	over chan struct{}
	once sync.Once
}

// exchange is a value on its way between two tasks.
type exchange[T any] struct {
	t  *task
	v  T
	ok bool
}

// NewChan makes a channel that buffers size values; name says in a deadlock
// what it is for.
func NewChan[T any](ctx context.Context, name string, size int) *Chan[T] {
	if w := worldOf(ctx); w != nil {
		return &Chan[T]{w: w, name: name, size: size}
	}
	return &Chan[T]{real: make(chan T, size), over: make(chan struct{})}
}

// Send waits until v is taken or buffered. It fails with ErrClosed after
// Close, and with ctx's error.
func (c *Chan[T]) Send(ctx context.Context, v T) error {
	if c.w != nil {
		return c.send(ctx, v)
	}
	select {
	case <-c.over:
		return ErrClosed
	default:
	}
	select {
	case c.real <- v:
		return nil
	case <-c.over:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Recv waits for a value; ok is false once the channel is closed and drained.
func (c *Chan[T]) Recv(ctx context.Context) (v T, ok bool, err error) {
	if c.w != nil {
		return c.recv(ctx)
	}
	select {
	case v = <-c.real:
		return v, true, nil
	default:
	}
	select {
	case v = <-c.real:
		return v, true, nil
	case <-c.over:
		return c.drain()
	case <-ctx.Done():
		return v, false, ctx.Err()
	}
}

func (c *Chan[T]) drain() (v T, ok bool, err error) {
	select {
	case v = <-c.real:
		return v, true, nil
	default:
		return v, false, nil
	}
}

// Close ends the channel for senders; what is buffered can still be received.
func (c *Chan[T]) Close() {
	if c.w == nil {
		c.once.Do(func() { close(c.over) })
		return
	}
	c.closed = true
	for _, r := range c.recvs {
		c.w.wake(r.t, nil)
	}
	for _, s := range c.sends {
		c.w.wake(s.t, ErrClosed)
	}
	c.recvs, c.sends = nil, nil
}

func (c *Chan[T]) send(ctx context.Context, v T) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if c.closed {
		return ErrClosed
	}
	if len(c.recvs) > 0 {
		r := c.recvs[0]
		c.recvs = c.recvs[1:]
		r.v, r.ok = v, true
		c.w.wake(r.t, nil)
		return nil
	}
	if len(c.buf) < c.size {
		c.buf = append(c.buf, v)
		return nil
	}
	s := &exchange[T]{t: c.w.current, v: v}
	c.sends = append(c.sends, s)
	err := c.w.park(ctx, "send to "+c.name)
	c.sends = without(c.sends, s)
	if s.ok { // taken, even where an end came at the same instant
		return nil
	}
	return err
}

func (c *Chan[T]) recv(ctx context.Context) (v T, ok bool, err error) {
	if len(c.buf) > 0 {
		v, c.buf = c.buf[0], c.buf[1:]
		if s := c.nextSend(); s != nil {
			c.buf = append(c.buf, s.v)
		}
		return v, true, nil
	}
	if s := c.nextSend(); s != nil {
		return s.v, true, nil
	}
	if c.closed {
		return v, false, nil
	}
	if err := ctx.Err(); err != nil {
		return v, false, err
	}
	r := &exchange[T]{t: c.w.current}
	c.recvs = append(c.recvs, r)
	err = c.w.park(ctx, "receive from "+c.name)
	c.recvs = without(c.recvs, r)
	if r.ok { // handed over, even where an end came at the same instant
		return r.v, true, nil
	}
	return v, false, err
}

func (c *Chan[T]) nextSend() *exchange[T] {
	if len(c.sends) == 0 {
		return nil
	}
	s := c.sends[0]
	c.sends = c.sends[1:]
	s.ok = true
	c.w.wake(s.t, nil)
	return s
}

func without[T any](list []*exchange[T], x *exchange[T]) []*exchange[T] {
	for i, e := range list {
		if e == x {
			return append(list[:i:i], list[i+1:]...)
		}
	}
	return list
}
