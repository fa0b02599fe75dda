package fault

import (
	"cmp"
	"net"
	"net/http"
	"time"

	"evalctl/mocks/random"
)

// Injected are the faults that strike a call: the zero Fault is none.
type Injected struct {
	Slow, Other Fault
	All         []Fault // both, in their order
}

// Select picks the faults that strike the nth call of a part, whose chances seed
// decides: the first that is not Slow, and the first that is.
func Select(list []Fault, part string, nth int, seed uint64) (struck Injected) {
	for i, f := range list {
		if f.Part != part || !f.Triggers(nth, random.Mix(seed, uint64(i)+100)) {
			continue
		}
		one := &struck.Other
		if f.Kind == Slow {
			one = &struck.Slow
		}
		if one.Kind == "" {
			*one = f
			struck.All = append(struck.All, f)
		}
	}
	return struck
}

// RetryAfter is how long the fault keeps a client off, 0 where it does not.
func (f Fault) RetryAfter() time.Duration {
	if f.Kind != RateLimited && f.Kind != RateLimitedBare {
		return 0
	}
	return cmp.Or(f.Delay, time.Second)
}

// DropConnection ends a connection as a crashed server would: with a TCP reset on a real one,
// else by the panic that net/http and transports in the process understand.
func DropConnection(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // fails only on a connection that is gone already
	}
	_ = conn.Close()
}
