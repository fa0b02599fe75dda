package cache

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"evalctl/agent/llm"
)

// Store keeps texts by their keys. It is safe for concurrent use.
type Store interface {
	// GetAll looks keys up, all at once; those that are not there are not in the
	// result. Beside an error the result is what was found before it.
	GetAll(ctx context.Context, keys []string) (map[string]string, error)
	// Put keeps a text from now on.
	Put(ctx context.Context, key, value string) error
}

// What holds of a store that is told nothing else, and the bounds of all.
const (
	DefaultTTL      = 7 * 24 * time.Hour
	DefaultMaxValue = 256 << 10 // bytes
	MaxKey          = 4 << 10   // bytes
)

// StoreConfig bounds what a store keeps.
type StoreConfig struct {
	Size     int           // entries of a Memory; 0: defaultSize
	TTL      time.Duration // of an entry; 0: DefaultTTL
	MaxValue int           // bytes of a text; 0: DefaultMaxValue
}

// settled checks cfg and puts the defaults in; errors name the field.
func (cfg StoreConfig) settled() (StoreConfig, error) {
	if cfg.TTL < 0 {
		return cfg, fmt.Errorf("cache.StoreConfig.TTL: %v is negative", cfg.TTL)
	}
	if cfg.MaxValue < 0 {
		return cfg, fmt.Errorf("cache.StoreConfig.MaxValue: %d is negative", cfg.MaxValue)
	}
	cfg.TTL, cfg.MaxValue = cmp.Or(cfg.TTL, DefaultTTL), cmp.Or(cfg.MaxValue, DefaultMaxValue)
	return cfg, nil
}

// check finds an entry that is too long to be kept.
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
	return &llm.Error{Kind: llm.KindBadRequest, Provider: Provider, Message: fmt.Sprintf("a %s of %d bytes is longer than %d", what, is, most)}
}
