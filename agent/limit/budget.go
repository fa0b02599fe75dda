package limit

import (
	"errors"
	"sync"
)

// ErrRequestBudget is returned for a call after its run has used its budget of requests.
var ErrRequestBudget = errors.New("the budget of calls is used up")

// budget counts sent requests.
type budget struct {
	mu      sync.Mutex
	sent    int64
	most    int64
	bounded bool
}

// SetRequestBudget allows at most this number of requests from now on, including retries.
func (l *RateLimits) SetRequestBudget(requests int64) {
	l.budget.mu.Lock()
	defer l.budget.mu.Unlock()
	l.budget.most, l.budget.bounded = l.budget.sent+requests, true
}

// RequestsSent returns the number of sent requests.
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
