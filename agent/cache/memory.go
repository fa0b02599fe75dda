package cache

import (
	"context"
	"fmt"
)

// Memory is a Store in the memory of this process.
type Memory struct {
	cfg   StoreConfig
	texts *Cache[string]
}

var _ Store = (*Memory)(nil)

// NewMemory creates an empty store. Its errors name the invalid field of cfg.
func NewMemory(cfg StoreConfig) (*Memory, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	texts, err := New[string](Config{MaxEntries: cfg.MaxEntries, TTL: cfg.TTL})
	if err != nil {
		return nil, fmt.Errorf("cache.StoreConfig: %w", err)
	}
	return &Memory{cfg: cfg, texts: texts}, nil
}

// GetAll implements Store.
func (m *Memory) GetAll(ctx context.Context, keys []string) (map[string]string, error) {
	found := map[string]string{}
	for _, key := range keys {
		if text, ok := m.texts.Get(ctx, key); ok {
			found[key] = text
		}
	}
	return found, ctx.Err()
}

// Put implements Store.
func (m *Memory) Put(ctx context.Context, key, value string) error {
	if err := m.cfg.check(key, value); err != nil {
		return err
	}
	m.texts.Put(ctx, key, value)
	return nil
}
