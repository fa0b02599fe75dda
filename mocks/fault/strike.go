package fault

import (
	"net"
	"net/http"

	"evalctl/mocks/random"
)

// Strike picks the faults that strike the nth call of a part, whose chances seed
// decides: the first that is not Slow, and the first that is.
func Strike(list []Fault, part string, nth int, seed uint64) (struck []Fault) {
	var slow, other bool
	for i, f := range list {
		if f.Part != part || !f.Hits(nth, random.Mix(seed, uint64(i)+100)) {
			continue
		}
		seen := &other
		if f.Kind == Slow {
			seen = &slow
		}
		if !*seen {
			*seen = true
			struck = append(struck, f)
		}
	}
	return struck
}

// Drop ends a connection as a crashed server would: with a TCP reset on a real one,
// else by the panic that net/http and transports in the process understand.
func Drop(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // fails only on a connection that is gone already
	}
	_ = conn.Close()
}
