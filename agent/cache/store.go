package cache

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"evalctl/agent/llm"
)

// Store stores texts under keys for a limited time. It is safe for concurrent use.
type Store interface {
	// GetAll returns the values of those keys that exist. After an error it returns the values
	// found so far.
	GetAll(ctx context.Context, keys []string) (map[string]string, error)
	// Put stores value under key. A key or value that is too long is an error.
	Put(ctx context.Context, key, value string) error
}

// Defaults of StoreConfig, and the maximum length of a key.
const (
	DefaultTTL      = 7 * 24 * time.Hour // 7 days
	defaultMaxValue = 256 << 10          // bytes
	maxKey          = 4 << 10            // bytes
)

// StoreConfig limits the number, lifetime and size of the entries in a store.
type StoreConfig struct {
	MaxEntries int           // maximum number of entries of a Memory store; 0: 1024
	TTL        time.Duration // lifetime of an entry; 0: DefaultTTL
	MaxValue   int           // maximum length of a value in bytes; 0: 256 KiB
}

// withDefaults validates cfg and fills in the defaults. Its errors name the invalid field.
func (cfg StoreConfig) withDefaults() (StoreConfig, error) {
	if cfg.TTL < 0 {
		return cfg, fmt.Errorf("cache.StoreConfig.TTL: %v is negative", cfg.TTL)
	}
	if cfg.MaxValue < 0 {
		return cfg, fmt.Errorf("cache.StoreConfig.MaxValue: %d is negative", cfg.MaxValue)
	}
	cfg.TTL, cfg.MaxValue = cmp.Or(cfg.TTL, DefaultTTL), cmp.Or(cfg.MaxValue, defaultMaxValue)
	return cfg, nil
}

// check returns an error if the key or the value is too long.
func (cfg StoreConfig) check(key, value string) error {
	switch {
	case len(key) > maxKey:
		return tooLong("key", len(key), maxKey)
	case len(value) > cfg.MaxValue:
		return tooLong("text", len(value), cfg.MaxValue)
	}
	return nil
}

func tooLong(what string, length, limit int) error {
	return &llm.Error{Kind: llm.KindBadRequest, Provider: ProviderName,
		Message: fmt.Sprintf("a %s of %d bytes is longer than %d", what, length, limit)}
}
