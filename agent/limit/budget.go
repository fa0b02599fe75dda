package limit

import (
	"errors"
	"sync"
)

// ErrRequestBudget is returned for a request after the run has sent as many as its budget allows.
var ErrRequestBudget = errors.New("the budget of calls is used up")

// budget counts the requests that a run sends, and limits them.
type budget struct {
	mu        sync.Mutex
	sent      int64
	max       int64
	isLimited bool
}

// SetRequestBudget limits the requests sent from now on, including retries.
func (l *Limiter) SetRequestBudget(requests int64) {
	l.budget.mu.Lock()
	defer l.budget.mu.Unlock()
	l.budget.max, l.budget.isLimited = l.budget.sent+requests, true
}

// RequestsSent returns the number of requests sent so far, including retries.
func (l *Limiter) RequestsSent() int64 {
	l.budget.mu.Lock()
	defer l.budget.mu.Unlock()
	return l.budget.sent
}

func (b *budget) spend() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.isLimited && b.sent >= b.max {
		return ErrRequestBudget
	}
	b.sent++
	return nil
}
