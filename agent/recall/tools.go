package recall

import (
	"context"
	"fmt"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Default and limit of the size of a SearcherCache, in documents.
const (
	DefaultTools = 100
	MaxTools     = 10_000
)

// SearcherCache stores one Searcher per document, for the documents that were searched most
// recently. It is safe for concurrent use.
type SearcherCache struct {
	all       Searcher
	searchers *lru.Cache[string, Searcher]
}

// NewSearcherCache returns a cache for the Searchers of size documents; 0: DefaultTools. A full
// cache evicts the least recently used Searcher. All searches are forwarded to all.
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

// ForDocument returns a Searcher that searches only this document.
func (t *SearcherCache) ForDocument(document string) Searcher {
	if s, ok := t.searchers.Get(document); ok {
		return s
	}
	tool := &tool{all: t.all, documents: []string{document}}
	if s, ok, _ := t.searchers.PeekOrAdd(document, tool); ok { // another goroutine added it first
		return s
	}
	return tool
}

// Documents returns the IDs of the documents that have a cached Searcher, least recently used
// first.
func (t *SearcherCache) Documents() []string { return t.searchers.Keys() }

// tool is a Searcher of one document. It ignores the documents that a query names.
type tool struct {
	all       Searcher
	documents []string
}

var _ Searcher = (*tool)(nil)

// Search finds passages in the document of t.
func (t *tool) Search(ctx context.Context, q Query) ([]Chunk, error) {
	q.Documents = t.documents
	return t.all.Search(ctx, q)
}
