package limit

import (
	"errors"
	"sync"
)

// ErrBudget is why a call does not go out: its run has sent all that it may.
var ErrBudget = errors.New("the budget of calls is used up")

// budget counts the requests that go out.
type budget struct {
	mu      sync.Mutex
	sent    int64
	most    int64
	bounded bool
}

// Bound has at most so many requests go out from now on, those that are sent again
// included.
func (l *Limits) Bound(requests int64) {
	l.budget.mu.Lock()
	defer l.budget.mu.Unlock()
	l.budget.most, l.budget.bounded = l.budget.sent+requests, true
}

// Sent is how many requests have gone out.
func (l *Limits) Sent() int64 {
	l.budget.mu.Lock()
	defer l.budget.mu.Unlock()
	return l.budget.sent
}

func (b *budget) spend() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bounded && b.sent >= b.most {
		return ErrBudget
	}
	b.sent++
	return nil
}
