// Package cache remembers values for a while: bounded, the least recently used
// go first, and expiring on the clock of whoever asks.
package cache

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"evalctl/agent/clock"
)

// defaultSize is how many entries a cache holds that is told nothing else.
const defaultSize = 1024

// Config bounds a cache.
type Config struct {
	Size int           // entries; 0: defaultSize
	TTL  time.Duration // of an entry; 0: for ever
}

// Cache is safe for concurrent use. A nil *Cache remembers nothing.
type Cache[V any] struct {
	cfg Config

	mu      sync.Mutex
	entries *simplelru.LRU[string, entry[V]] // nil before the first Put: many trials never make one
}

type entry[V any] struct {
	value V
	until time.Time // zero: for ever
}

// New checks cfg; errors name the field. It costs next to nothing.
func New[V any](cfg Config) (*Cache[V], error) {
	if cfg.Size < 0 {
		return nil, fmt.Errorf("cache.Config.Size: %d is negative", cfg.Size)
	}
	if cfg.TTL < 0 {
		return nil, fmt.Errorf("cache.Config.TTL: %v is negative", cfg.TTL)
	}
	cfg.Size = cmp.Or(cfg.Size, defaultSize)
	return &Cache[V]{cfg: cfg}, nil
}

// Get tells whether the key's value is there, and which it is.
func (c *Cache[V]) Get(ctx context.Context, key string) (v V, ok bool) {
	if c == nil {
		return v, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries == nil {
		return v, false
	}
	e, ok := c.entries.Get(key)
	if ok && !e.until.IsZero() && !clock.Now(ctx).Before(e.until) {
		c.entries.Remove(key)
		return v, false
	}
	return e.value, ok
}

// Put remembers v from now on.
func (c *Cache[V]) Put(ctx context.Context, key string, v V) {
	if c == nil {
		return
	}
	e := entry[V]{value: v}
	if c.cfg.TTL > 0 {
		e.until = clock.Now(ctx).Add(c.cfg.TTL)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries == nil {
		c.entries, _ = simplelru.NewLRU[string, entry[V]](c.cfg.Size, nil) // fails only without a size
	}
	c.entries.Add(key, e)
}
