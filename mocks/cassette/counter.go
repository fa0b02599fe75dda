package cassette

import "sync"

// counter numbers the identical requests that one component sends in a trial, so that each finds
// its own recording. The zero value is ready for use.
type counter struct {
	mu   sync.Mutex
	seen map[string]int
}

func (c *counter) next(key string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen == nil {
		c.seen = map[string]int{}
	}
	c.seen[key]++
	return c.seen[key]
}
