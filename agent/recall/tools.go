package recall

import (
	"context"
	"fmt"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Default and limit of the size of a SearcherCache, in documents.
const (
	DefaultCacheSize = 100
	MaxCacheSize     = 10_000
)

// SearcherCache stores one Searcher per document, for the documents that were searched most
// recently. It is safe for concurrent use.
type SearcherCache struct {
	all       Searcher
	searchers *lru.Cache[string, Searcher]
}

// NewSearcherCache returns a cache of at most size Searchers; 0: DefaultCacheSize. A full cache
// evicts the least recently used Searcher. Each Searcher sends its searches to all, limited to its
// document.
func NewSearcherCache(all Searcher, size int) (*SearcherCache, error) {
	if size < 0 || size > MaxCacheSize {
		return nil, fmt.Errorf("recall.NewSearcherCache: %d is not in 0..%d", size, MaxCacheSize)
	}
	if size == 0 {
		size = DefaultCacheSize
	}
	kept, err := lru.New[string, Searcher](size)
	return &SearcherCache{all: all, searchers: kept}, err
}

// ForDocument returns a Searcher that searches only this document.
func (t *SearcherCache) ForDocument(document string) Searcher {
	if s, ok := t.searchers.Get(document); ok {
		return s
	}
	tool := &documentSearcher{all: t.all, documents: []string{document}}
	if s, ok, _ := t.searchers.PeekOrAdd(document, tool); ok { // another goroutine added it first
		return s
	}
	return tool
}

// CachedDocuments returns the IDs of the documents that have a cached Searcher, least recently used
// first.
func (t *SearcherCache) CachedDocuments() []string { return t.searchers.Keys() }

// documentSearcher is a Searcher of one document. It ignores the documents that a query names.
type documentSearcher struct {
	all       Searcher
	documents []string
}

var _ Searcher = (*documentSearcher)(nil)

// Search finds passages in the one document of t.
func (t *documentSearcher) Search(ctx context.Context, q Query) ([]Chunk, error) {
	q.Documents = t.documents
	return t.all.Search(ctx, q)
}
