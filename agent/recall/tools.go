package recall

import (
	"context"
	"fmt"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Bounds of how many tools are kept.
const (
	DefaultTools = 100
	MaxTools     = 10_000
)

// SearcherCache keeps a Searcher for each of the documents that were last looked into. It is
// safe for concurrent use.
type SearcherCache struct {
	all  Searcher
	kept *lru.Cache[string, Searcher]
}

// NewTools keeps at most so many, 0 of DefaultTools; the one that was used least recently
// goes first.
func NewTools(all Searcher, size int) (*SearcherCache, error) {
	if size < 0 || size > MaxTools {
		return nil, fmt.Errorf("recall.NewTools: %d is not in 0..%d", size, MaxTools)
	}
	if size == 0 {
		size = DefaultTools
	}
	kept, err := lru.New[string, Searcher](size)
	return &SearcherCache{all: all, kept: kept}, err
}

// ForDocument is the tool that looks into one document alone.
func (t *SearcherCache) ForDocument(document string) Searcher {
	if s, ok := t.kept.Get(document); ok {
		return s
	}
	tool := &tool{all: t.all, documents: []string{document}}
	if s, ok, _ := t.kept.PeekOrAdd(document, tool); ok { // somebody was faster
		return s
	}
	return tool
}

// Documents are the documents whose tools are kept, the least recently used first.
func (t *SearcherCache) Documents() []string { return t.kept.Keys() }

// tool looks into one document, whichever a query names.
type tool struct {
	all       Searcher
	documents []string
}

var _ Searcher = (*tool)(nil)

// Search asks for passages of the document.
func (t *tool) Search(ctx context.Context, q Query) ([]Chunk, error) {
	q.Documents = t.documents
	return t.all.Search(ctx, q)
}
