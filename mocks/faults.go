package mocks

import (
	"evalctl/mocks/fault"
	"evalctl/mocks/model"
	"evalctl/mocks/random"
	"evalctl/mocks/wire"
)

// countAndSelectFaults assigns the request its number among the calls of its component, derives its
// seed, and selects the faults to inject.
func (c *call) countAndSelectFaults() {
	n := c.part.calls.Add(1)
	c.entry.Nth = int(n)
	c.place = c.state.place(c.ctx, c.part)
	c.seed = random.Mix(random.Mix(c.state.seed, c.part.seed), uint64(n))
	if c.place != (model.Place{}) {
		c.seed = c.place.Seed(c.state.seed, c.part.name)
		c.ID = c.seed
	}
	injected := fault.Select(c.state.faults, c.part.name, int(n), c.seed)
	c.slow, c.fault, c.RetryAfter = injected.Slow, injected.Other, injected.Other.RetryAfter()
	for _, f := range injected.All {
		c.entry.Fault = append(c.entry.Fault, f.String())
		if c.state.onFault != nil {
			c.state.onFault(c.ctx, c.part.name, f.Kind)
		}
	}
}

// applyFault handles faults that replace the whole answer, such as an error status, a timeout or a
// dropped connection. It reports whether the call is finished.
func (c *call) applyFault() bool {
	if reason, ok := wire.ReasonFor(c.fault.Kind); ok {
		if c.slow.Kind == fault.Slow && !c.sleep(c.slowDelay()) {
			return true
		}
		if c.fault.Kind == fault.RateLimited {
			c.w.Header().Set("Retry-After", wire.RetryAfter(c.RetryAfter))
		}
		c.refuse(reason, "")
		return true
	}
	switch c.fault.Kind {
	case fault.Timeout:
		c.record(0)
		c.hang()
	case fault.Reset:
		c.record(0)
		fault.DropConnection(c.w)
	default:
		return false
	}
	return true
}
