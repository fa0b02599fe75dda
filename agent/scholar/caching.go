package scholar

import (
	"evalctl/agent/cache"
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

// openCache opens it, and says how it is closed.
func openCache(where string) (store cache.Store, closing func() error, err error) {
	if where == memoryCache {
		store, err = cache.NewMemory(cache.StoreConfig{Size: maxSummaries})
		return store, nil, err
	}
	redis, err := cache.NewRedis(cache.RedisConfig{URL: where})
	if err != nil {
		return nil, nil, err
	}
	return redis, redis.Close, nil
}
