package scholar

import (
	"context"
	"sync"

	"evalctl/agent/clock"
)

// sharedSlots limits the concurrent calls of all turns of an agent together. It is safe for
// concurrent use.
type sharedSlots struct {
	limit int // maximum number of calls; 0: no limit

	mu        sync.Mutex
	turns     int              // turns that are running
	semaphore *clock.Semaphore // nil while no turn is running, because it belongs to the clock of the turns
}

// begin returns the semaphore for the calls of a turn, which are at most perTurn. The turn calls
// end when it has finished.
func (s *sharedSlots) begin(ctx context.Context, perTurn int) (slots *clock.Semaphore, end func()) {
	slots = clock.NewSemaphore(ctx, "model calls", perTurn)
	if s.limit == 0 {
		return slots, func() {}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turns++; s.semaphore == nil {
		s.semaphore = clock.NewSemaphore(ctx, "model calls of all turns", s.limit)
	}
	return slots.WithShared(s.semaphore), s.end
}

func (s *sharedSlots) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turns--; s.turns == 0 {
		s.semaphore = nil
	}
}
