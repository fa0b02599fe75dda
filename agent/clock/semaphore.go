package clock

import "context"

// Semaphore limits concurrency to n slots. Waiting tasks get them in the order of their calls.
type Semaphore struct {
	slots  *Chan[struct{}]
	shared *Semaphore // each slot also takes one of this semaphore; nil: none
}

// NewSemaphore returns a semaphore with n free slots. name describes it in deadlock reports.
func NewSemaphore(ctx context.Context, name string, n int) *Semaphore {
	return &Semaphore{slots: NewChan[struct{}](ctx, name, n)}
}

// WithShared returns a semaphore whose slots are also slots of shared, which other semaphores may
// share.
func (s *Semaphore) WithShared(shared *Semaphore) *Semaphore {
	return &Semaphore{slots: s.slots, shared: shared}
}

// Acquire waits for a slot. It returns ctx's error if ctx ends first.
func (s *Semaphore) Acquire(ctx context.Context) error {
	err := s.slots.Send(ctx, struct{}{})
	if err != nil || s.shared == nil {
		return err
	}
	if err = s.shared.Acquire(ctx); err != nil {
		s.releaseOwn()
	}
	return err
}

// Release frees a slot that Acquire has returned. Without an acquired slot it blocks.
func (s *Semaphore) Release() {
	if s.shared != nil {
		s.shared.Release()
	}
	s.releaseOwn()
}

func (s *Semaphore) releaseOwn() {
	// An acquired slot is a value in the buffer, so this receive never waits.
	_, _, _ = s.slots.Recv(context.Background())
}
