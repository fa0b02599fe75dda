package cache

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"evalctl/agent/llm"
)

// Store stores texts by key. It is safe for concurrent use.
type Store interface {
	// GetAll returns the values of keys; missing keys are absent from the result. If it fails, the
	// result contains the values found so far.
	GetAll(ctx context.Context, keys []string) (map[string]string, error)
	// Put stores a text.
	Put(ctx context.Context, key, value string) error
}

// Defaults of a StoreConfig, and the limit of keys.
const (
	DefaultTTL      = 7 * 24 * time.Hour
	DefaultMaxValue = 256 << 10 // bytes
	MaxKey          = 4 << 10   // bytes
)

// StoreConfig limits the entries of a store.
type StoreConfig struct {
	Size     int           // entries of a Memory; 0: defaultSize
	TTL      time.Duration // lifetime of an entry; 0: DefaultTTL
	MaxValue int           // bytes of a text; 0: DefaultMaxValue
}

// withDefaults validates cfg and sets the defaults. Errors name the field.
func (cfg StoreConfig) withDefaults() (StoreConfig, error) {
	if cfg.TTL < 0 {
		return cfg, fmt.Errorf("cache.StoreConfig.TTL: %v is negative", cfg.TTL)
	}
	if cfg.MaxValue < 0 {
		return cfg, fmt.Errorf("cache.StoreConfig.MaxValue: %d is negative", cfg.MaxValue)
	}
	cfg.TTL, cfg.MaxValue = cmp.Or(cfg.TTL, DefaultTTL), cmp.Or(cfg.MaxValue, DefaultMaxValue)
	return cfg, nil
}

// check rejects an entry that is too long.
func (cfg StoreConfig) check(key, value string) error {
	switch {
	case len(key) > MaxKey:
		return tooLong("key", len(key), MaxKey)
	case len(value) > cfg.MaxValue:
		return tooLong("text", len(value), cfg.MaxValue)
	}
	return nil
}

func tooLong(what string, is, most int) error {
	return &llm.Error{Kind: llm.KindBadRequest, Provider: Provider,
		Message: fmt.Sprintf("a %s of %d bytes is longer than %d", what, is, most)}
}
