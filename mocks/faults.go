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
	n := c.component.calls.Add(1)
	c.entry.CallNumber = int(n)
	c.position = c.state.positionOf(c.ctx, c.component)
	c.seed = random.Mix(random.Mix(c.state.seed, c.component.seed), uint64(n))
	if c.position != (model.CallPosition{}) {
		c.seed = c.position.Seed(c.state.seed, c.component.name)
		c.IDSeed = c.seed
	}
	injected := fault.Select(c.state.faults, c.component.name, int(n), c.seed)
	c.slow, c.fault, c.RetryAfter = injected.Slow, injected.AnswerFault, injected.AnswerFault.RetryAfter()
	for _, f := range injected.All {
		c.entry.Faults = append(c.entry.Faults, f.String())
		if c.state.onFault != nil {
			c.state.onFault(c.ctx, c.component.name, f.Kind)
		}
	}
}

// applyFault handles faults that replace the whole answer, such as an error status, a timeout or a
// dropped connection. It reports whether the call is finished.
func (c *call) applyFault() bool {
	if reason, ok := wire.ReasonForFault(c.fault.Kind); ok {
		if c.slow.Kind == fault.Slow && !c.sleep(c.slowDelay()) {
			return true
		}
		if c.fault.Kind == fault.RateLimited {
			c.w.Header().Set("Retry-After", wire.FormatRetryAfter(c.RetryAfter))
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
