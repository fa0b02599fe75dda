package scholar

import (
	"fmt"

	"evalctl/agent/cache"
)

// maxSummaries is how many summaries are kept in memory.
const maxSummaries = 10_000

// checkCache checks the setting that says where summaries are kept.
func checkCache(where string) error {
	if where == memoryCache {
		return nil
	}
	return fmt.Errorf("Redis comes later")
}

// openCache opens it, and says how it is closed.
func openCache(where string) (cache.Store, func() error, error) {
	store, err := cache.NewMemory(cache.StoreConfig{Size: maxSummaries})
	return store, nil, err
}
