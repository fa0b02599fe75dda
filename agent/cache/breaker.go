package cache

import (
	"errors"
	"sync"
	"time"

	"evalctl/agent/llm"
)

// breaker is a circuit breaker: after a failed call it rejects all calls during the cooldown. Then
// it lets one call through to test whether the server works again.
type breaker struct {
	cooldown     time.Duration
	probeTimeout time.Duration // maximum duration of the test call
	now          func() time.Time

	mu     sync.Mutex
	failed *llm.Error // error of the last call; nil: it succeeded
	until  time.Time
}

// refusal returns the last error while the circuit is open, or nil if the caller may make a call.
func (b *breaker) refusal() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failed == nil {
		return nil
	}
	if now := b.now(); !now.Before(b.until) {
		b.until = now.Add(b.cooldown + b.probeTimeout)
		return nil
	}
	again := *b.failed
	again.Message = "not asked, so soon after: " + again.Message
	return &again
}

// record opens the circuit after a failed call and closes it after a successful one.
func (b *breaker) record(err error) {
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
	b.failed, b.until = &e, b.now().Add(b.cooldown)
}
