package clock

import "context"

// Semaphore has n slots. Waiting tasks acquire them in order of arrival.
type Semaphore struct{ slots *Chan[struct{}] }

// NewSemaphore returns a semaphore with n slots.
func NewSemaphore(ctx context.Context, name string, n int) *Semaphore {
	return &Semaphore{slots: NewChan[struct{}](ctx, name, n)}
}

// Acquire waits for a slot or for the end of ctx.
func (s *Semaphore) Acquire(ctx context.Context) error {
	return s.slots.Send(ctx, struct{}{})
}

// Release returns a slot. It blocks if no slot is held.
func (s *Semaphore) Release() {
	// A held slot is in the buffer, so this receive never waits.
	_, _, _ = s.slots.Recv(context.Background())
}
