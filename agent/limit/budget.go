package limit

import (
	"errors"
	"sync"
)

// ErrRequestBudget is why a call does not go out: its run has sent all that it may.
var ErrRequestBudget = errors.New("the budget of calls is used up")

// budget counts the requests that go out.
type budget struct {
	mu      sync.Mutex
	sent    int64
	most    int64
	bounded bool
}

// SetRequestBudget has at most so many requests go out from now on, those that are sent again
// included.
func (l *RateLimits) SetRequestBudget(requests int64) {
	l.budget.mu.Lock()
	defer l.budget.mu.Unlock()
	l.budget.most, l.budget.bounded = l.budget.sent+requests, true
}

// RequestsSent is how many requests have gone out.
func (l *RateLimits) RequestsSent() int64 {
	l.budget.mu.Lock()
	defer l.budget.mu.Unlock()
	return l.budget.sent
}

func (b *budget) spend() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bounded && b.sent >= b.most {
		return ErrRequestBudget
	}
	b.sent++
	return nil
}
