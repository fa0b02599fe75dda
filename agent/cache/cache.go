// Package cache provides an in-memory LRU cache with expiration, and stores for texts in memory and
// in Redis. Times come from the clock of the context, which tests can simulate.
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

// defaultSize is the default maximum number of entries.
const defaultSize = 1024

// Config configures a Cache.
type Config struct {
	MaxEntries int           // maximum number of entries; 0: 1024
	TTL        time.Duration // lifetime of an entry; 0: entries do not expire
}

// Cache is an LRU cache with expiration, safe for concurrent use. A nil *Cache is always empty.
type Cache[V any] struct {
	cfg Config

	mu      sync.Mutex
	entries *simplelru.LRU[string, entry[V]] // nil before the first Put, because many trials never use their cache
}

type entry[V any] struct {
	value V
	until time.Time // expiration time; zero: never
}

// New creates an empty cache. Its errors name the invalid field of cfg.
func New[V any](cfg Config) (*Cache[V], error) {
	if cfg.MaxEntries < 0 {
		return nil, fmt.Errorf("cache.Config.MaxEntries: %d is negative", cfg.MaxEntries)
	}
	if cfg.TTL < 0 {
		return nil, fmt.Errorf("cache.Config.TTL: %v is negative", cfg.TTL)
	}
	cfg.MaxEntries = cmp.Or(cfg.MaxEntries, defaultSize)
	return &Cache[V]{cfg: cfg}, nil
}

// Get returns the value of a key. ok is false if the key is missing or has expired.
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

// Put stores v under a key and may evict the least recently used entry.
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
		c.entries, _ = simplelru.NewLRU[string, entry[V]](c.cfg.MaxEntries, nil) // fails only for size 0
	}
	c.entries.Add(key, e)
}
