package clock

import (
	"context"
	"sync"
)

// Chan is a channel whose waits take place on the clock of the context that was passed to NewChan.
type Chan[T any] struct {
	sim    *simulation
	name   string
	size   int
	buf    []T
	closed bool
	recvs  queue[*pendingTransfer[T]]
	sends  queue[*pendingTransfer[T]]

	real    chan T        // channel on the wall clock; nil in a simulation
	closing chan struct{} // closed by Close to stop waiting senders before real is closed
	once    sync.Once
	inSend  sync.RWMutex // read-locked by senders, so that Close can wait for them
}

// pendingTransfer is a pending Send or Recv of one task, with the value to transfer.
type pendingTransfer[T any] struct {
	place place[*pendingTransfer[T]]
	t     *task
	v     T
	ok    bool
}

// NewChan returns a channel with a buffer for size values. name appears in deadlock reports.
func NewChan[T any](ctx context.Context, name string, size int) *Chan[T] {
	if sim := simulationOf(ctx); sim != nil {
		return &Chan[T]{sim: sim, name: name, size: size}
	}
	return &Chan[T]{real: make(chan T, size), closing: make(chan struct{})}
}

// Send waits until v is received or buffered. It returns ErrClosed if the channel is closed, or
// ctx's error if ctx ends first.
func (c *Chan[T]) Send(ctx context.Context, v T) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if c.sim != nil {
		return c.send(ctx, v)
	}
	c.inSend.RLock()
	defer c.inSend.RUnlock()
	select {
	case <-c.closing:
		return ErrClosed
	default:
	}
	select {
	case c.real <- v:
		return nil
	case <-c.closing:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Recv waits for a value. ok is false if the channel is closed and empty. A value that is already
// available is received even if ctx has ended.
func (c *Chan[T]) Recv(ctx context.Context) (v T, ok bool, err error) {
	if c.sim != nil {
		return c.recv(ctx)
	}
	select {
	case v, ok = <-c.real:
		return v, ok, nil
	default:
	}
	select {
	case v, ok = <-c.real:
		return v, ok, nil
	case <-ctx.Done():
		return v, false, ctx.Err()
	}
}

// Close closes the channel: Send fails from now on, and Recv still returns the buffered values.
func (c *Chan[T]) Close() {
	if c.sim == nil {
		c.once.Do(func() {
			close(c.closing)
			c.inSend.Lock() // waits for the last sender
			defer c.inSend.Unlock()
			close(c.real)
		})
		return
	}
	c.closed = true
	for !c.recvs.empty() {
		c.sim.wake(c.recvs.pop().t, nil)
	}
	for !c.sends.empty() {
		c.sim.wake(c.sends.pop().t, ErrClosed)
	}
}

func (c *Chan[T]) send(ctx context.Context, v T) error {
	if c.closed {
		return ErrClosed
	}
	if !c.recvs.empty() {
		r := c.recvs.pop()
		r.v, r.ok = v, true
		c.sim.wake(r.t, nil)
		return nil
	}
	if len(c.buf) < c.size {
		c.buf = append(c.buf, v)
		return nil
	}
	s := &pendingTransfer[T]{t: c.sim.current, v: v}
	c.sends.push(&s.place, s)
	err := c.sim.park(ctx, wait{how: "send to ", what: c.name})
	s.place.leave()
	if s.ok { // received, even if ctx ended at the same instant
		return nil
	}
	return err
}

func (c *Chan[T]) recv(ctx context.Context) (v T, ok bool, err error) {
	if len(c.buf) > 0 {
		return c.unbuffer(), true, nil
	}
	if !c.sends.empty() {
		return c.nextSend(), true, nil
	}
	if c.closed {
		return v, false, nil
	}
	if err := ctx.Err(); err != nil {
		return v, false, err
	}
	r := &pendingTransfer[T]{t: c.sim.current}
	c.recvs.push(&r.place, r)
	err = c.sim.park(ctx, wait{how: "receive from ", what: c.name})
	r.place.leave()
	if r.ok { // received, even if ctx ended at the same instant
		return r.v, true, nil
	}
	return v, false, err
}

// unbuffer returns the oldest buffered value. The value of a waiting sender takes the free slot.
func (c *Chan[T]) unbuffer() T {
	var none T
	v := c.buf[0]
	c.buf[0] = none // so that the garbage collector can free the value
	c.buf = c.buf[1:]
	if !c.sends.empty() {
		c.buf = append(c.buf, c.nextSend())
	}
	return v
}

func (c *Chan[T]) nextSend() T {
	s := c.sends.pop()
	s.ok = true
	c.sim.wake(s.t, nil)
	return s.v
}
