package cache

import (
	"errors"
	"sync"
	"time"

	"evalctl/agent/llm"
)

// breaker leaves a server alone that failed: for its rest nobody asks it, then one
// tries whether it is back.
type breaker struct {
	rest  time.Duration
	trial time.Duration // the longest that one tries
	now   func() time.Time

	mu     sync.Mutex
	failed *llm.Error // the last failure; nil: it works
	until  time.Time
}

// refusal is the failure for which nobody asks now, nil where the caller may.
func (b *breaker) refusal() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failed == nil {
		return nil
	}
	if now := b.now(); !now.Before(b.until) {
		b.until = now.Add(b.rest + b.trial)
		return nil
	}
	again := *b.failed
	again.Message = "not asked, so soon after: " + again.Message
	return &again
}

// note has the breaker know how a call ended.
func (b *breaker) note(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var failed *llm.Error
	if !errors.As(err, &failed) {
		b.failed = nil
		return
	}
	e := *failed
	if e.Message == "" && e.Err != nil {
		e.Message = e.Err.Error()
	}
	b.failed, b.until = &e, b.now().Add(b.rest)
}
