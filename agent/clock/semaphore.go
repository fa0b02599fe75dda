package clock

import "context"

// Semaphore limits concurrency to n slots. Waiting tasks get them in the order of their calls.
type Semaphore struct{ slots *Chan[struct{}] }

// NewSemaphore returns a semaphore with n free slots. name describes it in deadlock reports.
func NewSemaphore(ctx context.Context, name string, n int) *Semaphore {
	return &Semaphore{slots: NewChan[struct{}](ctx, name, n)}
}

// Acquire waits for a slot. It returns ctx's error if ctx ends first.
func (s *Semaphore) Acquire(ctx context.Context) error {
	return s.slots.Send(ctx, struct{}{})
}

// Release frees a slot that Acquire has returned. Without an acquired slot it blocks.
func (s *Semaphore) Release() {
	// An acquired slot is a value in the buffer, so this receive never waits.
	_, _, _ = s.slots.Recv(context.Background())
}
