package limit

import (
	"errors"
	"sync"
)

// ErrBudget is why a call does not go out: its run has sent all that it may.
var ErrBudget = errors.New("the budget of calls is used up")

// budget counts the requests that go out.
type budget struct {
	mu    sync.Mutex
	sent  int64
	most  int64
	spent func() // nil: there is no bound
}

// Bound has at most so many requests go out from now on, those that are sent again
// included. spent is called for the first that would be one more, before it fails.
func (l *Limits) Bound(requests int64, spent func()) {
	l.budget.mu.Lock()
	defer l.budget.mu.Unlock()
	l.budget.most, l.budget.spent = l.budget.sent+requests, spent
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
	if b.spent != nil && b.sent >= b.most {
		b.spent()
		return ErrBudget
	}
	b.sent++
	return nil
}
