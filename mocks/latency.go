package mocks

import (
	"time"

	"evalctl/mocks/fault"
	"evalctl/mocks/wire"
)

// sampleLatency returns the latency of this call, including an injected delay.
func (c *call) sampleLatency() (first, chunkDelay time.Duration) {
	first, chunkDelay = c.part.latency.Sample(c.seed)
	switch {
	case c.slow.Kind == "":
	case c.slow.Delay > 0:
		first += c.slow.Delay
	case first == 0 && chunkDelay == 0:
		first = fault.SlowWithoutLatency
	default:
		first, chunkDelay = 10*first, 10*chunkDelay
	}
	return first, chunkDelay
}

// slowDelay returns the delay before an error under a slow fault.
func (c *call) slowDelay() time.Duration {
	first, _ := c.sampleLatency()
	return first
}

// waitFirstToken waits for the first token. DeepSeek answers 200 at once and sends keep-alive signs
// meanwhile; headersSent reports that the headers have been sent.
func (c *call) waitFirstToken(d time.Duration, contentType, keepAlive string) (headersSent, ok bool) {
	n := c.part.latency.KeepAlive
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
