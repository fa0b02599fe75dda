package mocks

import (
	"evalctl/mocks/fault"
	"evalctl/mocks/model"
	"evalctl/mocks/random"
	"evalctl/mocks/wire"
)

// count makes the request its part's next call and finds its faults.
func (c *call) count() {
	n := c.part.calls.Add(1)
	c.ex.Nth = int(n)
	c.place = c.s.place(c.ctx, c.part)
	c.seed = random.Mix(random.Mix(c.s.seed, c.part.seed), uint64(n))
	if c.place != (model.Place{}) {
		c.seed = c.place.Seed(c.s.seed, c.part.name)
		c.ID = c.seed
	}
	struck := fault.Select(c.s.faults, c.part.name, int(n), c.seed)
	c.slow, c.fault, c.Limited = struck.Slow, struck.Other, struck.Other.RetryAfter()
	for _, f := range struck.All {
		c.ex.Fault = append(c.ex.Fault, f.String())
		if c.s.struck != nil {
			c.s.struck(c.ctx, c.part.name, f.Kind)
		}
	}
}

// failed plays the faults that need no answer of a model. It says true when
// the call is over.
func (c *call) failed() bool {
	if why, ok := wire.ReasonFor(c.fault.Kind); ok {
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
		fault.DropConnection(c.w)
	default:
		return false
	}
	return true
}
