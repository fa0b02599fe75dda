package mocks

import (
	"net"
	"net/http"
	"time"
)

// count makes the request the component's next call and finds its faults.
func (c *call) count(component Component) {
	n := c.s.calls[component.index()].Add(1)
	c.ex.Component, c.ex.Nth = component, int(n)
	c.seed = mix(mix(c.s.seed, uint64(component.index())), uint64(n))
	for i, f := range c.s.faults {
		if f.Component != component || !f.hits(int(n), mix(c.seed, uint64(i)+100)) {
			continue
		}
		switch {
		case f.Kind == Slow && c.slow.Kind == "":
			c.slow = f
		case f.Kind != Slow && c.fault.Kind == "":
			c.fault = f
		default:
			continue
		}
		c.ex.Fault = append(c.ex.Fault, f.String())
	}
	if c.fault.Kind == RateLimited || c.fault.Kind == RateLimitedBare {
		c.Limited = time.Second
		if c.fault.Delay > 0 {
			c.Limited = c.fault.Delay
		}
	}
}

// failed plays the faults that need no answer of a model. It says true when
// the call is over.
func (c *call) failed() bool {
	if why, ok := reasonFor(c.fault.Kind); ok {
		if c.slow.Kind == Slow && !c.sleep(c.slowDelay()) {
			return true
		}
		if c.fault.Kind == RateLimited {
			c.w.Header().Set("Retry-After", seconds(c.Limited))
		}
		c.refuse(why, "")
		return true
	}
	switch c.fault.Kind {
	case Timeout:
		c.record(0)
		c.hang()
	case Reset:
		c.record(0)
		c.reset()
	default:
		return false
	}
	return true
}

// reasonFor is the refusal that a kind of fault stands for.
func reasonFor(k Kind) (reason, bool) {
	switch k {
	case RateLimited, RateLimitedBare:
		return rateLimited, true
	case ServerError:
		return broken, true
	case Overloaded:
		return overloaded, true
	case Auth:
		return badKey, true
	case NoBalance:
		return noBalance, true
	case ContentBlocked:
		return blocked, true
	}
	return 0, false
}

// reset drops the connection as a crashed server would: with a TCP reset on a
// real one, else by the panic that net/http and Transport understand.
func (c *call) reset() {
	conn, _, err := http.NewResponseController(c.w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // fails only on a connection that is gone already
	}
	_ = conn.Close()
}
