package recall

import (
	"context"
	"fmt"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Limits of a SearcherCache.
const (
	DefaultTools = 100
	MaxTools     = 10_000
)

// SearcherCache caches a Searcher for each recently searched document. It is safe for concurrent
// use.
type SearcherCache struct {
	all       Searcher
	searchers *lru.Cache[string, Searcher]
}

// NewSearcherCache returns a cache of this size; 0: DefaultTools. The least recently used Searcher
// is evicted.
func NewSearcherCache(all Searcher, size int) (*SearcherCache, error) {
	if size < 0 || size > MaxTools {
		return nil, fmt.Errorf("recall.NewSearcherCache: %d is not in 0..%d", size, MaxTools)
	}
	if size == 0 {
		size = DefaultTools
	}
	kept, err := lru.New[string, Searcher](size)
	return &SearcherCache{all: all, searchers: kept}, err
}

// ForDocument returns a Searcher for a single document.
func (t *SearcherCache) ForDocument(document string) Searcher {
	if s, ok := t.searchers.Get(document); ok {
		return s
	}
	tool := &tool{all: t.all, documents: []string{document}}
	if s, ok, _ := t.searchers.PeekOrAdd(document, tool); ok { // added concurrently
		return s
	}
	return tool
}

// Documents returns the documents with a cached Searcher, least recently used first.
func (t *SearcherCache) Documents() []string { return t.searchers.Keys() }

// tool searches one document, regardless of the documents of a query.
type tool struct {
	all       Searcher
	documents []string
}

var _ Searcher = (*tool)(nil)

// Search returns passages of the document.
func (t *tool) Search(ctx context.Context, q Query) ([]Chunk, error) {
	q.Documents = t.documents
	return t.all.Search(ctx, q)
}
