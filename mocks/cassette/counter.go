package cassette

import "sync"

// counter numbers identical requests of one part in a trial. The zero value is ready.
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
