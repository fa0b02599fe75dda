package mocks

import (
	"time"

	"evalctl/mocks/fault"
	"evalctl/mocks/wire"
)

// wait is how long this call takes, slowness included.
func (c *call) wait() (first, each time.Duration) {
	first, each = c.part.latency.Sample(c.seed)
	switch {
	case c.slow.Kind == "":
	case c.slow.Delay > 0:
		first += c.slow.Delay
	case first == 0 && each == 0:
		first = fault.SlowWithoutLatency
	default:
		first, each = 10*first, 10*each
	}
	return first, each
}

// slowDelay is the wait before an error that is also slow.
func (c *call) slowDelay() time.Duration {
	first, _ := c.wait()
	return first
}

// queue waits for the first token. DeepSeek answers 200 at once and sends
// signs of life meanwhile; begun says that the headers have gone out.
func (c *call) queue(d time.Duration, contentType, sign string) (begun, ok bool) {
	n := c.part.latency.KeepAlive
	if n == 0 || c.Place.Dialect != wire.DeepSeek {
		return false, c.sleep(d)
	}
	c.begin(200, contentType)
	c.flush()
	step := d / time.Duration(n+1)
	for range n {
		if !c.sleep(step) || !c.write([]byte(sign)) {
			return true, false
		}
		c.flush()
	}
	return true, c.sleep(d - step*time.Duration(n))
}
