package mocks

import (
	"net"
	"net/http"
	"time"

	"evalctl/mocks/fault"
	"evalctl/mocks/random"
	"evalctl/mocks/wire"
)

// count makes the request its part's next call and finds its faults.
func (c *call) count() {
	n := c.part.calls.Add(1)
	c.ex.Nth = int(n)
	c.seed = random.Mix(random.Mix(c.s.seed, c.part.seed), uint64(n))
	for i, f := range c.s.faults {
		if f.Part != c.part.name || !f.Hits(int(n), random.Mix(c.seed, uint64(i)+100)) {
			continue
		}
		switch {
		case f.Kind == fault.Slow && c.slow.Kind == "":
			c.slow = f
		case f.Kind != fault.Slow && c.fault.Kind == "":
			c.fault = f
		default:
			continue
		}
		c.ex.Fault = append(c.ex.Fault, f.String())
		if c.s.struck != nil {
			c.s.struck(c.ctx, c.part.name, f.Kind)
		}
	}
	if c.fault.Kind == fault.RateLimited || c.fault.Kind == fault.RateLimitedBare {
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
		if c.slow.Kind == fault.Slow && !c.sleep(c.slowDelay()) {
			return true
		}
		if c.fault.Kind == fault.RateLimited {
			c.w.Header().Set("Retry-After", wire.RetryAfter(c.Limited))
		}
		c.refuse(why, "")
		return true
	}
	switch c.fault.Kind {
	case fault.Timeout:
		c.record(0)
		c.hang()
	case fault.Reset:
		c.record(0)
		c.reset()
	default:
		return false
	}
	return true
}

// reasonFor is the refusal that a kind of fault stands for.
func reasonFor(k fault.Kind) (wire.Reason, bool) {
	switch k {
	case fault.RateLimited, fault.RateLimitedBare:
		return wire.RateLimited, true
	case fault.ServerError:
		return wire.Broken, true
	case fault.Overloaded:
		return wire.Overloaded, true
	case fault.Auth:
		return wire.BadKey, true
	case fault.NoBalance:
		return wire.NoBalance, true
	case fault.ContentBlocked:
		return wire.Blocked, true
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
