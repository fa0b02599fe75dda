package cache

import (
	"errors"
	"sync"
	"time"

	"evalctl/agent/llm"
)

// breaker is a circuit breaker: after a failure, no call is made for rest; then one call tests
// whether the server is back.
type breaker struct {
	cooldown     time.Duration
	probeTimeout time.Duration // maximal duration of the test call
	now          func() time.Time

	mu     sync.Mutex
	failed *llm.Error // last failure; nil: none
	until  time.Time
}

// refusal returns the last failure while the circuit is open, or nil if the caller may make a call.
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

// record records the result of a call.
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
