package scholar

import (
	"fmt"

	"evalctl/agent/cache"
	"evalctl/agent/secret"
)

// maxSummaries is how many summaries are kept in memory.
const maxSummaries = 10_000

// checkCache checks the setting that says where summaries are kept.
func checkCache(where string) error {
	if where == memoryCache {
		return nil
	}
	return cache.CheckRedis(where)
}

// openRedis opens the cache that is a Redis, and says how it is closed; nil: summaries
// are kept in memory, each agent's in its own.
func openRedis(where string) (cache.Store, func() error, error) {
	if where == memoryCache {
		return nil, nil, nil
	}
	address, err := new(secret.Set).ExpandURL(where)
	if err != nil {
		return nil, nil, fmt.Errorf("summaries: %w", err)
	}
	redis, err := cache.NewRedis(cache.RedisConfig{URL: address})
	if err != nil {
		return nil, nil, fmt.Errorf("summaries: %w", err)
	}
	return redis, redis.Close, nil
}
