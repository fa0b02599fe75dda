package fault

import (
	"cmp"
	"net"
	"net/http"
	"time"

	"evalctl/mocks/random"
)

// Injected are the faults to inject into one call: at most one delay (Slow) and one other. A zero
// Fault means none.
type Injected struct {
	Slow, AnswerFault Fault   // Slow delays the call, Other replaces or changes the answer
	All               []Fault // both, in the configured order
}

// Select returns the faults to inject into the nth call of a component: the first Slow one and the
// first other one that the call triggers. seed determines the random draws.
func Select(list []Fault, part string, nth int, seed uint64) (injected Injected) {
	for i, f := range list {
		if f.Component != part || !f.Triggers(nth, random.Mix(seed, uint64(i)+100)) {
			continue
		}
		slot := &injected.AnswerFault
		if f.Kind == Slow {
			slot = &injected.Slow
		}
		if slot.Kind == "" {
			*slot = f
			injected.All = append(injected.All, f)
		}
	}
	return injected
}

// RetryAfter returns the delay after which a rate-limited client may retry; 0: the fault is not a
// rate limit.
func (f Fault) RetryAfter() time.Duration {
	if f.Kind != RateLimited && f.Kind != RateLimitedNoRetryAfter {
		return 0
	}
	return cmp.Or(f.Delay, time.Second)
}

// DropConnection closes a connection as a crashed server would: with a TCP reset. If the connection
// is in process, it panics with http.ErrAbortHandler.
func DropConnection(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // fails only if the connection is already closed
	}
	_ = conn.Close()
}
