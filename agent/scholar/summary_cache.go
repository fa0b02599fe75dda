package scholar

import (
	"fmt"

	"evalctl/agent/cache"
	"evalctl/agent/secret"
)

// maxSummaries is the maximum number of cached summaries in memory.
const maxSummaries = 10_000

// checkCache validates the setting summary-cache.
func checkCache(where string) error {
	if where == memoryCache {
		return nil
	}
	return cache.CheckRedisURL(where)
}

// openRedis opens a cache in Redis and returns it with its close function. Both are nil if where is
// "memory", because each agent then has its own cache.
func openRedis(where string) (cache.Store, func() error, error) {
	if where == memoryCache {
		return nil, func() error { return nil }, nil
	}
	address, err := new(secret.Set).ExpandEnvInURL(where)
	if err != nil {
		return nil, nil, fmt.Errorf("summaries: %w", err)
	}
	redis, err := cache.NewRedis(cache.RedisConfig{URL: address})
	if err != nil {
		return nil, nil, fmt.Errorf("summaries: %w", err)
	}
	return redis, redis.Close, nil
}
