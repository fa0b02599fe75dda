package mocks

import (
	"time"

	"evalctl/mocks/fault"
	"evalctl/mocks/wire"
)

// sampleLatency returns the simulated time until the first token and between chunks, including the
// delay of an injected slow fault.
func (c *call) sampleLatency() (first, chunkDelay time.Duration) {
	first, chunkDelay = c.component.latency.Sample(c.seed)
	switch {
	case c.slow.Kind == "":
	case c.slow.Delay > 0:
		first += c.slow.Delay
	case first == 0 && chunkDelay == 0:
		first = fault.DefaultSlowDelay
	default:
		first, chunkDelay = 10*first, 10*chunkDelay
	}
	return first, chunkDelay
}

// slowDelay returns how long an error response is delayed when a slow fault is injected in the same
// call.
func (c *call) slowDelay() time.Duration {
	first, _ := c.sampleLatency()
	return first
}

// waitFirstToken waits d before the first token is sent. DeepSeek sends the status 200 at once and
// keep-alive lines while the client waits; headersSent reports whether this happened. ok is false
// if the client has disconnected.
func (c *call) waitFirstToken(d time.Duration, contentType, keepAlive string) (headersSent, ok bool) {
	n := c.component.latency.KeepAliveLines
	if n == 0 || c.Route.Dialect != wire.DeepSeek {
		return false, c.sleep(d)
	}
	c.writeHeader(200, contentType)
	c.flush()
	step := d / time.Duration(n+1)
	for range n {
		if !c.sleep(step) || !c.write([]byte(keepAlive)) {
			return true, false
		}
		c.flush()
	}
	return true, c.sleep(d - step*time.Duration(n))
}
