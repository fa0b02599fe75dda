package clock

import "context"

// Semaphore lets at most n hold it at once; who waits is served in order.
type Semaphore struct{ slots *Chan[struct{}] }

// NewSemaphore makes a semaphore of n slots.
func NewSemaphore(ctx context.Context, name string, n int) *Semaphore {
	return &Semaphore{slots: NewChan[struct{}](ctx, name, n)}
}

// Acquire waits for a slot or for the end of ctx.
func (s *Semaphore) Acquire(ctx context.Context) error {
	return s.slots.Send(ctx, struct{}{})
}

// Release gives a slot back. Who holds none must not call it: it would wait.
func (s *Semaphore) Release() {
	// A held slot lies in the buffer, so this receive never waits.
	_, _, _ = s.slots.Recv(context.Background())
}
